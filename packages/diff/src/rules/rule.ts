import { capitalize } from "@bothends/generator/text";

/**
 * The effect of a change on a party. "none": nothing happens. "tolerated": a value is lost, or only a peer that is
 * stricter than a generated one fails. "some": some values or uses fail, or a reader loses a part of a list. "breaks":
 * every use fails.
 */
export type Level = "none" | "tolerated" | "some" | "breaks";

/** The levels in ascending order. */
export const levels: readonly Level[] = ["none", "tolerated", "some", "breaks"];

/** Returns the worst of several levels; `none` for an empty list. */
export function findWorstLevel(candidates: readonly Level[]): Level {
  return levels[Math.max(0, ...candidates.map((candidate) => levels.indexOf(candidate)))] ?? "none";
}

/** Returns the better of two levels. */
export function findBestLevel(left: Level, right: Level): Level {
  return levels.indexOf(left) < levels.indexOf(right) ? left : right;
}

/** The effect of a change on each party. */
export interface Consequences {
  /** Clients of the old contract that call a server of the new one. */
  readonly oldClients: Level;
  /** Clients of the new contract that call a server of the old one. */
  readonly newClients: Level;
  /** TypeScript code that calls the client, compiled with the new packages. */
  readonly callers: Level;
  /** TypeScript code of the handlers, compiled with the new packages. */
  readonly handlers: Level;
}

/** Clients write input and servers read it; servers write output and clients read it. */
export type Direction = "input" | "output";

/** A part of faults that may contain a changed type: the detail, or a header block that only faults have. */
export type FaultPart = "detail" | "header";

/**
 * The levels of four parties, in this order, each as a letter: N for none, T for tolerated, S for some, B for breaks.
 * - In an exchange: a new reader of old messages, an old reader of new messages, code that writes, code that reads.
 * - In a call: old clients, new clients, callers, handlers.
 */
export type Verdict = `${Letter} ${Letter} ${Letter} ${Letter}`;
type Letter = "N" | "T" | "S" | "B";

/** A verdict of a rule that applies only under a condition, or only in one direction. */
export interface Variant {
  /**
   * The condition as a clause: `the member is optional`. Absent if the verdict applies to every change in the
   * direction.
   */
  readonly when?: string;
  /** The sentence that describes the change; absent if the title of the rule describes it. */
  readonly title?: string;
  readonly verdict: Verdict;
  /** Sentences that reports add to the reason of the rule. */
  readonly reason?: Reason;
  /** The only direction to which the variant applies; absent if it applies to both. */
  readonly direction?: Direction;
}

/** The effects of a difference, in the order of a verdict. */
export interface Effects {
  /** The effect of old messages on new readers; in a call, that on old clients. */
  readonly newReader: Level;
  /** The effect of new messages on old readers; in a call, that on new clients. */
  readonly oldReader: Level;
  /** The effect on code that writes; in a call, that on callers. */
  readonly writingCode: Level;
  /** The effect on code that reads; in a call, that on handlers. */
  readonly readingCode: Level;
}

/** Sentences about one of several effects. Reports contain only the sentence for the level of the actual effect. */
export interface EffectTexts {
  /** The effect; the worst of several ones. */
  readonly effects: keyof Effects | readonly (keyof Effects)[];
  /** The sentence if every use fails; if absent, that for `some`. */
  readonly breaks?: string;
  readonly some?: string;
  readonly tolerated?: string;
}

/** The explanation of a verdict: sentences for every difference, and sentences about effects that it may have. */
export type Reason = string | readonly (string | EffectTexts)[];

/** A kind of change, with its consequences. */
export interface Rule {
  readonly id: string;
  /**
   * Whether the rule is about messages in two directions ("exchange") or about calls, which have no direction ("call").
   */
  readonly kind: "exchange" | "call";
  /** A sentence that describes the change without its subject: `A required member was added.` */
  readonly title: string;
  readonly verdict: Verdict;
  /** Verdicts that apply under a condition, by key. A difference contains the key of its variant. */
  readonly variants?: Readonly<Record<string, Variant>>;
  /** One or more sentences that explain the verdict. */
  readonly reason: Reason;
  /** A sentence about peers that validate messages more strictly than generated clients and servers do. */
  readonly strictPeers?: string;
  /** The texts for REST interfaces, if they differ from those for SOAP interfaces. */
  readonly rest?: { readonly title?: string; readonly reason?: Reason; readonly strictPeers?: string };
  /** The id of the rule for the opposite change; if absent, the opposite change has the same rule. */
  readonly oppositeRule?: string;
  /** A clause that says why the schemas alone do not determine the verdict. The verdict is then the worst case. */
  readonly undecided?: string;
}

const levelsByLetter: Readonly<Record<string, Level>> = { N: "none", T: "tolerated", S: "some", B: "breaks" };

/** The effects of values of the old writer on the new reader, and of values of the new writer on the old reader. */
export type LevelsOfWriters = readonly [oldWriter: Level, newWriter: Level];

