import type { Port, Protocol, Service, Span } from "@bothends/generator";
import type { Difference } from "../difference.js";
import { matchUnique } from "../similar-names.js";
import { findAddressDifferences, getPath, type MatchedPort } from "./addresses.js";

/** Reports the differences between the ports of a service: protocols, names, addresses and policies. */
export function findPortDifferences(before: Service, after: Service): readonly Difference[] {
  const soapVersions = findReplacedSoapVersion(before, after);
  const renamedPorts = matchRenamedPorts(before, after);
  const matchedPorts = matchPorts([before, after], renamedPorts, soapVersions);
  return [
    ...findProtocolDifferences(before, after, soapVersions),
    ...findPortNameDifferences(before, after, renamedPorts),
    ...findAddressDifferences([before, after], matchedPorts),
    ...findPolicyDifferences(after, matchedPorts),
  ];
}

/** Returns the protocols that both versions of a service have. */
export function findSharedProtocols(before: Service, after: Service): ReadonlySet<Protocol> {
  const newProtocols = getFirstPorts(after);
  return new Set([...getFirstPorts(before).keys()].filter((protocol) => newProtocols.has(protocol)));
}

/** Returns the first port of each protocol. Clients use it unless they choose another port by name. */
function getFirstPorts({ ports }: Service): ReadonlyMap<Protocol, Port> {
  const firstPorts = ports.filter((port) => ports.find(({ protocol }) => protocol === port.protocol) === port);
  return new Map(firstPorts.map((port) => [port.protocol, port]));
}

function listPorts({ ports, otherPorts }: Service): readonly Port[] {
  return [...ports, ...otherPorts];
}

/** A version of SOAP that another one replaced, because no protocol is in both versions of the service. */
type ReplacedSoapVersion = readonly [before: Protocol, after: Protocol] | undefined;

function findReplacedSoapVersion(before: Service, after: Service): ReplacedSoapVersion {
  const findSoapVersion = (service: Service) =>
    [...getFirstPorts(service).keys()].find((protocol) => protocol === "soap11" || protocol === "soap12");
  const [from, to] = [findSoapVersion(before), findSoapVersion(after)];
  const isReplaced = findSharedProtocols(before, after).size === 0;
  return isReplaced && from !== undefined && to !== undefined ? [from, to] : undefined;
}

function findProtocolDifferences(
  before: Service,
  after: Service,
  soapVersions: ReplacedSoapVersion,
): readonly Difference[] {
  const [oldPorts, newPorts] = [getFirstPorts(before), getFirstPorts(after)];
  const hasShared = findSharedProtocols(before, after).size > 0;
  const subject = after.name;
  const differences: Difference[] = [];
  if (soapVersions !== undefined) {
    const [from, to] = soapVersions;
    const spans = {
      oldSpan: findProtocolSpan(oldPorts.get(from), newPorts),
      newSpan: findProtocolSpan(newPorts.get(to), oldPorts),
    };
    differences.push({ rule: "soap-version-changed", subject, before: from, after: to, ...spans });
  }
  for (const [protocol, port] of oldPorts) {
    const oldSpan = findProtocolSpan(port, newPorts);
    if (!newPorts.has(protocol) && protocol !== soapVersions?.[0]) {
      const variant = hasShared ? undefined : "last";
      differences.push({ rule: "protocol-removed", subject, before: protocol, oldSpan, newSpan: after.span, variant });
    }
  }
  for (const [protocol, port] of newPorts) {
    const newSpan = findProtocolSpan(port, oldPorts);
    if (!oldPorts.has(protocol) && protocol !== soapVersions?.[1]) {
      differences.push({ rule: "protocol-added", subject, after: protocol, oldSpan: before.span, newSpan });
    }
  }
  return differences;
}

/** Returns the position of a port. If the other version has a port of this name, returns that of its protocol. */
function findProtocolSpan(port: Port | undefined, others: ReadonlyMap<Protocol, Port>): Span | undefined {
  const isKept = [...others.values()].some(({ name }) => name === port?.name);
  return (isKept ? port?.span.parts?.["protocol"] : undefined) ?? port?.span;
}

