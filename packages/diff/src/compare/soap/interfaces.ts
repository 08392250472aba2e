import type { Operation, Protocol, Service } from "@bothends/generator";
import type { Difference } from "../difference.js";
import type { KnownPairs } from "../moves.js";
import { findCodeNameDifference, findImportedNameDifferences } from "../names-in-code.js";
import { findSettingSpans, getConfiguredSpan } from "../setting-positions.js";
import { matchUnique } from "../similar-names.js";
import { formatElement, formatServiceName, hasSameRepresentations, type SoapSide } from "../soap-side.js";
import { findToleranceDifferences } from "../tolerances.js";
import { compareReferences } from "../types/references.js";
import type { TypeComparison, TypePair } from "../types/type-comparison.js";
import { findWireNameDifferences } from "../wire-names.js";
import { consistsOfBinding } from "./addresses.js";
import { compareOperations, createRecognition } from "./operations.js";
import { formatLocalShape } from "./rename-rules.js";
import type { OperationDifferences } from "./report-operation.js";
import { compareServices, isSameDeclaration } from "./services.js";

/** The differences between two versions of a SOAP interface, its operations and its types. */
export interface InterfaceDifferences {
  readonly differences: readonly Difference[];
  readonly operations: readonly OperationDifferences[];
  readonly pairs: ReadonlyMap<string, TypePair>;
}

/** Compares two versions of a SOAP interface. */
export function compareSoap(oldSide: SoapSide, newSide: SoapSide, knownPairs: KnownPairs): InterfaceDifferences {
  const context: TypeComparison = {
    old: oldSide,
    new: newSide,
    hasSameRepresentations: hasSameRepresentations(oldSide, newSide),
    unchangedSimpleTypes: new Map(),
    valueDifferences: new Map(),
    equalTypes: new Map(),
    replacementLevels: new Map(),
    pairs: new Map(),
    compare: compareReferences,
  };
  const differences: Difference[] = [];
  const operations: OperationDifferences[] = [];
  const matchedPairs = matchServices(oldSide.interface.services, newSide.interface.services);
  const splitServices = findSplitOrJoinedServices(matchedPairs, newSide.interface.services, "after");
  const joinedServices = findSplitOrJoinedServices(matchedPairs, oldSide.interface.services, "before");
  const findServices = (services: ReadonlyMap<Service, MatchedServices[number]>, pair: MatchedServices[number]) =>
    [...services].flatMap(([service, comparison]) => (comparison === pair ? [service] : []));
  const pairsByService = new Map([
    ...matchedPairs.flatMap((pair) => pair.map((service) => [service, pair] as const)),
    ...splitServices,
    ...joinedServices,
  ]);
  const services = [oldSide.interface.services, newSide.interface.services] as const;
  const knownMoves = listKnownMoves(services, knownPairs);
  const moves = [...knownMoves, ...matchMovedOperations([oldSide, newSide], pairsByService, knownMoves)];
  const movedOperations = new Set(moves.flat().map(({ operation }) => operation));
  for (const pair of matchedPairs) {
    const otherServices = {
      before: findServices(joinedServices, pair),
      after: findServices(splitServices, pair),
      movedOperations,
    };
    const comparison = compareServices(context, pair, otherServices);
    differences.push(...comparison.differences);
    operations.push(...comparison.operations);
  }
  for (const [before, after] of moves) {
    const isRenamed = before.operation.name !== after.operation.name;
    differences.push(...(isRenamed ? [] : [createMoveDifference(context, before, after)]));
    const change = isRenamed ? "operation-renamed" : undefined;
    const pair = { before: before.operation, after: after.operation, change } as const;
    const recognitions = [
      createRecognition(oldSide, before.service),
      createRecognition(newSide, after.service),
    ] as const;
    const services = [before.service, after.service] as const;
    const protocols = { protocols: new Set<Protocol>(), protocolsOfParts: new Set<string>() };
    operations.push(compareOperations(context, pair, { services, ...protocols, recognitions }));
  }
  const splitsAndJoins = [
    ...[...splitServices].map(([other, pair]) => ["service-split", pair, [pair[1], other], newSide] as const),
    ...[...joinedServices].map(([other, pair]) => ["services-joined", pair, [pair[0], other], oldSide] as const),
  ];
  for (const [rule, [before, after], services, side] of splitsAndJoins) {
    const counterparts = services.map((service) => formatServiceName(side, service));
    const spans = { oldSpan: before.span, newSpan: after.span };
    differences.push({ rule, subject: formatServiceName(newSide, after), ...spans, counterparts });
  }
  // If all operations of a service moved to other services, each of them is reported instead of the service.
  const isUnmatched = (service: Service) =>
    !pairsByService.has(service) &&
    (service.operations.length === 0 || service.operations.some((operation) => !movedOperations.has(operation)));
  for (const service of oldSide.interface.services.filter(isUnmatched)) {
    const name = formatServiceName(oldSide, service);
    const variant = consistsOfBinding(service) ? "binding" : undefined;
    const newSpan = findSibling(newSide, service)?.span;
    differences.push({ rule: "service-removed", subject: name, before: name, oldSpan: service.span, newSpan, variant });
  }
  for (const service of newSide.interface.services.filter(isUnmatched)) {
    const isSecond = oldSide.plan?.hasFacade === false;
    const bindingVariant = isSecond ? "secondBinding" : "binding";
    const variant = consistsOfBinding(service) ? bindingVariant : isSecond ? "second" : undefined;
    const name = formatServiceName(newSide, service);
    const oldSpan = findSibling(oldSide, service)?.span;
    differences.push({ rule: "service-added", subject: name, after: name, oldSpan, newSpan: service.span, variant });
  }
  differences.push(...findSettingDifferences(oldSide, newSide), ...findCodeNameDifferences(context, matchedPairs));
  return { differences, operations, pairs: context.pairs };
}

