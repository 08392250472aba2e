import type { Change } from "./change.js";
import { computeFingerprint } from "./fingerprint.js";

/** Fewer equal changes are reported one by one. */
const minGroupSize = 3;

/**
 * Adds the fingerprint of its group to each change of at least three items that is equal apart from the item: the same
 * value was added to the same argument of many routes, or many routes were removed.
 */
export function addGroups(changes: readonly Change[]): readonly Change[] {
  const groups = new Map<string, [Change, ...Change[]]>();
  for (const change of changes) {
    const key = formatGroupKey(change);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [change]);
    } else {
      group.push(change);
    }
  }
  const fingerprints = new Map(
    [...groups.values()]
      .filter((group) => new Set(group.map(({ subject }) => subject)).size >= minGroupSize)
      .flatMap((group) => {
        const fingerprint = computeFingerprintOfGroup(group);
        return group.map((change) => [change, fingerprint] as const);
      }),
  );
  return changes.map((change) => {
    const group = fingerprints.get(change);
    return group === undefined ? change : { ...change, group };
  });
}

/**
 * Returns the sentence about a change without its subject, or without the beginning of the subject if the sentence is a
 * guess about its last word: `color removed, hue added: renamed?`. Undefined if the sentence begins with neither.
 */
export function omitSubject({
  message,
  subject,
  before = "",
  after = "",
}: Pick<Change, "message" | "subject"> & Partial<Pick<Change, "before" | "after">>): string | undefined {
  if (message.startsWith(`${subject}: `)) {
    return message.slice(subject.length + 2);
  }
  const owner = after !== "" && subject.endsWith(after) ? subject.slice(0, -after.length) : "";
  return owner !== "" && message.startsWith(`${owner}${before} removed, ${after} added`)
    ? message.slice(owner.length)
    : undefined;
}

function formatGroupKey(change: Change): string {
  const { rule, direction, consequences, reason, undecided, message } = change;
  const sentence = omitSubject(change) ?? message;
  return JSON.stringify([
    change.interface,
    rule,
    direction,
    ...listValues(change),
    Object.values(consequences),
    reason,
    undecided,
    sentence,
  ]);
}

/** Returns both values of a change. A value that is the changed item itself, such as a removed route, is empty. */
function listValues({ subject, before = "", after = "" }: Change): readonly [before: string, after: string] {
  return [before === subject ? "" : before, after === subject ? "" : after];
}

/** Returns the fingerprint of a group of changes. It depends on all of them, so a further change must be accepted. */
function computeFingerprintOfGroup(group: readonly [Change, ...Change[]]): string {
  const [first] = group;
  const { rule, direction = "" } = first;
  return computeFingerprint(
    ["group", rule, direction, first.interface, ...listValues(first)],
    group.map(({ fingerprint }) => fingerprint).sort(),
  );
}
