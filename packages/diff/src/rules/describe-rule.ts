import { capitalize } from "@bothends/generator/text";
import type { RuleId } from "./index.js";
import {
  checkedAnswersText,
  type Direction,
  getConsequences,
  type Level,
  listTexts,
  type Reason,
  type Rule,
  type Variant,
} from "./rule.js";

/** The words for levels in tables. */
const levelWords: Readonly<Record<Level, string>> = {
  none: "–",
  tolerated: "tolerated",
  some: "may break",
  breaks: "breaks",
};

/** The rules about items that REST clients with the option `validate` may refuse in answers. */
const restAnswerRules: readonly RuleId[] = [
  "member-added-required",
  "member-removed-required",
  "member-added-optional",
  "member-removed-optional",
  "member-became-required",
  "member-became-optional",
  "member-became-nillable",
  "member-became-not-nillable",
  "member-renamed",
  "member-contexts-changed",
  "default-added",
  "default-removed",
  "default-changed",
  "type-changed",
  "type-narrowed",
  "type-widened",
  "type-overlaps",
  "type-replaced",
  "union-member-added",
  "union-member-removed",
  "enum-value-added",
  "enum-value-removed",
  "enum-opened",
  "enum-closed",
];

/** A sentence about the consequences of a rule, and the cases to which it applies, each in a few words. */
interface Note {
  readonly cases: readonly string[];
  readonly text: string;
}

/** Describes a rule in Markdown: the change and its opposite, then a list of the reasons for its consequences. */
export function describeRule(rule: Rule): string {
  const restTitle = rule.rest?.title === undefined ? [] : [`In REST interfaces: ${rule.rest.title}`];
  const opposite = rule.oppositeRule === undefined ? [] : [`The opposite is \`${rule.oppositeRule}\`.`];
  const notes = formatNotes(listNotes(rule));
  return [[rule.title, ...restTitle, ...opposite].join(" "), ...(notes.length === 0 ? [] : ["", ...notes])].join("\n");
}

function listNotes(rule: Rule): readonly Note[] {
  const { reason, rest, strictPeers, undecided } = rule;
  return [
    ...listNotesOfInterfaces(
      listNotesOfReason(reason),
      rest?.reason === undefined ? undefined : listNotesOfReason(rest.reason),
    ),
    ...listNotesOfVariants(Object.values<Variant>(rule.variants ?? {})),
    ...toNotes(restAnswerRules.some((id) => id === rule.id) ? checkedAnswersText : undefined),
    ...toNotes(undecided && `The worst case is reported, because ${undecided}.`),
    ...listNotesOfInterfaces(toNotes(strictPeers), rest?.strictPeers ? toNotes(rest.strictPeers) : undefined),
  ];
}

function toNotes(text: string | undefined): readonly Note[] {
  return text === undefined ? [] : [{ cases: [], text }];
}

function listNotesOfReason(reason: Reason): readonly Note[] {
  const { texts, toleratedTexts } = listTexts(reason);
  return [...texts.flatMap(toNotes), ...toleratedTexts.map((text) => ({ cases: ["tolerated"], text }))];
}

/** Joins notes about both kinds of interfaces. If `rest` is undefined, the other notes apply to both kinds. */
function listNotesOfInterfaces(soap: readonly Note[], rest: readonly Note[] = soap): readonly Note[] {
  const contains = (notes: readonly Note[], { cases, text }: Note) =>
    notes.some((note) => note.text === text && note.cases.length === cases.length);
  const forCase = (name: string, { cases, text }: Note): Note => ({ cases: [name, ...cases], text });
  return [
    ...soap.map((note) => (contains(rest, note) ? note : forCase("SOAP", note))),
    ...rest.filter((note) => !contains(soap, note)).map((note) => forCase("REST", note)),
  ];
}

/** Returns the notes of variants, with the conditions of the variants. */
function listNotesOfVariants(variants: readonly Variant[]): readonly Note[] {
  const notes = variants.flatMap(({ reason = [], when }) =>
    listNotesOfReason(reason).map(({ cases, text }) => ({ cases, text, when })),
  );
  const keys = new Set(notes.map(({ cases, text }) => JSON.stringify([cases, text])));
  return [...keys].flatMap((key) => {
    const group = notes.filter(({ cases, text }) => JSON.stringify([cases, text]) === key);
    const condition = joinConditions(group.map(({ when }) => when));
    return group.slice(0, 1).map(({ cases, text }) => ({ cases: [...condition, ...cases], text }));
  });
}

/** Joins conditions of which any suffices. Returns none if one of them is undefined, which is always met. */
function joinConditions(conditions: readonly (string | undefined)[]): readonly string[] {
  const known = [...new Set(conditions)].filter((condition) => condition !== undefined);
  // "it is derived" includes "it is derived, which is abstract".
  const widest = known.filter((condition) => !known.some((other) => condition.startsWith(`${other},`)));
  return conditions.includes(undefined) ? [] : [`if ${widest.join(", or if ")}`];
}

/** Writes notes as a list. Sentences about the same cases are one item. */
function formatNotes(notes: readonly Note[]): readonly string[] {
  const titles = notes.map(({ cases }) => cases.join(", "));
  const findTexts = (title: string) => notes.filter((_, index) => titles[index] === title).map(({ text }) => text);
  return [
    ...findTexts("").map((text) => `- ${text}`),
    ...[...new Set(titles)]
      .filter((title) => title !== "")
      .map((title) => `- **${capitalize(title)}:** ${findTexts(title).join(" ")}`),
  ];
}

/** The columns of the table of a rule's consequences. */
export const consequenceColumns = ["", "old clients", "new clients", "callers", "handlers"] as const;

/**
 * Returns the rows of the table of a rule's consequences, which has the columns `consequenceColumns`: the direction and
 * the condition of a verdict, and the words for its levels.
 */
export function listConsequenceRows(rule: Rule): readonly (readonly string[])[] {
  return [
    ...listRows(rule, undefined, ""),
    ...Object.entries<Variant>(rule.variants ?? {}).flatMap(([key, variant]) =>
      variant.when === undefined || hasOnlyOtherTitle(rule, variant) ? [] : listRows(rule, key, ` if ${variant.when}`),
    ),
  ];
}

/** Whether a variant has the consequences of its rule: only the sentence in reports is another one. */
function hasOnlyOtherTitle({ verdict }: Rule, variant: Variant): boolean {
  return variant.title !== undefined && variant.verdict === verdict && variant.direction === undefined;
}

function listRows(rule: Rule, variant: string | undefined, condition: string): readonly (readonly string[])[] {
  const onlyDirection = variant === undefined ? undefined : rule.variants?.[variant]?.direction;
  const directionsOfVariant = onlyDirection === undefined ? (["input", "output"] as const) : [onlyDirection];
  const directions: readonly (Direction | undefined)[] = rule.kind === "exchange" ? directionsOfVariant : [undefined];
  return directions.map((direction) => {
    const { oldClients, newClients, callers, handlers } = getConsequences(rule, { variant, direction });
    const cells = [oldClients, newClients, callers, handlers].map((level) => levelWords[level]);
    return [`${direction ?? "calls"}${condition}`, ...cells];
  });
}
