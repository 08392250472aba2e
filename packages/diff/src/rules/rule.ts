/** How a change affects a party: not at all; data is lost, or only a strict peer refuses; for some values or uses; always. */
export type Level = "none" | "tolerated" | "some" | "breaks";

/** The levels in ascending order. */
export const levels: readonly Level[] = ["none", "tolerated", "some", "breaks"];

export function worst(found: readonly Level[]): Level {
  return levels[Math.max(0, ...found.map((each) => levels.indexOf(each)))] ?? "none";
}

/** The effects of a change on each party. */
export interface Consequences {
  /** Clients of the old contract that call a server of the new one. */
  readonly oldClients: Level;
  /** Clients of the new contract that call a server of the old one. */
  readonly newClients: Level;
  /** TypeScript code that calls the client, recompiled. */
  readonly callers: Level;
  /** TypeScript code of the handlers, recompiled. */
  readonly handlers: Level;
}

/** Input is written by clients and read by servers, output the reverse. */
export type Direction = "input" | "output";

/**
 * Four levels as letters: N none, T tolerated, S some, B breaks. For an exchange: old writer to new reader, new writer to old reader,
 * code that writes, code that reads. For a call: old clients, new clients, callers, handlers.
 */
export type Verdict = `${Letter} ${Letter} ${Letter} ${Letter}`;
type Letter = "N" | "T" | "S" | "B";

export interface Variant {
  readonly when: string;
  readonly verdict: Verdict;
  /** The only direction in which it applies. */
  readonly direction?: Direction;
}

export interface Rule {
  readonly id: string;
  /** An exchange has two directions; a call has none. */
  readonly kind: "exchange" | "call";
  /** The description, without a subject: `A required member was added.` */
  readonly title: string;
  readonly verdict: Verdict;
  /** Verdicts that apply under a condition. */
  readonly variants?: Readonly<Record<string, Variant>>;
  readonly reason: string;
  /** The behavior of a stricter peer. */
  readonly strict?: string;
  /** The rule for the opposite change; the same rule if absent. */
  readonly mirror?: string;
  /** The reason why the verdict is the worst case: the descriptions do not determine it. */
  readonly undecided?: string;
}

const levelOf: Readonly<Record<string, Level>> = { N: "none", T: "tolerated", S: "some", B: "breaks" };

/** The consequences of a verdict. The code columns are empty if the TypeScript type is unchanged. */
export function consequencesOf(
  rule: Rule,
  occurrence: {
    readonly variant?: string | undefined;
    readonly direction?: Direction | undefined;
    readonly sameCode?: boolean | undefined;
  },
): Consequences {
  const verdict =
    occurrence.variant === undefined ? rule.verdict : (rule.variants?.[occurrence.variant]?.verdict ?? rule.verdict);
  const [first = "none", second = "none", third = "none", fourth = "none"] = verdict
    .split(" ")
    .map((letter) => levelOf[letter] ?? "none");
  const code = occurrence.sameCode === true ? (["none", "none"] as const) : ([third, fourth] as const);
  if (occurrence.direction === "output") {
    return { oldClients: second, newClients: first, callers: code[1], handlers: code[0] };
  }
  return { oldClients: first, newClients: second, callers: code[0], handlers: code[1] };
}

/** The level of a change: the worst of its consequences. */
export function levelOfConsequences({ oldClients, newClients, callers, handlers }: Consequences): Level {
  return worst([oldClients, newClients, callers, handlers]);
}
