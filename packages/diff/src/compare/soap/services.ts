import { findBodyType, type Operation, type Service } from "@bothends/generator";
import type { Difference } from "../difference.js";
import { hasSameDocumentation } from "../documentation.js";
import { findProbableRenames } from "../probable-renames.js";
import { formatServiceName, type SoapSide } from "../soap-side.js";
import type { TypeComparison } from "../types/type-comparison.js";
import { compareOperations, createRecognition, type MatchedOperation } from "./operations.js";
import { findPortDifferences, findSharedProtocols } from "./ports.js";
import { createRenameRules, hasSameRequest, matchExchangedNames } from "./rename-rules.js";
import type { OperationDifferences, ServicePair } from "./report-operation.js";

/** The differences of a service, and of its operations. */
export interface ServiceDifferences {
  readonly differences: readonly Difference[];
  readonly operations: readonly OperationDifferences[];
}

/** The other services with which a service shares operations. */
export interface OtherServices {
  /** The services of the old version that were joined with the service. */
  readonly before: readonly Service[];
  /** The services of the new version that were split from the service. */
  readonly after: readonly Service[];
  /** The operations of both versions that moved from one service to another. They are compared separately. */
  readonly movedOperations: ReadonlySet<Operation>;
}

/** The operations of two versions of a service. */
interface OperationsOfServices {
  /** The operations that both versions have. */
  readonly matched: readonly MatchedOperation[];
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
  readonly alternatives: ReadonlyMap<Operation, readonly Operation[]>;
  /** The operations of services that were split from this service, or joined with it. */
  readonly splitOrJoined: { readonly before: readonly Operation[]; readonly after: readonly Operation[] };
}

/** Compares two versions of a service. */
export function compareServices(
  context: TypeComparison,
  [before, after]: readonly [before: Service, after: Service],
  otherServices: OtherServices,
): ServiceDifferences {
  const [oldPorts, newPorts] = [joinPorts(before, otherServices.before), joinPorts(after, otherServices.after)];
  const operations = matchOperationsOfServices(context, [before, after], otherServices);
  return {
    differences: [
      ...findNameDifferences(context, before, after),
      ...findPortDifferences(oldPorts, newPorts),
      ...findUnmatchedDifferences(context, operations, [before, after]),
    ],
    operations: compareMatchedOperations(context, operations, {
      services: [before, after],
      protocols: findSharedProtocols(oldPorts, newPorts),
      recognitions: [createRecognition(context.old, before), createRecognition(context.new, after)],
    }),
  };
}

/** Matches the operations of two versions of a service, except those that moved to another service. */
function matchOperationsOfServices(
  context: TypeComparison,
  [before, after]: readonly [before: Service, after: Service],
  otherServices: OtherServices,
): OperationsOfServices {
  const listOperations = (...services: readonly Service[]) =>
    services.flatMap(({ operations }) =>
      operations.filter((operation) => !otherServices.movedOperations.has(operation)),
    );
  const [oldOperations, newOperations] = [listOperations(before), listOperations(after)];
  const splitOrJoined = {
    before: listOperations(...otherServices.before),
    after: listOperations(...otherServices.after),
  };
  const { matched, removed, added, alternatives } = matchOperations(context, oldOperations, newOperations);
  return {
    matched,
    alternatives,
    removed: [...removed, ...omitNames(splitOrJoined.before, newOperations)],
    added: [...added, ...omitNames(splitOrJoined.after, oldOperations)],
    splitOrJoined,
  };
}

/** Compares the operations that both versions have. */
function compareMatchedOperations(
  context: TypeComparison,
  operations: OperationsOfServices,
  service: Omit<ServicePair, "protocolsOfParts">,
): readonly OperationDifferences[] {
  const { matched, removed, added, splitOrJoined } = operations;
  const otherOperations = [...removed, ...added, ...splitOrJoined.before, ...splitOrJoined.after];
  return [
    ...matched.map((operation) =>
      compareOperations(context, operation, {
        ...service,
        protocolsOfParts: findProtocolsOfParts(operation, otherOperations),
      }),
    ),
    ...matchSplitOperationsAtOtherPorts(operations).map((operation) =>
      compareOperations(context, operation, { ...service, protocols: new Set(), protocolsOfParts: new Set() }),
    ),
  ];
}

