import type { Port, Service } from "@bothends/generator";
import { joinNames } from "@bothends/generator/text";
import type { Level } from "../../rules/rule.js";
import type { Difference } from "../difference.js";
import { protocolNames } from "./http-messages.js";

/** Whether a service is a binding without a port. The service and its port then have the position of the binding. */
export function consistsOfBinding({ span, ports: [port] }: Service): boolean {
  return port?.span.source === span.source && port.span.start === span.start;
}

/** Two versions of a port that clients use in the same way: as the first port of its protocol, or by its name. */
export type MatchedPort = readonly [before: Port, after: Port];

type Services = readonly [before: Service, after: Service];

/**
 * Reports the differences between the addresses of a service. A difference of several ports is reported once. Its
 * subject names the ports unless it is one of all ports. A changed path breaks clients if it affects all ports, or the
 * port that clients without options use.
 */
export function findAddressDifferences(
  services: Services,
  matchedPorts: readonly MatchedPort[],
): readonly Difference[] {
  const differencesOfPorts = matchedPorts.flatMap((ports) =>
    compareAddresses(services, ports).map((difference) => ({ difference, ports })),
  );
  const groups = new Map<string, typeof differencesOfPorts>();
  for (const each of differencesOfPorts) {
    const { rule, before, after } = each.difference;
    const key = JSON.stringify([rule, before, after]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const areAllAffected = [
    matchedPorts.every(([before]) => losesPath(before, services)),
    matchedPorts.every(([, after]) => losesPath(after, [services[1], services[0]])),
  ];
  return [...groups.values()].flatMap((group): readonly Difference[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const { difference } = first;
    const names = new Set(group.map(({ ports }) => formatPort(ports, matchedPorts)));
    const isPartOf = group.length < matchedPorts.length;
    const areDefaultsAffected = services.map(({ ports: [firstPort] }, index) =>
      group.some(({ ports }) => ports[index] === firstPort),
    );
    const [oldLevel, newLevel] = getPathLevels(difference).map((level, index) =>
      level === "breaks" && areAllAffected[index] !== true && areDefaultsAffected[index] !== true ? "some" : level,
    );
    return [
      {
        ...difference,
        subject: isPartOf ? `${difference.subject} (${joinNames([...names], "and")})` : difference.subject,
        levels:
          oldLevel === undefined || newLevel === undefined || areAllAffected.every((isAll) => isAll)
            ? undefined
            : [oldLevel, newLevel],
      },
    ];
  });
}

/**
 * Formats the protocol of a port for reports. If several ports have the protocol, formats the name of the port, unless
 * another port became the first one.
 */
function formatPort([before, after]: MatchedPort, matchedPorts: readonly MatchedPort[]): string {
  const { name, protocol } = after;
  const isOnly = matchedPorts.filter(([, port]) => port.protocol === protocol).length === 1;
  return isOnly || before.name !== name ? protocolNames[protocol] : `port ${name}`;
}

/** Returns the effects of a changed path on the clients of the port; nothing for another rule. */
function getPathLevels({ rule, variant }: Difference): readonly Level[] {
  if (rule !== "address-path-changed") {
    return [];
  }
  if (variant === "query") {
    return ["tolerated", "tolerated"];
  }
  return [
    variant === "kept" || variant === "exchanged" ? "none" : "breaks",
    variant === "known" || variant === "exchanged" ? "none" : "breaks",
  ];
}

function compareAddresses([oldService, newService]: Services, [before, after]: MatchedPort): readonly Difference[] {
  if (before.address === after.address) {
    return [];
  }
  const subject = newService.name;
  if (before.address === undefined || after.address === undefined) {
    const rule = before.address === undefined ? "address-added" : "address-removed";
    // Clients of a port without an address call the address of another port.
    const address = before.address ?? after.address;
    const isSharedAddress = [oldService, newService].every(({ ports }) =>
      ports.some((port) => port.address === address),
    );
    const isPortMissing = consistsOfBinding(oldService) !== consistsOfBinding(newService);
    const variant = isSharedAddress ? "other" : isPortMissing ? "port" : undefined;
    const values = { before: before.address, after: after.address, variant };
    return [{ rule, subject, ...values, ...getAddressSpans([before, after]) }];
  }
  const [oldParts, newParts] = [getAddressParts(before.address), getAddressParts(after.address)];
  const comparedParts = [
    ["address-scheme-changed", oldParts.scheme, newParts.scheme],
    ["address-host-changed", oldParts.host, newParts.host],
    ["address-path-changed", oldParts.path, newParts.path],
  ] as const;
  const details = {
    subject,
    before: before.address,
    after: after.address,
    ...getAddressSpans([before, after]),
  };
  const differences = comparedParts.flatMap(([rule, from, to]) => {
    const variant =
      rule === "address-path-changed" ? choosePathVariant([oldService, newService], [before, after]) : undefined;
    return from === to ? [] : [{ rule, ...details, variant }];
  });
  return oldParts.query === newParts.query || oldParts.path !== newParts.path
    ? differences
    : [...differences, { rule: "address-path-changed", ...details, variant: "query" }];
}

/** Returns the positions of both addresses, or of the ports that have none. */
function getAddressSpans([before, after]: MatchedPort): Pick<Difference, "oldSpan" | "newSpan"> {
  return { oldSpan: before.addressSpan ?? before.span, newSpan: after.addressSpan ?? after.span };
}

/** Returns the variant of the rule for a changed path: whether the other version's servers answer at the paths. */
function choosePathVariant([oldService, newService]: Services, [before, after]: MatchedPort): string | undefined {
  const isKept = !losesPath(before, [oldService, newService]);
  const isKnown = !losesPath(after, [newService, oldService]);
  return isKept && isKnown ? "exchanged" : isKept ? "kept" : isKnown ? "known" : undefined;
}

/**
 * Whether servers of the other version do not answer at the path of a port. A generated server answers all protocols at
 * the path of the first port of each protocol, and a deployment may also answer at the paths of the other ports.
 */
function losesPath(port: Port, [service, otherService]: Services): boolean {
  const path = getPath(port);
  const hasPath = (ports: readonly Port[]) => ports.some((other) => getPath(other) === path);
  return hasPath(service.ports)
    ? !hasPath(otherService.ports)
    : !hasPath([...otherService.ports, ...otherService.otherPorts]);
}

/** Returns the path of a port's address; undefined if it has no address. */
export function getPath({ address }: Port): string | undefined {
  return address === undefined ? undefined : getAddressParts(address).path;
}

interface AddressParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** Splits an address into normalized parts: scheme and host in lower case, no default port (RFC 3986 §6.2). */
function getAddressParts(address: string): AddressParts {
  const [, scheme = "", authority = "", path = "", query = ""] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/([^/?#]*))?([^?#]*)(.*)$/is.exec(address) ?? [];
  const defaultPort = scheme.toLowerCase() === "https" ? /:443$/ : /:80$/;
  return {
    scheme: scheme.toLowerCase(),
    host: authority.toLowerCase().replace(defaultPort, ""),
    path: path === "" ? "/" : path,
    query,
  };
}