/** The properties of a difference that determine its effects. */
export interface Occurrence {
  readonly direction?: Direction | undefined;
  /**
   * How the change affects new readers of old messages and old readers of new messages; undefined if the rule's verdict
   * applies.
   */
  readonly levels?: LevelsOfWriters | undefined;
  /** The key of the rule's variant that applies; undefined if the rule's main verdict applies. */
  readonly variant?: string | undefined;
  /** Whether the types in generated TypeScript code are equal in both versions. */
  readonly sameCode?: boolean | undefined;
  /** The worst consequences that the change can have for code that writes the value and for code that reads it. */
  readonly codeLimits?: readonly [write: Level, read: Level] | undefined;
  /** The consequences for code that writes the value and for code that reads it, in place of those of the rule. */
  readonly codeLevels?: readonly [write: Level, read: Level] | undefined;
  /**
   * Whether code that uses a type apart from its values may no longer compile: code that extends the type of an object,
   * which is a union now, or that lists the alternatives of a union.
   */
  readonly affectsTypeUses?: boolean | undefined;
  /** The part of faults that contains the changed item; undefined if other messages contain it as well. */
  readonly faultPart?: FaultPart | undefined;
  /** Whether the changed item is in answers of a REST interface, which clients check only with an option. */
  readonly isRestAnswer?: boolean | undefined;
}

/**
 * Returns the effects of a difference according to its rule. Code is not affected if the TypeScript type is unchanged.
 */
function getEffects(rule: Rule, occurrence: Occurrence): Effects {
  const variant =
    occurrence.variant === undefined
      ? findVariantOfDirection(rule, occurrence.direction)
      : rule.variants?.[occurrence.variant];
  const { verdict } = variant ?? rule;
  const [ruleFirst = "none", ruleSecond = "none", third = "none", fourth = "none"] = verdict
    .split(" ")
    .map((letter) => levelsByLetter[letter] ?? "none");
  const [newReader, oldReader] = occurrence.levels ?? [ruleFirst, ruleSecond];
  const [writeLimit, readLimit] = occurrence.codeLimits ?? (["breaks", "breaks"] as const);
  const [writingCode, readingCode] =
    occurrence.sameCode === true
      ? (["none", "none"] as const)
      : (occurrence.codeLevels ?? ([findBestLevel(third, writeLimit), findBestLevel(fourth, readLimit)] as const));
  const limit = occurrence.affectsTypeUses === true && occurrence.sameCode !== true ? "some" : "none";
  return {
    newReader,
    oldReader,
    writingCode: findWorstLevel([writingCode, limit]),
    readingCode: findWorstLevel([readingCode, limit]),
  };
}

/** Returns the consequences of a difference according to its rule. */
export function getConsequences(rule: Rule, occurrence: Occurrence): Consequences {
  const { newReader, oldReader, writingCode, readingCode } = getEffects(rule, occurrence);
  if (occurrence.direction !== "output") {
    return { oldClients: newReader, newClients: oldReader, callers: writingCode, handlers: readingCode };
  }
  // A client that cannot read the detail or a header of a fault throws a fault with the same reason. REST clients check
  // answers only with an option.
  const highestLevel =
    occurrence.faultPart !== undefined ? "tolerated" : occurrence.isRestAnswer === true ? "some" : "breaks";
  return {
    oldClients: findBestLevel(oldReader, highestLevel),
    newClients: findBestLevel(newReader, highestLevel),
    callers: readingCode,
    handlers: writingCode,
  };
}

/**
 * Returns the sentences that explain the effects of a difference: those of the rule or, for REST interfaces, of its
 * REST texts, and those of the variant.
 */
export function explainEffects(rule: Rule, reason: Reason, occurrence: Occurrence): readonly string[] {
  const effects = getEffects(rule, occurrence);
  const { when, reason: variantReason = [] } = rule.variants?.[occurrence.variant ?? ""] ?? {};
  const isWithoutEffect = effects.newReader === "none" && effects.oldReader === "none";
  const isUnlikeRule = isWithoutEffect && !rule.verdict.startsWith("N N") && occurrence.levels === undefined;
  return [
    ...selectTexts(reason, effects),
    ...selectTexts(variantReason, effects),
    // The condition of such a variant says why readers are not affected.
    ...(isUnlikeRule && when !== undefined ? [`${capitalize(when)}.`] : []),
  ];
}

function selectTexts(reason: Reason, effects: Effects): readonly string[] {
  return listParts(reason).flatMap((part) => {
    if (typeof part === "string") {
      return [part];
    }
    const level = findWorstLevel([part.effects].flat().map((effect) => effects[effect]));
    return getTextOfLevel(part, level) ?? [];
  });
}

function listParts(reason: Reason): readonly (string | EffectTexts)[] {
  return typeof reason === "string" ? [reason] : reason;
}

function getTextOfLevel({ breaks, some, tolerated }: EffectTexts, level: Level): string | undefined {
  switch (level) {
    case "breaks":
      return breaks ?? some;
    case "some":
      return some;
    case "tolerated":
      return tolerated;
    case "none":
      return undefined;
  }
}

/**
 * Returns all sentences of a reason, for documentation: those that are independent of levels or for the levels "breaks"
 * and "some", and those that are only for the level "tolerated".
 */