/** Returns the differences for the operations that only one version has. */
function findUnmatchedDifferences(
  context: TypeComparison,
  { matched, removed, added, alternatives }: OperationsOfServices,
  [before, after]: readonly [before: Service, after: Service],
): readonly Difference[] {
  const allServices = [context.old, context.new].flatMap((side) => side.interface.services);
  const formatOperation = (side: SoapSide, operation: Operation, service: Service) => {
    const { uniqueName } = operation;
    const isShared = allServices.some(
      ({ name, operations }) =>
        name !== before.name && name !== after.name && operations.some((other) => other.uniqueName === uniqueName),
    );
    const isOverloaded = service.operations.some(
      (other) => other !== operation && other.uniqueName === uniqueName && other.overload !== operation.overload,
    );
    const method = isOverloaded ? side.methods.get(operation) : undefined;
    return `${isShared ? `${service.name}.` : ""}${uniqueName}${method === undefined ? "" : ` (method ${method})`}`;
  };
  return [
    ...removed.map(
      (operation): Difference => ({
        rule: isAtOtherPort(operation, matched) ? "operations-joined" : "operation-removed",
        subject: formatOperation(context.old, operation, before),
        before: operation.uniqueName,
        counterparts: listWholeNames(operation, matched, "after"),
        operations: [operation],
        alternatives: alternatives.get(operation),
        oldSpan: operation.span,
        newSpan: findWholeOperation(operation, matched)?.after.span ?? after.span,
      }),
    ),
    ...added.map(
      (operation): Difference => ({
        rule: isAtOtherPort(operation, matched) ? "operation-split" : "operation-added",
        subject: formatOperation(context.new, operation, after),
        after: operation.uniqueName,
        counterparts: listWholeNames(operation, matched, "before"),
        operations: [operation],
        alternatives: alternatives.get(operation),
        oldSpan: findWholeOperation(operation, matched)?.before.span ?? before.span,
        newSpan: operation.span,
      }),
    ),
  ];
}

function omitNames(operations: readonly Operation[], omittedOperations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({ name }) => !omittedOperations.some((omittedOperation) => omittedOperation.name === name));
}

/** Returns the protocols of other operations with the same name, which only one version has. */
function findProtocolsOfParts(
  { before, after }: MatchedOperation,
  otherOperations: readonly Operation[],
): ReadonlySet<string> {
  const parts = otherOperations.filter(({ name }) => name === before.name || name === after.name);
  return new Set(parts.flatMap(({ bindings }) => Object.keys(bindings)));
}

/**
 * Whether an operation is only one part of a matched operation: the part that some ports bind with different messages.
 */
function isAtOtherPort(part: Operation, matched: readonly MatchedOperation[]): boolean {
  return findWholeOperation(part, matched) !== undefined;
}

/** Returns the name of the operation to which a part belongs in the given version; none if it is no part. */
function listWholeNames(
  part: Operation,
  matched: readonly MatchedOperation[],
  version: "before" | "after",
): readonly string[] {
  const whole = findWholeOperation(part, matched)?.[version];
  return whole === undefined ? [] : [whole.uniqueName];
}

/** Finds the matched operation to which the given part belongs; only some ports have this part. */
function findWholeOperation(
  { name, overload, uniqueName }: Operation,
  matched: readonly MatchedOperation[],
): MatchedOperation | undefined {
  return matched.find(({ before, after }) =>
    [before, after].some(
      (operation) => operation.name === name && operation.overload === overload && operation.uniqueName !== uniqueName,
    ),
  );
}

/**
 * Matches operations that were split or joined at only some ports. Each part is compared with the whole operation,
 * because its messages at these ports may have changed.
 */
function matchSplitOperationsAtOtherPorts({
  matched,
  removed,
  added,
  splitOrJoined,
}: OperationsOfServices): readonly MatchedOperation[] {
  const findSameName = ({ name, overload }: Operation) =>
    matched.find(({ before, after }) =>
      [before, after].every((operation) => operation.name === name && operation.overload === overload),
    );
  return [
    ...[...added, ...splitOrJoined.after].flatMap((after) => {
      const before = (findWholeOperation(after, matched) ?? findSameName(after))?.before;
      return before === undefined ? [] : [{ before, after, change: "part" as const }];
    }),
    ...[...removed, ...splitOrJoined.before].flatMap((before) => {
      const after = (findWholeOperation(before, matched) ?? findSameName(before))?.after;
      return after === undefined ? [] : [{ before, after, change: "part" as const }];
    }),
  ];
}

/** Returns a service with the ports of further services. */
function joinPorts(service: Service, otherServices: readonly Service[]): Service {
  const services = [service, ...otherServices];
  return {
    ...service,
    ports: services.flatMap(({ ports }) => ports),
    otherPorts: services.flatMap(({ otherPorts }) => otherPorts),
  };
}

/** Whether a service has the name of its port, because other ports of the `wsdl:service` have other operations. */
function isNamedAfterPort({ interface: { services } }: SoapSide, service: Service): boolean {
  return service.isNamedAfterPort === true || services.find((other) => isSameDeclaration(other, service)) !== service;
}

/** Whether two services have the same `wsdl:service` element. */
export function isSameDeclaration(left: Service, right: Service): boolean {
  return left.span.source === right.span.source && left.span.start === right.span.start;
}

