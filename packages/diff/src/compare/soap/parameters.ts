import { findBodyType, hasRequiredMembers, type Operation, type Service } from "@bothends/generator";
import type { Difference } from "../difference.js";
import { getConfiguredSpan } from "../setting-positions.js";
import type { SoapSide } from "../soap-side.js";
import type { InterfaceDifferences } from "./interfaces.js";
import type { OperationDifferences } from "./report-operation.js";

type Sides = readonly [before: SoapSide, after: SoapSide];

/**
 * Adds the differences in the parameters of methods and client classes: whether calls can omit the input, and whether
 * clients can be created without options.
 */
export function addParameterDifferences(sides: Sides, comparison: InterfaceDifferences): InterfaceDifferences {
  const inputs = [listOptionalInputs(sides[0]), listOptionalInputs(sides[1])] as const;
  const changedOperations = comparison.operations.filter((operation) => isInputChanged(sides, inputs, operation));
  const isExplained = (operation: OperationDifferences) =>
    comparison.differences.some((difference) => isOptionOf(sides, difference, operation));
  const differences = comparison.differences.map((difference): Difference => {
    const callable = changedOperations.filter((operation) => isOptionOf(sides, difference, operation));
    return difference.rule === "ambient-added" && callable.length > 0
      ? { ...difference, variant: "input", operations: callable.map(({ after }) => after) }
      : difference;
  });
  const inputDifferences = changedOperations
    .filter((operation) => !isExplained(operation))
    .map(({ before, after }): Difference => {
      const rule = inputs[1].has(after) ? "input-became-optional" : "input-became-required";
      const spans = { oldSpan: before.span, newSpan: after.span };
      return { rule, subject: after.uniqueName, operations: [after], ...spans };
    });
  return {
    ...comparison,
    differences: [...differences, ...inputDifferences, ...findOptionDifferences(sides, differences)],
  };
}

/**
 * Whether only calls of one version can omit the input of a method. If the input of the other version must have
 * members, that change is reported for the members.
 */
function isInputChanged(
  [oldSide, newSide]: Sides,
  [oldInputs, newInputs]: readonly [ReadonlySet<Operation>, ReadonlySet<Operation>],
  { before, after }: OperationDifferences,
): boolean {
  const [wasOptional, isOptional] = [oldInputs.has(before), newInputs.has(after)];
  const hasMethods = oldSide.methods.has(before) && newSide.methods.has(after);
  return (
    hasMethods &&
    oldSide.methods.get(before) === newSide.methods.get(after) &&
    wasOptional !== isOptional &&
    !(wasOptional ? hasRequiredMembers(after, newSide.types) : hasRequiredMembers(before, oldSide.types))
  );
}

/** Returns the operations whose calls can omit the input. */
function listOptionalInputs({ plan }: SoapSide): ReadonlySet<Operation> {
  const operations = plan?.services.flatMap((service) => service.operations) ?? [];
  return new Set(operations.flatMap(({ operation, isInputOptional }) => (isInputOptional ? [operation] : [])));
}

/** Whether a difference says that a member of an operation's input became an option of the client, or the reverse. */
function isOptionOf(
  [oldSide, newSide]: Sides,
  { rule, subject }: Difference,
  { before, after }: OperationDifferences,
): boolean {
  return (
    (rule === "ambient-added" && listMembers(newSide, after).includes(subject)) ||
    (rule === "ambient-removed" && listMembers(oldSide, before).includes(subject))
  );
}

function listMembers({ types }: SoapSide, { input }: Operation): readonly string[] {
  const type = types.get(findBodyType(input.body) ?? "");
  return type?.kind === "record" ? type.fields.map(({ key }) => key) : [];
}

/**
 * Reports that only clients of one version can be created without options, because a service of the other version has
 * no address. Reports nothing if the address of a service that both versions have explains it.
 */
function findOptionDifferences([oldSide, newSide]: Sides, differences: readonly Difference[]): readonly Difference[] {
  const [wasOptional, isOptional] = [oldSide.plan?.hasAddresses, newSide.plan?.hasAddresses];
  const addressRule = isOptional ? "address-added" : "address-removed";
  const isReported = differences.some(({ rule, variant }) => rule === addressRule && variant !== "other");
  if (wasOptional === undefined || isOptional === undefined || wasOptional === isOptional || isReported) {
    return [];
  }
  const subject = newSide.interface.name;
  const names = listServicesWithoutAddress(isOptional ? oldSide : newSide).map(({ name }) => name);
  const [oldSpan, newSpan] = [oldSide, newSide].map(
    (side) =>
      listServicesWithoutAddress(side)[0]?.span ??
      getConfiguredSpan(side.interface) ??
      side.interface.services[0]?.span,
  );
  return isOptional
    ? [{ rule: "client-options-became-optional", subject, before: names.join(", "), oldSpan, newSpan }]
    : [{ rule: "client-options-became-required", subject, after: names.join(", "), oldSpan, newSpan }];
}

function listServicesWithoutAddress({ plan }: SoapSide): readonly Service[] {
  return (plan?.services ?? []).flatMap(({ service, hasAddress }) => (hasAddress ? [] : [service]));
}