export function listTexts(reason: Reason): {
  readonly texts: readonly string[];
  readonly toleratedTexts: readonly string[];
} {
  const parts = listParts(reason);
  const texts = parts.flatMap((part) =>
    typeof part === "string" ? part : [part.breaks ?? [], part.some ?? []].flat(),
  );
  const toleratedTexts = parts.flatMap((part) => (typeof part === "string" ? [] : (part.tolerated ?? [])));
  return { texts, toleratedTexts: toleratedTexts.filter((text) => !texts.includes(text)) };
}

/** Returns the variant that applies to every change in a direction; undefined if there is none. */
function findVariantOfDirection({ variants = {} }: Rule, direction: Direction | undefined): Variant | undefined {
  return Object.values(variants).find((variant) => variant.when === undefined && variant.direction === direction);
}

/** Returns the worst effect on each party. */
export function findWorstConsequences(all: readonly Consequences[]): Consequences {
  const findWorst = (party: keyof Consequences) => findWorstLevel(all.map((consequences) => consequences[party]));
  return {
    oldClients: findWorst("oldClients"),
    newClients: findWorst("newClients"),
    callers: findWorst("callers"),
    handlers: findWorst("handlers"),
  };
}

/** Returns the worst of a change's consequences. */
export function findLevelOfConsequences({ oldClients, newClients, callers, handlers }: Consequences): Level {
  return findWorstLevel([oldClients, newClients, callers, handlers]);
}

// Sentences and clauses that several rules use.

export const unknownMembersText = "A reader that refuses unknown members fails in the cases marked `tolerated`.";
export const unknownNamesText = "A reader that refuses unknown members or types fails in the cases marked `tolerated`.";
/** What clients do if they cannot read a part of a fault. */
export const faultTexts: Readonly<Record<FaultPart, string>> = {
  detail:
    "In the detail of a fault, clients tolerate the change: a client that cannot read the detail throws a general `SoapFault` with the same reason.",
  header:
    "In a header of a fault, clients tolerate the change: a client that cannot read the header throws the fault without its headers.",
};
/** Under which condition clients refuse the answers of a REST interface. */
export const checkedAnswersText =
  "REST clients check answers only with the option `validate`; without it, they return every answer.";
/** Why a type that became a union may affect code that neither writes nor reads its values. */
export const typeUsesText =
  "Code that extends the type with `extends` or `implements`, or that lists all its alternatives, no longer compiles.";
/**
 * Why a rule's consequences do not apply to members of an object whose schema does not list all of them: texts for a
 * member whose type clients and servers of both versions accept, and for any other member.
 */
export const unlistedMembersTexts = {
  accepted:
    "The schema of a version does not list all members of the object, and allows the member with this type. Code of this version may use other names and types.",
  other:
    "The schema of a version does not list all members of the object. Therefore peers of this version may send or expect the member with another type, and its code may use other names and types.",
};
export const sampledText =
  "The consequences for clients are those of sample values, which the diff reads as the other version reads them.";
/** Why a change of an endpoint that moved to another route has no consequences for clients. */
export const movedEndpointText =
  "The endpoint moved to another route, so this change does not affect calls between the versions.";
export const sentAsText = "the value is sent as text in a path or a query, and the";
export const validatingText = "A validating reader refuses values that the schema does not allow.";
export const readInOrderText =
  "readers require the order of the elements, because a group of elements repeats or two elements have the same name";
/** Returns sentences about readers of the new version, or of the old one. */
export const toNewReader = (some: string, tolerated?: string): EffectTexts => createTexts("newReader", some, tolerated);
export const toOldReader = (some: string, tolerated?: string): EffectTexts => createTexts("oldReader", some, tolerated);
/** Returns a sentence about the readers of both versions, for each effect on one of them. */
export const toReaders = (text: string): EffectTexts => ({
  effects: ["newReader", "oldReader"],
  some: text,
  tolerated: text,
});
/** Returns a sentence about code that no longer compiles. */
export const toWritingCode = (some: string): EffectTexts => ({ effects: "writingCode", some });
export const toCode = (some: string): EffectTexts => ({ effects: ["writingCode", "readingCode"], some });
export const toReadingCode = (text: string, some = text): EffectTexts => ({
  effects: "readingCode",
  ...(some !== text && { breaks: text }),
  some,
});
function createTexts(effects: keyof Effects, some: string, tolerated: string | undefined): EffectTexts {
  return { effects, some, ...(tolerated !== undefined && { tolerated }) };
}

/** The texts for REST interfaces about the absence of a value that requests always contained. */
export const restAbsence = toReadingCode(
  "Code that reads the value must handle its absence.",
  "The type of the value is `unknown`, which includes absence. Only code that requires the value in a type of its own no longer compiles.",
);
export const elementOrderText = "A reader that checks the order of elements refuses the message.";
/** The texts for REST interfaces of rules about members that only one version has. */
export const restMembers = {
  reason: "A peer of the version without the member does not use it: its types do not contain the member.",
  strictPeers: "A peer that refuses unknown members fails in the cases marked `tolerated`.",
};
