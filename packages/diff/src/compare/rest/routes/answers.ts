import type { Endpoint, Span } from "@bothends/generator";
import { getRule } from "../../../rules/index.js";
import { findWorstConsequences, getConsequences } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import { findSettingSpan, findSettingSpans } from "../../setting-positions.js";
import { findAnswer, type JsonComparison } from "../json-comparison.js";
import { formatType } from "../json-type-rules.js";

/**
 * Merges the differences between two answers into one difference if their cause is the setting `responses`: it names
 * the schema of another object, or only one version has a route for the entry.
 */
export function mergeReplacedAnswer(
  context: JsonComparison,
  endpoints: { readonly before: Endpoint; readonly after: Endpoint },
  differences: readonly Difference[],
): readonly Difference[] {
  const cause = findReplacedSchema(context, endpoints) ?? findUnusedEntry(context, endpoints);
  if (cause === undefined) {
    const spans = findResponseSpans(context, endpoints);
    const isOfAnswer = ({ oldSpan }: Difference) => oldSpan === endpoints.before.span;
    return differences.map((difference) => (isOfAnswer(difference) ? { ...difference, ...spans } : difference));
  }
  const contents = differences.filter(({ rule }) => rule !== "documentation-changed" && rule !== "type-renamed");
  if (contents.length === 0) {
    return [];
  }
  const oldName = getAnswerName(context, "old", endpoints.before);
  const newName = getAnswerName(context, "new", endpoints.after);
  const { oldClients, newClients, callers, handlers } = findWorstConsequences(
    contents.map((difference) => getConsequences(getRule(difference.rule), difference)),
  );
  return [
    {
      rule: "type-replaced",
      direction: "output",
      ...(oldName === newName ? {} : { before: oldName, after: newName }),
      ...cause,
      levels: [newClients, oldClients],
      codeLevels: [handlers, callers],
    },
  ];
}

interface Cause {
  readonly variant: string;
  readonly subject: string;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
}

/**
 * Finds an entry of `responses` that names the schema of another object: one of the two objects exists in both
 * versions. If neither does, an object probably has another name.
 */
function findReplacedSchema(
  context: JsonComparison,
  { before, after }: { readonly before: Endpoint; readonly after: Endpoint },
): Cause | undefined {
  const [oldEntry, newEntry] = [before.configuredAnswer, after.configuredAnswer];
  if (oldEntry === undefined || newEntry === undefined || oldEntry.schema === newEntry.schema) {
    return undefined;
  }
  const exists = (version: "old" | "new", id: string) => findAnswer(context[version], { id }) !== undefined;
  return exists("old", newEntry.schema) || exists("new", oldEntry.schema)
    ? { variant: "answer", subject: newEntry.key, oldSpan: oldEntry.span, newSpan: newEntry.span }
    : undefined;
}

/** Finds an entry of `responses` that both versions have, but that a route uses in only one version. */
function findUnusedEntry(
  context: JsonComparison,
  { before, after }: { readonly before: Endpoint; readonly after: Endpoint },
): Cause | undefined {
  const [oldEntry, newEntry] = [before.configuredAnswer, after.configuredAnswer];
  const entry = oldEntry ?? newEntry;
  if (entry === undefined || (oldEntry !== undefined && newEntry !== undefined)) {
    return undefined;
  }
  const other = oldEntry === undefined ? context.old : context.new;
  const span = findSettingSpan(other, ["responses", entry.key]);
  const isUnused = other.endpoints.every(({ configuredAnswer }) => configuredAnswer?.key !== entry.key);
  if (span === undefined || !isUnused) {
    return undefined;
  }
  return oldEntry === undefined
    ? { variant: "usedNow", subject: entry.key, oldSpan: span, newSpan: entry.span }
    : { variant: "unusedNow", subject: entry.key, oldSpan: entry.span, newSpan: span };
}

/**
 * Returns the positions of the entry of `responses` that only one version has; nothing if there is none. If each
 * version takes the answer from another entry, it is the new entry, or the old one if both versions have the new one.
 */
export function findResponseSpans(
  context: JsonComparison,
  { before, after }: { readonly before: Endpoint; readonly after: Endpoint },
): Pick<Difference, "oldSpan" | "newSpan"> {
  const [oldEntry, newEntry] = [before.configuredAnswer, after.configuredAnswer];
  const hasEntry = (version: "old" | "new", key: string) =>
    findSettingSpan(context[version], ["responses", key]) !== undefined;
  const keys = [
    ...(newEntry !== undefined && !hasEntry("old", newEntry.key) ? [newEntry.key] : []),
    ...(oldEntry !== undefined && !hasEntry("new", oldEntry.key) ? [oldEntry.key] : []),
  ];
  const [key] = keys;
  if (key === undefined) {
    return {};
  }
  const [oldSpan, newSpan] = findSettingSpans([context.old, context.new], ["responses", key]);
  return { oldSpan, newSpan };
}

/** Returns the name of the object in an answer: `any` if its type is not declared. */
export function getAnswerName(
  context: JsonComparison,
  version: "old" | "new",
  { answer, configuredAnswer }: Endpoint,
): string {
  if (answer === undefined) {
    return "any";
  }
  const type = answer.kind === "array" ? answer.items : answer;
  const id = configuredAnswer?.schema ?? (type.kind === "named" ? type.id : undefined);
  return id === undefined
    ? formatType(type)
    : (context.typeNames?.[version === "old" ? 0 : 1].get(id) ?? findAnswer(context[version], { id })?.words ?? id);
}
