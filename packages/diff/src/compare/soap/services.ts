import type { Operation, Port, Protocol, Service, TypeReference } from "@bothends/generator";
import type { Difference, OperationDifferences, SoapSide, TypeComparison } from "../sides.js";
import { isSimilarName } from "../similar-names.js";
import { compareOperations, type MatchedOperation } from "./operations.js";

export interface ServiceDifferences {
  readonly differences: readonly Difference[];
  readonly operations: readonly OperationDifferences[];
}

/** The operations of services that only one state has, because they were split from a service or joined with it. */
export interface ElsewhereOperations {
  readonly before: readonly Operation[];
  readonly after: readonly Operation[];
}

/** Compares two states of a service. */
export function compareServices(
  context: TypeComparison,
  [before, after]: readonly [before: Service, after: Service],
  elsewhereOperations: ElsewhereOperations,
): ServiceDifferences {
  const [oldPorts, newPorts] = [portsOf(context.old, before), portsOf(context.new, after)];
  const { matched, ...unmatched } = matchOperations(context, before, after);
  const removed = [...unmatched.removed, ...omitNames(elsewhereOperations.before, after.operations)];
  const added = [...unmatched.added, ...omitNames(elsewhereOperations.after, before.operations)];
  const [oldProtocols, newProtocols] = [protocolsOf({ ports: oldPorts }), protocolsOf({ ports: newPorts })];
  const protocols = new Set([...oldProtocols.keys()].filter((protocol) => newProtocols.has(protocol)));
  const compared = [
    ...matched.map((operation) =>
      compareOperations(
        context,
        operation,
        sharedProtocols(operation, protocols, [removed, added, elsewhereOperations.before, elsewhereOperations.after]),
      ),
    ),
    ...partsAtOtherPorts({ matched, removed, added, elsewhereOperations }).map((operation) =>
      compareOperations(context, operation, new Set()),
    ),
  ];
  return {
    differences: [
      ...nameDifferences(before, after),
      ...portDifferences({ ...before, ports: oldPorts }, { ...after, ports: newPorts }),
      ...otherPortDifferences(before, after),
      ...policyDifferences(before, after),
      ...removed.map(
        (operation): Difference => ({
          rule: isAtOtherPort(operation, matched) ? "operations-joined" : "operation-removed",
          subject: operation.uniqueName,
          before: operation.uniqueName,
          operations: [operation],
          oldSpan: operation.span,
          newSpan: after.span,
        }),
      ),
      ...added.map(
        (operation): Difference => ({
          rule: isAtOtherPort(operation, matched) ? "operation-split" : "operation-added",
          subject: operation.uniqueName,
          after: operation.uniqueName,
          operations: [operation],
          oldSpan: before.span,
          newSpan: operation.span,
        }),
      ),
    ],
    operations: compared,
  };
}

function omitNames(operations: readonly Operation[], omittedOperations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({ name }) => !omittedOperations.some((each) => each.name === name));
}

/** Leaves out the protocols that have moved to another operation with the same name: on the wire, they were not removed. */
function sharedProtocols(
  { before, after }: MatchedOperation,
  protocols: ReadonlySet<string>,
  otherOperations: readonly (readonly Operation[])[],
): ReadonlySet<string> {
  const parts = otherOperations.flat().filter(({ name }) => name === before.name || name === after.name);
  return new Set([...protocols].filter((protocol) => !parts.some(({ bindings }) => protocol in bindings)));
}

/** Whether an operation is part of a matched operation: some ports bind it with different messages. */
function isAtOtherPort(part: Operation, matched: readonly MatchedOperation[]): boolean {
  return wholeOf(part, matched) !== undefined;
}

/** Finds the matched operation to which an operation belongs that only some ports have. */
function wholeOf(
  { name, overload, uniqueName }: Operation,
  matched: readonly MatchedOperation[],
): MatchedOperation | undefined {
  return matched.find(
    ({ before, after }) =>
      [before, after].some(
        (each) => each.name === name && each.overload === overload && each.uniqueName !== uniqueName,
      ) && before.name === after.name,
  );
}

/** The operations in both states of a service, and those that were split from them, or joined with them, at other ports. */
interface SplitOperations {
  readonly matched: readonly MatchedOperation[];
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
  readonly elsewhereOperations: ElsewhereOperations;
}

/**
 * Matches operations that were split from an operation at some SOAP ports, or joined with it: their messages may have changed at
 * these ports.
 */