/** Finds a service of the other version in the same file as a service; if there is none, in any file. */
function findSibling({ interface: { services } }: SoapSide, { file }: Service): Service | undefined {
  return services.find((candidate) => candidate.file === file) ?? services[0];
}

/**
 * Finds services that exist in only one version, because the ports of a service are divided among several services in
 * that version: a `wsdl:service` whose ports have different operations, or several `wsdl:service` elements. Maps each
 * of these services to the matched services that have its ports in the other version.
 */
function findSplitOrJoinedServices(
  matchedPairs: MatchedServices,
  services: readonly Service[],
  version: "before" | "after",
): ReadonlyMap<Service, MatchedServices[number]> {
  const matchedServices = new Set(matchedPairs.flat());
  const counterparts = new Map<Service, MatchedServices[number]>();
  for (const service of services.filter((candidate) => !matchedServices.has(candidate))) {
    const pair = matchedPairs.find(([before, after]) => {
      const [matchedService, counterpart] = version === "after" ? [after, before] : [before, after];
      // Two ports of one protocol have different addresses, so a port with a new address replaces none of the others.
      return isSameDeclaration(matchedService, service)
        ? service.ports.some(
            ({ protocol, address }) =>
              hasProtocol(counterpart, protocol) &&
              (!hasProtocol(matchedService, protocol) || counterpart.ports.some((port) => port.address === address)),
          )
        : hasPorts(counterpart, service) && !hasPorts(matchedService, service);
    });
    if (pair !== undefined) {
      counterparts.set(service, pair);
    }
  }
  return counterparts;
}

/** Whether a service has the operations and the ports of another service, with the same addresses. */
function hasPorts(service: Service, { ports, operations }: Service): boolean {
  return (
    ports.every(({ protocol, address }) =>
      service.ports.some((port) => port.protocol === protocol && port.address === address && address !== undefined),
    ) && operations.every(({ name }) => service.operations.some((operation) => operation.name === name))
  );
}

function hasProtocol({ ports }: Service, protocol: string): boolean {
  return ports.some((port) => port.protocol === protocol);
}

type MatchedServices = readonly (readonly [before: Service, after: Service])[];