/**
 * Matches the ports whose names only one version has: those with the same address, then those with the same path, and
 * then those that are the first ones of their protocol.
 */
function matchRenamedPorts(before: Service, after: Service): readonly MatchedPort[] {
  const [oldPorts, newPorts] = [listPorts(before), listPorts(after)];
  const omitNames = (ports: readonly Port[], otherPorts: readonly Port[]) =>
    ports.filter(({ name }) => !otherPorts.some((other) => other.name === name));
  const isFirst = (service: Service, port: Port) => getFirstPorts(service).get(port.protocol) === port;
  const isSame = (left: Port, right: Port, isEqual: boolean) => left.protocol === right.protocol && isEqual;
  return matchUnique(
    [omitNames(oldPorts, newPorts), omitNames(newPorts, oldPorts)],
    [
      (left, right) => isSame(left, right, left.address === right.address),
      (left, right) => isSame(left, right, getPath(left) === getPath(right)),
      (left, right) => isSame(left, right, isFirst(before, left) && isFirst(after, right)),
    ],
  );
}

/**
 * Matches the ports that clients use in the same way: the first ports of each protocol, and ports with the same name,
 * even if it was changed.
 */
function matchPorts(
  [before, after]: readonly [before: Service, after: Service],
  renamedPorts: readonly MatchedPort[],
  soapVersions: ReplacedSoapVersion,
): readonly MatchedPort[] {
  const getNewProtocol = ({ protocol }: Port) => (protocol === soapVersions?.[0] ? soapVersions[1] : protocol);
  const firstPorts = getFirstPorts(after);
  const matchedPorts = [
    ...[...getFirstPorts(before).values()].map((port) => [port, firstPorts.get(getNewProtocol(port))] as const),
    ...listPorts(before).map(
      (port) =>
        [
          port,
          listPorts(after).find(({ name, protocol }) => name === port.name && protocol === getNewProtocol(port)),
        ] as const,
    ),
    ...renamedPorts,
  ];
  return matchedPorts.flatMap(([port, counterpart], index): readonly MatchedPort[] => {
    const isRepeated = matchedPorts.findIndex(([left, right]) => left === port && right === counterpart) < index;
    return counterpart === undefined || isRepeated ? [] : [[port, counterpart]];
  });
}

/** Reports renamed, added and removed ports. A protocol that only one version has is reported instead of its ports. */
function findPortNameDifferences(
  before: Service,
  after: Service,
  renamedPorts: readonly MatchedPort[],
): readonly Difference[] {
  const subject = after.name;
  const renamed = new Set(renamedPorts.flat());
  const listUnmatched = (service: Service, other: Service) =>
    listPorts(service).filter(
      (port) =>
        !renamed.has(port) &&
        getFirstPorts(other).has(port.protocol) &&
        !listPorts(other).some(({ name }) => name === port.name),
    );
  return [
    ...renamedPorts.map(([port, { name, span }]): Difference => {
      const spans = { oldSpan: port.span, newSpan: span };
      return { rule: "port-renamed", subject, before: port.name, after: name, ...spans };
    }),
    ...listUnmatched(before, after).map(({ name, span }): Difference => {
      return { rule: "port-removed", subject, before: name, oldSpan: span, newSpan: after.span };
    }),
    ...listUnmatched(after, before).map(({ name, span }): Difference => {
      return { rule: "port-added", subject, after: name, oldSpan: before.span, newSpan: span };
    }),
  ];
}

function findPolicyDifferences(
  { name: subject }: Service,
  matchedPorts: readonly MatchedPort[],
): readonly Difference[] {
  const differences = matchedPorts.flatMap(([port, counterpart]): readonly Difference[] => {
    const removedPolicies = port.policies.filter((policy) => !counterpart.policies.includes(policy)).join(", ");
    const addedPolicies = counterpart.policies.filter((policy) => !port.policies.includes(policy)).join(", ");
    const details = { subject, oldSpan: port.span, newSpan: counterpart.span };
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
  const formatDifference = ({ rule, before, after }: Difference) => `${rule} ${before} ${after}`;
  return differences.filter(
    (difference, index) =>
      differences.findIndex((other) => formatDifference(other) === formatDifference(difference)) === index,
  );
}