function partsAtOtherPorts({
  matched,
  removed,
  added,
  elsewhereOperations,
}: SplitOperations): readonly MatchedOperation[] {
  const isSoap = ({ bindings }: Operation) => Object.keys(bindings).every((each) => each.startsWith("soap"));
  const namesake = ({ name, overload }: Operation) =>
    matched.find(({ before, after }) =>
      [before, after].every((each) => each.name === name && each.overload === overload),
    );
  return [
    ...[...added, ...elsewhereOperations.after].filter(isSoap).flatMap((after) => {
      const before = (wholeOf(after, matched) ?? namesake(after))?.before;
      return before === undefined ? [] : [{ before, after, change: "part" as const }];
    }),
    ...[...removed, ...elsewhereOperations.before].filter(isSoap).flatMap((before) => {
      const after = (wholeOf(before, matched) ?? namesake(before))?.after;
      return after === undefined ? [] : [{ before, after, change: "part" as const }];
    }),
  ];
}

/** The ports of a service, and those of the services split from the same `wsdl:service`. */
function portsOf({ interface: { services } }: SoapSide, service: Service): readonly Port[] {
  const { source, start } = service.span;
  return services
    .filter(({ span }) => span.source === source && span.start === start)
    .flatMap(({ ports, otherPorts }) => [...ports, ...otherPorts]);
}

function nameDifferences(before: Service, after: Service): readonly Difference[] {
  const spans = { subject: after.name, oldSpan: before.span, newSpan: after.span };
  const differences: Difference[] = [];
  if (before.name !== after.name) {
    differences.push({ rule: "service-renamed", ...spans, before: before.name, after: after.name });
  }
  if (before.namespace !== after.namespace) {
    differences.push({ rule: "service-namespace-changed", ...spans, before: before.namespace, after: after.namespace });
  }
  if (before.documentation !== after.documentation) {
    differences.push({ rule: "documentation-changed", ...spans });
  }
  return differences;
}

const soapVersions: readonly Protocol[] = ["soap11", "soap12"];

function portDifferences(before: Service, after: Service): readonly Difference[] {
  const [oldProtocols, newProtocols] = [protocolsOf(before), protocolsOf(after)];
  const removedProtocols = [...oldProtocols.keys()].filter((protocol) => !newProtocols.has(protocol));
  const addedProtocols = [...newProtocols.keys()].filter((protocol) => !oldProtocols.has(protocol));
  const [from] = removedProtocols.filter((each) => soapVersions.includes(each));
  const [to] = addedProtocols.filter((each) => soapVersions.includes(each));
  const remainingProtocols = [...oldProtocols.keys()].filter((protocol) => newProtocols.has(protocol));
  const isReplaced = from !== undefined && to !== undefined && remainingProtocols.length === 0;
  const differences: Difference[] = [];
  const subject = after.name;
  if (isReplaced) {
    const spans = { oldSpan: oldProtocols.get(from)?.span, newSpan: newProtocols.get(to)?.span };
    differences.push({ rule: "soap-version-changed", subject, before: from, after: to, ...spans });
  }
  for (const protocol of removedProtocols.filter((each) => !(isReplaced && each === from))) {
    const variant = newProtocols.size === 0 || remainingProtocols.length === 0 ? "last" : undefined;
    const oldSpan = oldProtocols.get(protocol)?.span;
    differences.push({ rule: "protocol-removed", subject, before: protocol, oldSpan, newSpan: after.span, variant });
  }
  for (const protocol of addedProtocols.filter((each) => !(isReplaced && each === to))) {
    const newSpan = newProtocols.get(protocol)?.span;
    differences.push({ rule: "protocol-added", subject, after: protocol, oldSpan: before.span, newSpan });
  }
  const addresses = before.ports.flatMap((port) => {
    const samePorts = after.ports.filter(({ protocol }) => protocol === port.protocol);
    // If no new port has the old name, the port was probably renamed: it is compared with a port whose name did not exist before.
    const isNew = ({ name }: Port) => !before.ports.some((each) => each.name === name);
    const counterpart = samePorts.find(({ name }) => name === port.name) ?? samePorts.find(isNew);
    return counterpart === undefined
      ? []
      : [
          ...portNameDifferences(port, counterpart, subject),
          ...addressDifferences([before, port], [after, counterpart]),
        ];
  });
  const isFirst = ({ rule, before: from, after: to }: Difference, index: number) =>
    addresses.findIndex((each) => each.rule === rule && each.before === from && each.after === to) === index;
  return [...differences, ...addresses.filter(isFirst)];
}

/** The first port of each protocol. */
function protocolsOf({ ports }: Pick<Service, "ports">): ReadonlyMap<Protocol, Port> {
  return new Map([...ports].reverse().map((port) => [port.protocol, port]));
}