/**
 * Matches the services of both versions: first those with the same name that share operations, then those that share
 * the most operations, and finally those that share only the name. If two candidates share equally many operations, an
 * equal address decides, then an equal port.
 */
function matchServices(before: readonly Service[], after: readonly Service[]): MatchedServices {
  const candidates = before.flatMap((left, oldIndex) =>
    after.map((right, newIndex) => ({
      pair: [left, right] as const,
      ranks: [...rankServices(left, right), -oldIndex - newIndex],
      oldIndex,
    })),
  );
  const isCandidate = ({ pair: [left, right] }: (typeof candidates)[number]) =>
    left.name === right.name || countShared(left, right, ({ operations }) => operations.map(({ name }) => name)) > 0;
  const matchedServices = new Map<Service, (typeof candidates)[number]>();
  for (const candidate of candidates.filter(isCandidate).sort((left, right) => compareRanks(right, left))) {
    if (!candidate.pair.some((service) => matchedServices.has(service))) {
      matchedServices.set(candidate.pair[0], candidate).set(candidate.pair[1], candidate);
    }
  }
  return [...new Set(matchedServices.values())]
    .sort((left, right) => left.oldIndex - right.oldIndex)
    .map(({ pair }) => pair);
}

/** Returns how alike two services are, the most important number first. Both orders of services give the same. */
function rankServices(left: Service, right: Service): readonly number[] {
  const operationCount = countShared(left, right, ({ operations }) => operations.map(({ name }) => name));
  const hasSameName = left.name === right.name && operationCount > 0;
  return [
    hasSameName ? 1 : 0,
    hasSameName && left.namespace === right.namespace ? 1 : 0,
    operationCount,
    countShared(left, right, ({ ports }) => ports.flatMap(({ address }) => address ?? [])),
    countShared(left, right, ({ ports }) => ports.map(({ name, protocol }) => `${protocol} ${name}`)),
    left.namespace === right.namespace ? 1 : 0,
    left.file === right.file ? 1 : 0,
  ];
}

function countShared(left: Service, right: Service, list: (service: Service) => readonly string[]): number {
  const items = new Set(list(left));
  return new Set(list(right).filter((item) => items.has(item))).size;
}

function compareRanks({ ranks }: Ranked, { ranks: otherRanks }: Ranked): number {
  const index = ranks.findIndex((rank, position) => rank !== otherRanks[position]);
  return (ranks[index] ?? 0) - (otherRanks[index] ?? 0);
}

interface Ranked {
  readonly ranks: readonly number[];
}

/** An operation and its service. */
interface OperationOfService {
  readonly service: Service;
  readonly operation: Operation;
}

type MovedOperation = readonly [before: OperationOfService, after: OperationOfService];

/** Returns the operations in `knownPairs` with their services. */
function listKnownMoves(
  [before, after]: readonly [before: readonly Service[], after: readonly Service[]],
  knownPairs: KnownPairs,
): readonly MovedOperation[] {
  const newOperations = listOperationsOfServices(after);
  return listOperationsOfServices(before)
    .filter(({ operation }) => knownPairs.has(operation))
    .flatMap((item): readonly MovedOperation[] => {
      const counterpart = newOperations.find(({ operation }) => operation === knownPairs.get(item.operation));
      return counterpart === undefined ? [] : [[item, counterpart]];
    });
}

function listOperationsOfServices(services: readonly Service[]): readonly OperationOfService[] {
  return services.flatMap((service) => service.operations.map((operation) => ({ service, operation })));
}

/**
 * Matches the operations that moved to another service, except those with a known move. Both versions of an operation
 * must have the same name and the same bodies of messages, apart from namespaces, and no other candidate.
 * `pairsByService` contains each service that both versions have.
 */
