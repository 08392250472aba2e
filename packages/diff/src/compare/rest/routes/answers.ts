import type { Endpoint } from "@bothends/generator";
import { getRule } from "../../../rules/index.js";
import { findWorstConsequences, getConsequences } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import { findAnswer, type JsonComparison } from "../json-comparison.js";

/**
 * Merges the differences between two answers into one difference if `responses` names the schema of another object: one
 * of the two objects exists in both versions. If neither does, an object probably has another name.
 */
export function mergeReplacedAnswer(
  context: JsonComparison,
  { before, after }: { readonly before: Endpoint; readonly after: Endpoint },
  differences: readonly Difference[],
): readonly Difference[] {
  const [oldEntry, newEntry] = [before.configuredAnswer, after.configuredAnswer];
  if (oldEntry === undefined || newEntry === undefined || oldEntry.schema === newEntry.schema) {
    return differences;
  }
  const exists = (version: "old" | "new", id: string) => findAnswer(context[version], { id });
  if (exists("old", newEntry.schema) === undefined && exists("new", oldEntry.schema) === undefined) {
    return differences;
  }
  const contents = differences.filter(({ rule }) => rule !== "documentation-changed" && rule !== "type-renamed");
  if (contents.length === 0) {
    return [];
  }
  const getName = (version: "old" | "new", id: string) =>
    context.typeNames?.[version === "old" ? 0 : 1].get(id) ?? exists(version, id)?.words ?? id;
  const { oldClients, newClients, callers, handlers } = findWorstConsequences(
    contents.map((difference) => getConsequences(getRule(difference.rule), difference)),
  );
  return [
    {
      rule: "type-replaced",
      variant: "answer",
      direction: "output",
      subject: newEntry.key,
      before: getName("old", oldEntry.schema),
      after: getName("new", newEntry.schema),
      oldSpan: oldEntry.span,
      newSpan: newEntry.span,
      levels: [newClients, oldClients],
      codeLevels: [handlers, callers],
    },
  ];
}
