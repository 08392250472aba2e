export type { Side } from "./compare/sides.js";
export { type Change, type ContractDiff, diffContracts, type Move, type SourcePosition } from "./diff-contracts.js";
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
  changesMarkdown,
  changesText,
  consequenceText,
  joinDirections,
  type ReportedChange,
  shortChange,
  shortChanges,
  type TextOptions,
} from "./report.js";
export { type RuleId, ruleGroups, rules } from "./rules/index.js";
export { type Consequences, type Direction, type Level, levels, type Rule } from "./rules/rule.js";
export { rulesPage } from "./rules/rules-page.js";
export { contractSnapshot, readSnapshot } from "./snapshot.js";