function findNameDifferences(
  { old: oldSide, new: newSide }: TypeComparison,
  before: Service,
  after: Service,
): readonly Difference[] {
  const spans = { subject: after.name, oldSpan: before.span, newSpan: after.span };
  const differences: Difference[] = [];
  if (before.name !== after.name && !isNamedAfterPort(oldSide, before) && !isNamedAfterPort(newSide, after)) {
    const names = { before: formatServiceName(oldSide, before), after: formatServiceName(newSide, after) };
    const [wasKey, isKey] = [oldSide, newSide].map(({ plan }) => plan?.serviceKeys.includes(before.name));
    const variant = wasKey === true && isKey === false ? "key" : undefined;
    differences.push({ rule: "service-renamed", ...spans, subject: names.after, ...names, variant });
  }
  if (before.namespace !== after.namespace) {
    differences.push({ rule: "service-namespace-changed", ...spans, before: before.namespace, after: after.namespace });
  }
  if (!hasSameDocumentation(before, after)) {
    differences.push({ rule: "documentation-changed", ...spans });
  }
  return differences;
}

interface MatchedOperations {
  readonly matched: readonly MatchedOperation[];
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
  readonly alternatives: ReadonlyMap<Operation, readonly Operation[]>;
}

function matchOperations(
  context: TypeComparison,
  before: readonly Operation[],
  after: readonly Operation[],
): MatchedOperations {
  const matchedOverloads = [
    ...matchOverloads(context, before, after),
    ...matchExchangedNames([context.old, before], [context.new, after]).map((pair): MatchedOperation => {
      return { before: pair[0], after: pair[1], change: "operation-name-exchanged" };
    }),
  ];
  const matchedFirst = new Set(matchedOverloads.flatMap((operation) => [operation.before, operation.after]));
  const getOperationKey = ({ uniqueName, overload }: Operation) => `${uniqueName} ${overload}`;
  const isFree = (operation: Operation) => !matchedFirst.has(operation);
  const operationsByName = new Map(after.filter(isFree).map((operation) => [getOperationKey(operation), operation]));
  for (const operation of before.filter(isFree)) {
    const counterpart = operationsByName.get(getOperationKey(operation));
    if (counterpart !== undefined) {
      matchedOverloads.push({ before: operation, after: counterpart, change: undefined });
    }
  }
  const matchedOperations = new Set(matchedOverloads.flatMap((operation) => [operation.before, operation.after]));
  const isUnmatched = (operation: Operation) => !matchedOperations.has(operation);
  const [removed, added] = [before.filter(isUnmatched), after.filter(isUnmatched)];
  // A part of an operation that both versions have is not the new version of another operation.
  const isWhole = (operation: Operation) => !isAtOtherPort(operation, matchedOverloads);
  const { pairs, alternatives } = findProbableRenames(
    { removed: removed.filter(isWhole), added: added.filter(isWhole) },
    () => createRenameRules(context, before, after),
  );
  const pairedOperations = new Set(pairs.flat());
  return {
    matched: [
      ...matchedOverloads,
      ...pairs.map(
        ([left, right]): MatchedOperation => ({
          before: left,
          after: right,
          change: hasSameRequest(context, left, right) ? "operation-name-changed" : "operation-renamed",
        }),
      ),
    ],
    removed: removed.filter((operation) => !pairedOperations.has(operation)),
    added: added.filter((operation) => !pairedOperations.has(operation)),
    alternatives,
  };
}

/** Matches overloaded operations by their requests and actions, not by their order, which may change. */
function matchOverloads(
  context: TypeComparison,
  before: readonly Operation[],
  after: readonly Operation[],
): readonly MatchedOperation[] {
  const names = new Set([...before, ...after].filter(({ overload }) => overload > 1).map(({ name }) => name));
  let [oldOperations, newOperations] = [before, after].map((operations) =>
    operations.filter(({ name }) => names.has(name)),
  );
  const matchedOperations: MatchedOperation[] = [];
  const keyFunctions: readonly ((side: SoapSide, operation: Operation) => string)[] = [
    (side, operation) => `${formatRequestMembers(side, operation)} ${getAction(operation)}`,
    formatRequestMembers,
    (_, operation) => getAction(operation),
  ];
  for (const getKey of keyFunctions) {
    for (const operation of oldOperations ?? []) {
      const signature = `${operation.name} ${getKey(context.old, operation)}`;
      const candidates = (newOperations ?? []).filter(
        (other) => `${other.name} ${getKey(context.new, other)}` === signature,
      );
      const [counterpart] = candidates;
      if (counterpart !== undefined && candidates.length === 1) {
        matchedOperations.push({ before: operation, after: counterpart, change: undefined });
        oldOperations = oldOperations?.filter((other) => other !== operation);
        newOperations = newOperations?.filter((other) => other !== counterpart);
      }
    }
  }
  return matchedOperations;
}

/** Formats the names of a request's element and its members. */
function formatRequestMembers(side: SoapSide, { input: { body } }: Operation): string {
  const id = findBodyType(body) ?? "";
  const type = side.types.get(id);
  const element = body.kind === "parts" ? "" : `{${body.element.namespace}}${body.element.local}`;
  return `${element} ${type?.kind === "record" ? type.fields.map(({ key }) => key).join(" ") : id}`;
}

function getAction({ bindings }: Operation): string {
  return (bindings.soap11 ?? bindings.soap12)?.action ?? "";
}
