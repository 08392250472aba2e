import type { Change, Level } from "../../src/index.js";

// The sentences of a reason are written by hand, but the consequences are often computed. Each sentence that claims an
// effect needs a consequence of this kind.

interface Effects {
  readonly oldReader: Level;
  readonly newReader: Level;
  readonly code: readonly Level[];
}

function effectsOf({ direction, consequences: { oldClients, newClients, callers, handlers } }: Change): Effects {
  const [newReader, oldReader] = direction === "output" ? [newClients, oldClients] : [oldClients, newClients];
  return { oldReader, newReader, code: [callers, handlers] };
}

const isFailure = (level: Level) => level === "some" || level === "breaks";
const refusal = "refuses|requires|does not expect|accepts no|does not understand|misses";

/** Claims in sentences without a condition, and whether the consequences confirm them. */
const claims: readonly (readonly [pattern: RegExp, isConfirmed: (effects: Effects) => boolean])[] = [
  [new RegExp(`\\bold (?:reader|server|client)\\b.*?(?:${refusal})`, "i"), ({ oldReader }) => isFailure(oldReader)],
  [new RegExp(`\\bnew (?:reader|server|client)\\b.*?(?:${refusal})`, "i"), ({ newReader }) => isFailure(newReader)],
  [/\bold reader (?:ignores|accepts|reads|misreads)\b/i, ({ oldReader }) => oldReader !== "none"],
  [/\bnew reader (?:ignores|accepts|reads|misreads)\b/i, ({ newReader }) => newReader !== "none"],
  [
    /\b(?:A reader|Each reader) (?:refuses|accepts no|misreads|ignores)/,
    (effects) => [effects.oldReader, effects.newReader].some((level) => level !== "none"),
  ],
  [/no longer compiles|does not compile|must handle|needs a branch/, ({ code }) => code.some(isFailure)],
];

// Sentences about one of several cases, and that about faults, which says that clients tolerate the change.
const condition = /\b(?:if|unless|an unknown|otherwise)\b/i;

/** Lists the sentences of a change's reason that contradict its consequences. */
export function findContradictions(change: Change): readonly string[] {
  const { rule, direction = "calls", reason, consequences, message } = change;
  const sentences = reason.split(/(?<=\.) (?=[A-Z])/).filter((sentence) => !condition.test(sentence));
  const isInFault = reason.includes("clients tolerate the change");
  const isToldOfNothing = reason === "" && !message.includes("Calls are not affected");
  const effects = effectsOf(change);
  const readers = isInFault ? ({ ...effects, oldReader: "breaks", newReader: "breaks" } as const) : effects;
  const found = sentences.filter((sentence) =>
    claims.some(([pattern, isConfirmed]) => pattern.test(sentence) && !isConfirmed(readers)),
  );
  return [...found, ...(isToldOfNothing ? ["no reason"] : [])].map(
    (sentence) => `${rule} (${direction}) ${Object.values(consequences).join(" ")}: ${sentence}`,
  );
}