function matchMovedOperations(
  sides: readonly [before: SoapSide, after: SoapSide],
  pairsByService: ReadonlyMap<Service, MatchedServices[number]>,
  knownMoves: readonly MovedOperation[],
): readonly MovedOperation[] {
  const knownOperations = new Set(knownMoves.flat().map(({ operation }) => operation));
  const listMissing = (services: readonly Service[], otherServices: readonly Service[]) =>
    services.flatMap((service): readonly OperationOfService[] => {
      const pair = pairsByService.get(service);
      const counterparts = otherServices.filter((other) => pair !== undefined && pairsByService.get(other) === pair);
      const names = new Set(counterparts.flatMap(({ operations }) => operations.map(({ name }) => name)));
      return service.operations
        .filter((operation) => !names.has(operation.name) && !knownOperations.has(operation))
        .map((operation) => ({ service, operation }));
    });
  const [oldSide, newSide] = sides;
  const [before, after] = sides.map((side) => side.interface.services) as [readonly Service[], readonly Service[]];
  const formatBodies = ({ input, output }: Operation) => JSON.stringify([input.body, output?.body]);
  return matchUnique(
    [listMissing(before, after), listMissing(after, before)],
    [
      ({ operation: left }, { operation: right }) =>
        left.name === right.name && formatBodies(left) === formatBodies(right),
      ({ operation: left }, { operation: right }) =>
        left.name === right.name && formatLocalShape(oldSide, left) === formatLocalShape(newSide, right),
    ],
  );
}

function createMoveDifference(
  { old: oldSide, new: newSide }: TypeComparison,
  before: OperationOfService,
  after: OperationOfService,
): Difference {
  return {
    rule: "operation-moved",
    subject: after.operation.uniqueName,
    before: formatServiceName(oldSide, before.service),
    after: formatServiceName(newSide, after.service),
    namespaces: [before.service.namespace, after.service.namespace],
    operations: [after.operation],
    oldSpan: before.operation.span,
    newSpan: after.operation.span,
  };
}

function findSettingDifferences(oldSide: SoapSide, newSide: SoapSide): readonly Difference[] {
  const [before, after] = [oldSide.interface, newSide.interface];
  const locate = (...path: readonly string[]) => {
    const [oldSpan, newSpan] = findSettingSpans([before, after], path);
    return { oldSpan: oldSpan ?? before.services[0]?.span, newSpan: newSpan ?? after.services[0]?.span };
  };
  const conventionDifference: Difference = {
    rule: "conventions-changed",
    subject: after.name,
    before: before.conventions,
    after: after.conventions,
    ...locate("conventions"),
  };
  return [
    ...(before.conventions === after.conventions ? [] : [conventionDifference]),
    ...findToleranceDifferences(before, after).map((difference) => ({ ...difference, ...locate("tolerate") })),
    ...findWireNameDifferences(before, after),
    ...before.ambient
      .filter((name) => !after.ambient.includes(name))
      .map(
        (name): Difference => ({ rule: "ambient-removed", subject: name, before: name, ...locate("ambient", name) }),
      ),
    ...after.ambient
      .filter((name) => !before.ambient.includes(name))
      .map((name): Difference => ({ rule: "ambient-added", subject: name, after: name, ...locate("ambient", name) })),
  ];
}

