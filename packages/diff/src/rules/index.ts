import { contentRules } from "./contents.js";
import { defaultRules } from "./defaults.js";
import { memberNameRules } from "./member-names.js";
import { memberRules } from "./members.js";
import { operationRules } from "./operations.js";
import { restRules } from "./rest.js";
import type { Rule } from "./rule.js";
import { serviceRules } from "./services.js";
import { typeRules } from "./types.js";
import { valueRules } from "./values.js";

/** The rules grouped by subject, in the order of the page that lists them. */
export const ruleGroups = [
  { title: "Members", rules: [...memberRules, ...memberNameRules, ...defaultRules, ...contentRules] },
  { title: "Types", rules: [...typeRules, ...valueRules] },
  { title: "Interfaces and services", rules: serviceRules },
  { title: "Operations", rules: operationRules },
  { title: "REST", rules: restRules },
] as const;

export const rules: readonly Rule[] = ruleGroups.flatMap((group): readonly Rule[] => group.rules);

/** The stable id of a rule. */
export type RuleId = (typeof ruleGroups)[number]["rules"][number]["id"];

const rulesById: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

export function getRule(id: RuleId): Rule {
  const rule = rulesById.get(id);
  if (rule === undefined) {
    throw new Error(`The diff has no rule with the id ${id}.`);
  }
  return rule;
}
