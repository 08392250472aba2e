import {
  Diagnostics,
  getPosition,
  type JsonNode,
  readSettingsDocument,
  type SourceText,
  type Span,
} from "@bothends/generator";
import type { Change } from "./change.js";
import type { ContractDiff } from "./diff-contracts.js";
import { hasSameSubject } from "./fingerprint.js";
import { omitSubject } from "./group-changes.js";
import { type Level, levels } from "./rules/rule.js";

/** The changes to accept: every change up to a level, and each change in an allow list. */
export interface Allowance {
  readonly level: Level;
  readonly allowList: readonly AllowEntry[];
}

/** The result of comparing the changes with the accepted ones. */
export interface Judgement {
  /** The changes that are not accepted. */
  readonly refusedChanges: readonly Change[];
  /** For each change that the allow list accepts, alone or with its group, the reason from the list, by fingerprint. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The entries of the allow list that match no change. */
  readonly unusedEntries: readonly UnusedEntry[];
}

/** An entry of an allow list that matches no change. */
export interface UnusedEntry extends AllowEntry {
  /**
   * Refused changes with the rule and subject of the entry's change, but with different values or consequences. For a
   * group of changes: the groups with the same rule and values.
   */
  readonly renewedChanges: readonly Pick<Change, "fingerprint" | "message">[];
}

/** Finds the changes that exceed the accepted level and are not in the allow list. */
export function judgeChanges({ changes }: ContractDiff, { level, allowList }: Allowance): Judgement {
  const reasonsByFingerprint = new Map(allowList.map(({ fingerprint, reason }) => [fingerprint, reason]));
  const reasons = new Map(
    changes.flatMap(({ fingerprint, group = "" }): readonly (readonly [string, string])[] => {
      const reason = reasonsByFingerprint.get(fingerprint) ?? reasonsByFingerprint.get(group);
      return reason === undefined ? [] : [[fingerprint, reason]];
    }),
  );
  const candidates = [
    ...changes,
    ...new Map(
      changes.flatMap((change) =>
        change.group === undefined
          ? []
          : [[change.group, { fingerprint: change.group, message: omitSubject(change) ?? change.message }] as const],
      ),
    ).values(),
  ];
  const fingerprints = new Set(candidates.map(({ fingerprint }) => fingerprint));
  return {
    refusedChanges: changes.filter(
      (change) => levels.indexOf(change.level) > levels.indexOf(level) && !reasons.has(change.fingerprint),
    ),
    reasons,
    unusedEntries: allowList
      .filter(({ fingerprint }) => !fingerprints.has(fingerprint))
      .map((entry) => ({
        ...entry,
        renewedChanges: candidates.filter(
          ({ fingerprint }) => !reasonsByFingerprint.has(fingerprint) && hasSameSubject(fingerprint, entry.fingerprint),
        ),
      })),
  };
}

/** An accepted change in an allow list, with the reason for accepting it. */
export interface AllowEntry {
  readonly fingerprint: string;
  readonly reason: string;
}

/** The entries of an allow list, or its first mistake with the position: `accepted.json:3:5: The allow list …`. */
export type AllowList =
  | { readonly kind: "list"; readonly entries: readonly AllowEntry[] }
  | { readonly kind: "problem"; readonly message: string; readonly help: string };

const exampleText =
  'An allow list looks like { "allow": [{ "fingerprint": "0123456789ab", "reason": "No client sends it." }] }';

/** Reads an allow list: a JSON object with the fingerprints of changes, each with a reason. */
export function readAllowList(source: SourceText): AllowList {
  const diagnostics = new Diagnostics();
  const document = readSettingsDocument(source, "The allow list", diagnostics);
  const [mistake] = diagnostics.all;
  if (document === undefined || mistake !== undefined) {
    const {
      span = { source, start: 0 },
      message = "The allow list cannot be read.",
      help = exampleText,
    } = mistake ?? {};
    return createProblem(span, message, help);
  }
  const list = getMember(document, "allow");
  if (list?.kind !== "array") {
    return createProblem((list ?? document).span, 'The allow list must have a list "allow".');
  }
  const entries: AllowEntry[] = [];
  for (const item of list.items) {
    const [fingerprint, reason] = [getText(item, "fingerprint"), getText(item, "reason")];
    const getSpan = (name: string) => (getMember(item, name) ?? item).span;
    if (fingerprint === undefined || !/^[0-9a-f]{12}$/.test(fingerprint)) {
      const message = 'An entry of the allow list must have a "fingerprint" of 12 hexadecimal digits.';
      return createProblem(getSpan("fingerprint"), message, "Copy the fingerprint from the report of `bothends diff`.");
    }
    if (reason === undefined || reason.trim() === "") {
      const message = `The entry ${fingerprint} of the allow list must have a "reason".`;
      return createProblem(
        getSpan("reason"),
        message,
        'Write why the change is accepted: "reason": "No client sends it."',
      );
    }
    if (entries.some((entry) => entry.fingerprint === fingerprint)) {
      const message = `Two entries of the allow list have the fingerprint ${fingerprint}.`;
      return createProblem(getSpan("fingerprint"), message, "Remove one of them.");
    }
    entries.push({ fingerprint, reason });
  }
  return { kind: "list", entries };
}

function getMember(node: JsonNode, name: string): JsonNode | undefined {
  return node.kind === "object" ? node.members.get(name)?.value : undefined;
}

function getText(node: JsonNode, name: string): string | undefined {
  const member = getMember(node, name);
  return member?.kind === "scalar" && typeof member.value === "string" ? member.value : undefined;
}

function createProblem(
  { source, start }: Pick<Span, "source" | "start">,
  message: string,
  help = exampleText,
): AllowList {
  const { line, column } = getPosition(source, start);
  return { kind: "problem", message: `${source.path}:${line}:${column}: ${message}`, help };
}
