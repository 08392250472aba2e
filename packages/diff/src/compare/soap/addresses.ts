import type { Port, Service } from "@bothends/generator";
import { joinNames } from "@bothends/generator/text";
import type { Difference, LevelsOfWriters } from "../difference.js";
import { protocolNames } from "./http-messages.js";

/** Whether a service is a binding without a port. The service and its port then have the position of the binding. */
export function consistsOfBinding({ span, ports: [port] }: Service): boolean {
  return port?.span.source === span.source && port.span.start === span.start;
}

/** Two versions of a port. */
export type MatchedPort = readonly [before: Port, after: Port];

type Services = readonly [before: Service, after: Service];

/**
 * Reports the differences between the addresses of a service. A difference of several ports is reported once. Its
 * subject names the ports unless it is one of all ports.
 */
export function findAddressDifferences(
  services: Services,
  matchedPorts: readonly MatchedPort[],
): readonly Difference[] {
  const differencesOfPorts = matchedPorts.flatMap((ports) =>
    findPortDifferences(services, ports).map((difference) => ({ difference, ports })),
  );
  const groups = new Map<string, typeof differencesOfPorts>();
  for (const each of differencesOfPorts) {
    const { rule, before, after } = each.difference;
    const key = JSON.stringify([rule, before, after]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const isPathKept = matchedPorts.some(
    (ports) =>
      !differencesOfPorts.some((each) => each.ports === ports && each.difference.rule === "address-path-changed"),
  );
  return [...groups.values()].flatMap((group): readonly Difference[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const { difference } = first;
    const names = group.map(({ ports: [, port] }) => formatPort(port, matchedPorts));
    const isPartOf = group.length < matchedPorts.length;
    return [
      {
        ...difference,
        subject: isPartOf ? `${difference.subject} (${joinNames(names, "and")})` : difference.subject,
        levels: difference.rule === "address-path-changed" && isPathKept ? getPartialLevels(difference) : undefined,
      },
    ];
  });
}

/** Formats the protocol of a port; its name if other ports have the same protocol. */
function formatPort({ name, protocol }: Port, matchedPorts: readonly MatchedPort[]): string {
  const isOnly = matchedPorts.filter(([, port]) => port.protocol === protocol).length === 1;
  return isOnly || name === undefined ? protocolNames[protocol] : `port ${name}`;
}

/** Returns the effects of a changed path if clients of other ports are not affected. */
function getPartialLevels({ variant }: Difference): LevelsOfWriters {
  return [
    variant === "kept" || variant === "exchanged" ? "none" : "some",
    variant === "known" || variant === "exchanged" ? "none" : "some",
  ];
}

function findPortDifferences([oldService, newService]: Services, [before, after]: MatchedPort): readonly Difference[] {
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
    const spans = { oldSpan: before.span, newSpan: after.span };
    const isPortMissing = consistsOfBinding(oldService) !== consistsOfBinding(newService);
    const variant = isSharedAddress ? "other" : isPortMissing ? "port" : undefined;
    const values = { before: before.address, after: after.address, variant };
    return [{ rule, subject, ...values, ...spans }];
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
    oldSpan: before.span,
    newSpan: after.span,
  };
  return comparedParts.flatMap(([rule, from, to]) => {
    const variant =
      rule === "address-path-changed" ? choosePathVariant([oldService, newService], [from, to]) : undefined;
    return from === to ? [] : [{ rule, ...details, variant }];
  });
}

/**
 * Returns the variant of the rule for a changed path: a server answers the calls of all its protocols at the path of
 * each port.
 */
function choosePathVariant(
  [oldService, newService]: readonly [Service, Service],
  [from, to]: readonly [string, string],
): string | undefined {
  const hasPath = ({ ports }: Service, path: string) =>
    ports.some(({ address }) => address !== undefined && getAddressParts(address).path === path);
  const [isKept, isKnown] = [hasPath(newService, from), hasPath(oldService, to)];
  return isKept && isKnown ? "exchanged" : isKept ? "kept" : isKnown ? "known" : undefined;
}

interface AddressParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}

/** Splits an address into normalized parts: scheme and host in lower case, no default port (RFC 3986 §6.2). */
function getAddressParts(address: string): AddressParts {
  const [, scheme = "", authority = "", path = ""] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/([^/?#]*))?(.*)$/is.exec(address) ?? [];
  const defaultPort = scheme.toLowerCase() === "https" ? /:443$/ : /:80$/;
  return {
    scheme: scheme.toLowerCase(),
    host: authority.toLowerCase().replace(defaultPort, ""),
    path: path === "" ? "/" : path,
  };
}
