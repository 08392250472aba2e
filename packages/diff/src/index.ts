export type { Change, SourcePosition } from "./change.js";
export type { Move } from "./compare/moves.js";
export type { Side } from "./compare/side.js";
export { type ContractDiff, diffContracts } from "./diff-contracts.js";
export { omitSubject } from "./group-changes.js";
export {
  type Allowance,
  type AllowEntry,
  type AllowList,
  type Judgement,
  judgeChanges,
  readAllowList,
  type UnusedEntry,
} from "./judge.js";
export {
  formatChangesAsMarkdown,
  formatChangesAsText,
  formatConsequences,
  formatMessageOf,
  formatShortChange,
  formatShortChanges,
  groupChanges,
  joinDirections,
  listFingerprints,
  listPlaces,
  type ReportedChange,
  type ReportedGroup,
  type TextOptions,
} from "./report.js";
export { consequenceColumns, describeRule, listConsequenceRows } from "./rules/describe-rule.js";
export { type RuleId, ruleGroups, rules } from "./rules/index.js";
export { type Consequences, type Direction, type Level, levels, type Rule } from "./rules/rule.js";
export { renderRulesPage } from "./rules/rules-page.js";
export { readSnapshot, writeSnapshot } from "./snapshot.js";
