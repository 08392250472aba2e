export type { Change, ContractDiff, SourcePlace } from "./change.js";
export type { Side } from "./compare/sides.js";
export { diffContracts } from "./diff-contracts.js";
export { type RuleId, ruleGroups, rules } from "./rules/index.js";
export type { Consequences, Direction, Level, Rule } from "./rules/rule.js";
export { rulesPage } from "./rules/rules-page.js";
