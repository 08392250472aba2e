import { type Change, type ContractDiff, hasSameSubject } from "./diff-contracts.js";
import { type Level, levels } from "./rules/rule.js";

/** The changes to accept: all changes up to a level, and the changes in an allow list. */
export interface Allowance {
  readonly level: Level;
  readonly allowList: readonly AllowEntry[];
}

/** The result of comparing the changes with the accepted ones. */
export interface Judgement {
  /** The changes that are not accepted. */
  readonly refusedChanges: readonly Change[];
  /** The reasons for changes that the list accepts, by fingerprint. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The entries of the list that match no change. */
  readonly unusedEntries: readonly UnusedEntry[];
}

/** An entry of an allow list that matches no change. */
export interface UnusedEntry extends AllowEntry {
  /** Changes that no entry accepts and that have the rule and the subject of the entry's change, but other values or consequences. */
  readonly renewedChanges: readonly Change[];
}

/** Finds the changes that are neither within the accepted level nor in the allow list. */
export function judgeChanges({ changes }: ContractDiff, { level, allowList }: Allowance): Judgement {
  const reasonsByFingerprint = new Map(allowList.map(({ fingerprint, reason }) => [fingerprint, reason]));
  const fingerprints = new Set(changes.map(({ fingerprint }) => fingerprint));
  const isRefused = (change: Change) =>
    levels.indexOf(change.level) > levels.indexOf(level) && !reasonsByFingerprint.has(change.fingerprint);
  return {
    refusedChanges: changes.filter(isRefused),
    reasons: new Map([...reasonsByFingerprint].filter(([fingerprint]) => fingerprints.has(fingerprint))),
    unusedEntries: allowList
      .filter(({ fingerprint }) => !fingerprints.has(fingerprint))
      .map((entry) => ({
        ...entry,
        renewedChanges: changes.filter(
          ({ fingerprint }) => !reasonsByFingerprint.has(fingerprint) && hasSameSubject(fingerprint, entry.fingerprint),
        ),
      })),
  };
}

/** An entry of an allow list: an accepted change, with the reason. */
export interface AllowEntry {
  readonly fingerprint: string;
  readonly reason: string;
}

/** The entries of an allow list, or the reason why it is refused. */
export type AllowList =
  | { readonly kind: "list"; readonly entries: readonly AllowEntry[] }
  | { readonly kind: "problem"; readonly message: string };

const example = '{ "allow": [{ "fingerprint": "0123456789ab", "reason": "No client sends it." }] }';

/** Reads an allow list: a JSON object with the fingerprints of changes, each with a reason. */
export function readAllowList(text: string): AllowList {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return createProblem(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const list = getMember(value, "allow");
  if (!Array.isArray(list)) {
    return createProblem('it has no list "allow"');
  }
  const entries: AllowEntry[] = [];
  for (const [index, entry] of list.entries()) {
    const [fingerprint, reason] = [getMember(entry, "fingerprint"), getMember(entry, "reason")];
    if (typeof fingerprint !== "string" || !/^[0-9a-f]{12}$/.test(fingerprint)) {
      return createProblem(`entry ${index + 1} has no "fingerprint" of 12 hexadecimal digits`);
    }
    if (typeof reason !== "string" || reason.trim() === "") {
      return createProblem(`entry ${index + 1} (${fingerprint}) has no "reason"`);
    }
    if (entries.some((entry) => entry.fingerprint === fingerprint)) {
      return createProblem(`two entries have the fingerprint ${fingerprint}`);
    }
    entries.push({ fingerprint, reason });
  }
  return { kind: "list", entries };
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function createProblem(message: string): AllowList {
  return { kind: "problem", message: `${message}. An allow list looks like ${example}` };
}