function portNameDifferences(before: Port, after: Port, subject: string): readonly Difference[] {
  const spans = { oldSpan: before.span, newSpan: after.span };
  return before.name === after.name
    ? []
    : [{ rule: "port-renamed", subject, before: before.name, after: after.name, ...spans }];
}

type PortOfService = readonly [service: Service, port: Port];

function addressDifferences(
  [oldService, before]: PortOfService,
  [newService, after]: PortOfService,
): readonly Difference[] {
  if (before.address === after.address) {
    return [];
  }
  const subject = newService.name;
  if (before.address === undefined || after.address === undefined) {
    const rule = before.address === undefined ? "address-added" : "address-removed";
    // Clients call the address of another port if a port has none.
    const address = before.address ?? after.address;
    const hasOther = [oldService, newService].every(({ ports }) => ports.some((port) => port.address === address));
    const spans = { oldSpan: before.span, newSpan: after.span };
    const values = { before: before.address, after: after.address, variant: hasOther ? "other" : undefined };
    return [{ rule, subject, ...values, ...spans }];
  }
  const [oldParts, newParts] = [partsOf(before.address), partsOf(after.address)];
  const parts = [
    ["address-scheme-changed", oldParts.scheme, newParts.scheme],
    ["address-host-changed", oldParts.host, newParts.host],
    ["address-path-changed", oldParts.path, newParts.path],
  ] as const;
  const details = {
    subject,
    before: before.address,
    after: after.address,
    oldSpan: before.span,
    newSpan: after.span,
  };
  return parts.flatMap(([rule, from, to]) => (from === to ? [] : [{ rule, ...details }]));
}

interface AddressParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}