/** Reports names of classes, functions, members and types that changed in generated code but not in messages. */
function findCodeNameDifferences(
  { old: oldSide, new: newSide }: TypeComparison,
  services: readonly (readonly [before: Service, after: Service])[],
): readonly Difference[] {
  if (oldSide.plan === undefined || newSide.plan === undefined) {
    return [];
  }
  const [oldInterface, newInterface] = [oldSide.plan, newSide.plan];
  const [oldSpan, newSpan] = [oldSide, newSide].map(({ interface: version }, side) =>
    oldSide.interface.name === newSide.interface.name
      ? services[0]?.[side === 0 ? 0 : 1].span
      : (getConfiguredSpan(version) ?? version.services[0]?.span),
  );
  const spans = { oldSpan, newSpan };
  // If a second service was added, an old name of the interface can now belong to one service. The name then still
  // exists, so the variant "kept" applies.
  const serviceNames = new Set(
    services.flatMap(([, after]) => {
      const plan = findServicePlan(newSide, after);
      return plan === undefined ? [] : [plan.client, plan.handlers, plan.routes];
    }),
  );
  const [oldTypes, newTypes] = [oldInterface.types, newInterface.types];
  // Equal types in several namespaces share one name in generated code. If they are no longer equal, only one of them
  // keeps the name.
  const keptNames = new Set([...newTypes].flatMap(([id, { name }]) => (oldTypes.get(id)?.name === name ? [name] : [])));
  return [
    ...findImportedNameDifferences([oldInterface, newInterface], spans).map((difference) =>
      serviceNames.has(difference.before ?? "") ? { ...difference, variant: "kept" } : difference,
    ),
    ...findAccessDifference([oldSide, newSide], services, serviceNames.has(oldInterface.client)),
    ...services.flatMap(([before, after]) => {
      const [oldPlan, newPlan] = [findServicePlan(oldSide, before), findServicePlan(newSide, after)];
      const details = { oldSpan: before.span, newSpan: after.span };
      const members = oldInterface.hasFacade && newInterface.hasFacade ? [oldPlan?.member, newPlan?.member] : [];
      return [
        ...findImportedNameDifferences([oldPlan, newPlan], details),
        ...findCodeNameDifference([formatMember(members[0]), formatMember(members[1])], {
          ...details,
          variant: "service",
        }),
      ];
    }),
    ...newSide.interface.types.flatMap(({ id, span }) => {
      const [before, after] = [oldTypes.get(id), newTypes.get(id)];
      if (before?.isInline !== false || after?.isInline !== false) {
        return [];
      }
      const variant = keptNames.has(before.name) ? "kept" : undefined;
      const details = { oldSpan: oldSide.types.get(id)?.span, newSpan: span, variant };
      return findCodeNameDifference([before.name, after.name], details);
    }),
    ...oldInterface.faults.flatMap(({ name, fault }) => {
      const sameFaults = newInterface.faults.filter((plan) => formatElement(plan.fault) === formatElement(fault));
      const isSame = (plan: (typeof sameFaults)[number]) => plan.name === name;
      const [newFault] = sameFaults.some(isSame) ? [] : sameFaults;
      return findCodeNameDifference([name, newFault?.name], { oldSpan: fault.span, newSpan: newFault?.fault.span });
    }),
  ];
}

function findServicePlan({ plan }: SoapSide, service: Service) {
  return plan?.services.find((servicePlan) => servicePlan.service === service);
}

function formatMember(member: string | undefined): string | undefined {
  return member === undefined ? undefined : `client.${member}`;
}

/**
 * Reports that callers access operations in another way: the client class of an interface with several services has a
 * member for each service, but that of a single service has the operations as methods.
 */
function findAccessDifference(
  [oldSide, newSide]: readonly [SoapSide, SoapSide],
  services: MatchedServices,
  isOldClassKept: boolean,
): readonly Difference[] {
  if (oldSide.plan?.hasFacade === newSide.plan?.hasFacade) {
    return [];
  }
  const formatAccess = ({ plan }: SoapSide, member: string, method: string) =>
    plan?.hasFacade === true ? `client.${member}.${method}` : `client.${method}`;
  const differences = services.flatMap(([before, after]): readonly Difference[] => {
    const [oldPlan, newPlan] = [findServicePlan(oldSide, before), findServicePlan(newSide, after)];
    const shared = oldPlan?.operations.find(({ method }) =>
      newPlan?.operations.some((other) => other.method === method),
    );
    if (oldPlan === undefined || newPlan === undefined || shared === undefined) {
      return [];
    }
    return [
      {
        rule: "name-in-code-changed",
        variant: isOldClassKept ? "accessKept" : "access",
        subject: newSide.plan?.client ?? newPlan.client,
        before: formatAccess(oldSide, oldPlan.member, shared.method),
        after: formatAccess(newSide, newPlan.member, shared.method),
        oldSpan: before.span,
        newSpan: after.span,
      },
    ];
  });
  return differences.slice(0, 1);
}
