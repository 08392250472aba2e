import type { Interface } from "@bothends/generator";
import type { Difference } from "./difference.js";
import { getConfiguredSpan } from "./setting-positions.js";

/**
 * Reports names that the option `wireNames` can set in only one version. For the other version, reports the position of
 * the interface in the configuration.
 */
export function findWireNameDifferences(before: Interface, after: Interface): readonly Difference[] {
  const [oldNames, newNames] = [before.configured?.names ?? [], after.configured?.names ?? []];
  return [
    ...listOtherNames(oldNames, newNames).map(({ name, span }): Difference => {
      const spans = { oldSpan: span, newSpan: getConfiguredSpan(after) };
      return { rule: "wire-name-removed", subject: name, before: name, ...spans };
    }),
    ...listOtherNames(newNames, oldNames).map(({ name, span }): Difference => {
      const spans = { oldSpan: getConfiguredSpan(before), newSpan: span };
      return { rule: "wire-name-added", subject: name, after: name, ...spans };
    }),
  ];
}

type ConfiguredNames = NonNullable<Interface["configured"]>["names"];

function listOtherNames(names: ConfiguredNames, otherNames: ConfiguredNames): ConfiguredNames {
  return names.filter(({ name }) => !otherNames.some((other) => other.name === name));
}
