import type { RestInterface } from "@bothends/generator";
import type { Difference } from "../../difference.js";
import { findSettingSpans } from "../../setting-positions.js";
import { formatJson } from "../json-values.js";

type Base = RestInterface["base"];

/** Compares the base paths of two versions, the values of their variables, and the setting for the language. */
export function findBasePathDifferences(before: RestInterface, after: RestInterface): readonly Difference[] {
  const locate = (setting: string) => {
    const [oldSpan = before.span, newSpan = after.span] = findSettingSpans([before, after], ["base", setting]);
    return { subject: after.name, oldSpan, newSpan };
  };
  const spans = locate("language");
  const newNames = matchVariables(before.base, after.base);
  const oldBase = renameVariables(before.base, newNames);
  const differences = [...newNames].map(
    ([from, to]): Difference => ({ rule: "base-variable-renamed", ...locate("path"), before: from, after: to }),
  );
  if (oldBase.path !== after.base.path) {
    differences.push({
      rule: "base-path-changed",
      ...locate("path"),
      before: before.base.path,
      after: after.base.path,
    });
  }
  if (formatLanguage(oldBase) !== formatLanguage(after.base)) {
    const texts = { before: formatLanguage(before.base), after: formatLanguage(after.base) };
    const variant = isLanguageKept([oldBase, after.base]) ? "gained" : undefined;
    differences.push({ rule: "base-language-changed", ...spans, ...texts, variant });
  }
  return [...differences, ...findValueDifferences([oldBase, after.base], locate("values"))];
}

const variablePattern = /\{([^{}]*)\}/g;

/** Returns the new names of renamed variables. If several were renamed, their order in the path decides. */
function matchVariables(before: Base, after: Base): ReadonlyMap<string, string> {
  const listIn = ({ path }: Base) => [...new Set([...path.matchAll(variablePattern)].map(([, name = ""]) => name))];
  const [oldVariables, newVariables] = [listIn(before), listIn(after)];
  const removed = oldVariables.filter((name) => !newVariables.includes(name));
  const added = newVariables.filter((name) => !oldVariables.includes(name));
  return removed.length === added.length
    ? new Map(removed.map((name, index) => [name, added[index] ?? name]))
    : new Map();
}

function renameVariables({ path, values, language }: Base, newNames: ReadonlyMap<string, string>): Base {
  const rename = (name: string) => newNames.get(name) ?? name;
  return {
    path: path.replace(variablePattern, (_, name: string) => `{${rename(name)}}`),
    values: values.map((each) => ({ ...each, variable: rename(each.variable) })),
    language: language && {
      ...language,
      variable: language.variable === undefined ? undefined : rename(language.variable),
    },
  };
}

function formatLanguage({ language }: Base): string {
  return (
    [
      ...(language?.variable === undefined ? [] : [`variable ${language.variable}`]),
      ...(language?.argument === undefined ? [] : [`argument ${language.argument}`]),
    ].join(", ") || "none"
  );
}

/** Whether all calls that have a language in the old version have the same language in the new one. */
function isLanguageKept([before, after]: readonly [Base, Base]): boolean {
  const { variable, argument } = before.language ?? {};
  return variable === undefined && (argument === undefined || argument === after.language?.argument);
}

/** Compares the values of the variables in the base path. Clients use the first value of a variable as its default. */
function findValueDifferences(
  [before, after]: readonly [Base, Base],
  location: Pick<Difference, "subject" | "oldSpan" | "newSpan">,
): readonly Difference[] {
  const listValues = ({ values }: Base) =>
    values.flatMap((each) => each.values.map((value) => `${each.variable} ${value}`));
  const [oldTexts, newTexts] = [listValues(before), listValues(after)];
  const isKept = oldTexts.every((text) => newTexts.includes(text));
  const isOld = newTexts.every((text) => oldTexts.includes(text));
  const formatDefaults = ({ values }: Base) => values.map((each) => `${each.variable} ${each.values[0]}`).sort();
  if (isKept && isOld && formatJson(formatDefaults(before)) === formatJson(formatDefaults(after))) {
    return [];
  }
  const formatValues = ({ values }: Base) =>
    values.map((each) => `${each.variable}: ${each.values.join(", ")}`).join("; ");
  return [
    {
      rule: "base-values-changed",
      ...location,
      before: formatValues(before),
      after: formatValues(after),
      variant: isKept && isOld ? "default" : isKept ? "added" : isOld ? "removed" : undefined,
    },
  ];
}