/** Normalizes the parts of an address: scheme and host in lower case, without the default port (RFC 3986 §6.2). */
function partsOf(address: string): AddressParts {
  const [, scheme = "", authority = "", path = ""] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/([^/?#]*))?(.*)$/is.exec(address) ?? [];
  const defaultPort = scheme.toLowerCase() === "https" ? /:443$/ : /:80$/;
  return {
    scheme: scheme.toLowerCase(),
    host: authority.toLowerCase().replace(defaultPort, ""),
    path: path === "" ? "/" : path,
  };
}

/** Compares the names of additional ports, which have the same protocol as another port of the service. */
function otherPortDifferences(before: Service, after: Service): readonly Difference[] {
  const named = ({ otherPorts }: Service) => new Map(otherPorts.map((port) => [port.name, port]));
  const [old, new_] = [named(before), named(after)];
  const hasProtocol = ({ ports }: Service, { protocol }: Port) => ports.some((each) => each.protocol === protocol);
  const hasName = ({ ports }: Service, { name }: Port) => ports.some((each) => each.name === name);
  const isKnown = (port: Port, other: Service) => hasName(other, port) || !hasProtocol(other, port);
  return [
    ...[...old].flatMap(([name, port]): readonly Difference[] =>
      new_.has(name) || isKnown(port, after)
        ? []
        : [{ rule: "port-removed", subject: after.name, before: name, oldSpan: port.span, newSpan: after.span }],
    ),
    ...[...new_].flatMap(([name, port]): readonly Difference[] =>
      old.has(name) || isKnown(port, before)
        ? []
        : [{ rule: "port-added", subject: after.name, after: name, oldSpan: before.span, newSpan: port.span }],
    ),
  ];
}

function policyDifferences(before: Service, after: Service): readonly Difference[] {
  const differences = before.ports.flatMap((port): readonly Difference[] => {
    const counterpart =
      after.ports.find(({ name, protocol }) => name === port.name && protocol === port.protocol) ??
      after.ports.find(({ protocol }) => protocol === port.protocol);
    if (counterpart === undefined) {
      return [];
    }
    const removedPolicies = port.policies.filter((each) => !counterpart.policies.includes(each)).join(", ");
    const addedPolicies = counterpart.policies.filter((each) => !port.policies.includes(each)).join(", ");
    const details = { subject: after.name, oldSpan: port.span, newSpan: counterpart.span };
    if (removedPolicies === "" && addedPolicies === "") {
      return [];
    }
    if (removedPolicies !== "" && addedPolicies !== "") {
      return [{ rule: "policy-changed", ...details, before: removedPolicies, after: addedPolicies }];
    }
    return [
      removedPolicies === ""
        ? { rule: "policy-added", ...details, after: addedPolicies }
        : { rule: "policy-removed", ...details, before: removedPolicies },
    ];
  });
  const text = ({ rule, before: from, after: to }: Difference) => `${rule} ${from} ${to}`;
  return differences.filter((each, index) => differences.findIndex((other) => text(other) === text(each)) === index);
}

interface MatchedOperations {
  readonly matched: readonly MatchedOperation[];
  readonly removed: readonly Operation[];
  readonly added: readonly Operation[];
}

function matchOperations(context: TypeComparison, before: Service, after: Service): MatchedOperations {
  const matchedOverloads = [...matchOverloads(context, before, after)];
  const overloads = new Set(matchedOverloads.flatMap((operation) => [operation.before, operation.after]));
  const key = ({ uniqueName, overload }: Operation) => `${uniqueName} ${overload}`;
  const isFree = (operation: Operation) => !overloads.has(operation);
  const operationsByName = new Map(after.operations.filter(isFree).map((operation) => [key(operation), operation]));
  for (const operation of before.operations.filter(isFree)) {
    const counterpart = operationsByName.get(key(operation));
    if (counterpart !== undefined) {
      matchedOverloads.push({ before: operation, after: counterpart, change: undefined });
    }
  }
  const matchedOperations = new Set(matchedOverloads.flatMap((operation) => [operation.before, operation.after]));
  let removed = before.operations.filter((operation) => !matchedOperations.has(operation));
  let added = after.operations.filter((operation) => !matchedOperations.has(operation));
  const match = (
    change: "operation-renamed" | "operation-name-changed",
    isSame: (l: Operation, r: Operation) => boolean,
  ) => {
    for (const operation of removed) {
      const candidates = added.filter((candidate) => isSame(operation, candidate));
      const [only] = candidates;
      if (only !== undefined && candidates.length === 1) {
        matchedOverloads.push({ before: operation, after: only, change });
        removed = removed.filter((other) => other !== operation);
        added = added.filter((other) => other !== only);
      }
    }
  };
  match(
    "operation-name-changed",
    (left, right) => requestName(left) !== "" && requestName(left) === requestName(right),
  );
  const names = [...before.operations, ...after.operations].map(({ name }) => name);
  match(
    "operation-renamed",
    (left, right) =>
      isSimilarName(left.name, right.name, names) && shapeText(context.old, left) === shapeText(context.new, right),
  );
  return { matched: matchedOverloads, removed, added };
}

/** Matches overloaded operations by their requests and actions, because their order may change. */
function matchOverloads(context: TypeComparison, before: Service, after: Service): readonly MatchedOperation[] {
  const names = new Set(
    [...before.operations, ...after.operations].filter(({ overload }) => overload > 1).map(({ name }) => name),
  );
  let [oldOperations, newOperations] = [before, after].map(({ operations }) =>
    operations.filter(({ name }) => names.has(name)),
  );
  const matched: MatchedOperation[] = [];
  const keys: readonly ((side: SoapSide, operation: Operation) => string)[] = [
    (side, operation) => `${membersText(side, operation)} ${actionOf(operation)}`,
    membersText,
    (_, operation) => actionOf(operation),
  ];
  for (const keyOf of keys) {
    for (const operation of oldOperations ?? []) {
      const signature = `${operation.name} ${keyOf(context.old, operation)}`;
      const candidates = (newOperations ?? []).filter(
        (other) => `${other.name} ${keyOf(context.new, other)}` === signature,
      );
      const [counterpart] = candidates;
      if (counterpart !== undefined && candidates.length === 1) {
        matched.push({ before: operation, after: counterpart, change: undefined });
        oldOperations = oldOperations?.filter((other) => other !== operation);
        newOperations = newOperations?.filter((other) => other !== counterpart);
      }
    }
  }
  return matched;
}

/** The names of a request's element and members. */
function membersText(side: SoapSide, { input: { body } }: Operation): string {
  const id = body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : "";
  const type = side.types.get(id);
  const element = body.kind === "parts" ? "" : `{${body.element.namespace}}${body.element.local}`;
  return `${element} ${type?.kind === "record" ? type.fields.map(({ key }) => key).join(" ") : id}`;
}

function actionOf({ bindings }: Operation): string {
  return (bindings.soap11 ?? bindings.soap12)?.action ?? "";
}

/** The element of a document-style request; "" if the operation's name is on the wire. */
function requestName({ input: { body } }: Operation): string {
  return body.kind === "element" && !body.rpc ? `{${body.element.namespace}}${body.element.local}` : "";
}

/** The kinds of an operation's bodies: `record record`. A renamed operation probably has the same kinds. */
function shapeText(side: SoapSide, { input, output }: Operation): string {
  const kindOf = (type: TypeReference) => (type.kind === "named" ? side.types.get(type.id)?.kind : type.name);
  const body = (each: Operation["input"]["body"] | undefined) =>
    each === undefined ? "none" : each.kind === "parts" ? "parts" : kindOf(each.type);
  return `${body(input.body)} ${body(output?.body)}`;
}
