import type { Change, ContractDiff } from "../change.js";
import { type Level, levels } from "../rules/rule.js";
import type { AllowEntry } from "./allow-list.js";

/** What is accepted: changes up to a level, and those that a list names. */
export interface Allowance {
  readonly level: Level;
  readonly list: readonly AllowEntry[];
}

/** Which changes go beyond what is accepted. */
export interface Judgement {
  readonly beyond: readonly Change[];
  /** The reasons of the changes that the list accepts, by fingerprint. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The entries of the list that match no change. */
  readonly unused: readonly AllowEntry[];
}

/** Compares the changes with what is accepted. */
export function judge({ changes }: ContractDiff, { level, list }: Allowance): Judgement {
  const listed = new Map(list.map(({ fingerprint, reason }) => [fingerprint, reason]));
  const found = new Set(changes.map(({ fingerprint }) => fingerprint));
  const isBeyond = (change: Change) =>
    levels.indexOf(change.level) > levels.indexOf(level) && !listed.has(change.fingerprint);
  return {
    beyond: changes.filter(isBeyond),
    reasons: new Map([...listed].filter(([fingerprint]) => found.has(fingerprint))),
    unused: list.filter(({ fingerprint }) => !found.has(fingerprint)),
  };
}
