import { type Protocol, protocols, type ServiceDescriptor } from "../../descriptor.js";
import type { RoutedRequest } from "../../http/server-request.js";
import { matchLocation } from "../../protocol/http/server.js";
import type { Location, ServedOperation } from "../../protocol/server.js";
import { getOrigin } from "../origins.js";
import { decodePath } from "../routes.js";

// The addresses of a service: finds the operation for the path of a request, and the address at which clients reach a port.

/** The paths of a service by protocol: the same path for all, or the path of each port in the WSDL. */
export type ServicePaths = Readonly<Partial<Record<Protocol, string>>>;

export function getServicePaths(service: ServiceDescriptor, path: string | undefined): ServicePaths {
  const paths: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    const port = service.ports[protocol];
    if (port !== undefined) {
      paths[protocol] = path ?? findPath(port.address) ?? `/${service.name}`;
    }
  }
  return paths;
}

/** Returns the path of an address. The address may be only a path. */
function findPath(address: string | undefined): string | undefined {
  const match = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(address ?? "");
  return match?.[1];
}

/** Returns the address that clients use for a port. If no port is passed, this is the first one. */
export type PublicAddress = (request: RoutedRequest, port: Protocol | undefined) => string;

/** Returns the public addresses of a service. The option `publicUrl` replaces the origin of requests. */
export function createPublicAddresses(
  { ports }: ServiceDescriptor,
  paths: ServicePaths,
  publicUrl: string | undefined,
): PublicAddress {
  return (request, port) => {
    const protocol = port ?? protocols.find((candidate) => ports[candidate] !== undefined);
    const path = protocol === undefined ? "" : (paths[protocol] ?? "");
    return getOrigin(request, publicUrl, protocol && ports[protocol]?.address) + path;
  };
}

/** The part of a service that the path of a request refers to. */
interface ServiceTarget {
  /** The decoded path after the service's address; empty at the address itself. */
  readonly pathBelow: string;
  readonly location: Location | undefined;
}

const serviceRoot: ServiceTarget = { pathBelow: "", location: undefined };

/**
 * Finds the part of a service that the path of a request refers to: its address, or a path below its address. A service at the root
 * of the site answers only the locations of its operations, because other paths may belong to other routes.
 */
export class ServiceAddresses {
  /** The addresses without a slash at the end; undefined for a service at the root. */
  readonly paths: readonly string[] | undefined;
  readonly #bases: readonly string[];
  readonly #targetsByPath = new Map<string, ServiceTarget>();
  readonly #locations: OperationLocations;

  constructor(paths: ServicePaths, locations: OperationLocations) {
    this.#locations = locations;
    const addresses = [...new Set(Object.values(paths))];
    this.#bases = [...new Set(addresses.map((path) => path.replace(/\/$/, "")))];
    this.paths = this.#bases.includes("") ? undefined : this.#bases;
    for (const base of locations.hasPatterns ? [] : this.#bases.toReversed()) {
      for (const [pathBelow, location] of locations.exactPaths) {
        this.#targetsByPath.set(base + pathBelow, { pathBelow, location });
      }
    }
    for (const address of addresses) {
      this.#targetsByPath.set(address, serviceRoot);
    }
  }

  find(request: RoutedRequest): ServiceTarget | undefined {
    const path = decodePath(request.path);
    return this.#targetsByPath.get(path) ?? this.#findBelow(path);
  }

  #findBelow(path: string): ServiceTarget | undefined {
    for (const base of this.#bases) {
      if (path[base.length] !== "/" || !path.startsWith(base)) {
        continue;
      }
      const pathBelow = path.slice(base.length);
      const location = this.#locations.find(pathBelow);
      if (base !== "" || location !== undefined) {
        return { pathBelow, location };
      }
    }
    return undefined;
  }
}

/** The locations of a service's operations for HTTP GET and POST. */
export class OperationLocations {
  /** The locations without parameters in their path. */
  readonly exactPaths = new Map<string, Location>();
  /** The locations with parameters in their path. */
  readonly #patterns: { readonly text: string; readonly location: Location }[] = [];
  readonly #lowerCasePaths = new Set<string>();

  constructor(operations: readonly ServedOperation[]) {
    for (const operation of operations) {
      for (const protocol of ["httpGet", "httpPost"] as const) {
        const boundLocation = operation.locations[protocol];
        if (boundLocation === undefined) {
          continue;
        }
        this.#lowerCasePaths.add(boundLocation.text.toLowerCase());
        if (boundLocation.replace) {
          this.#patterns.push({ text: boundLocation.text, location: { [protocol]: operation } });
        } else {
          this.exactPaths.set(boundLocation.text, {
            [protocol]: operation,
            ...this.exactPaths.get(boundLocation.text),
          });
        }
      }
    }
  }

  /** Whether any location has parameters in its path and must be compared with each path. */
  get hasPatterns(): boolean {
    return this.#patterns.length > 0;
  }

  find(path: string): Location | undefined {
    let match = this.exactPaths.get(path);
    for (const { text, location } of this.#patterns) {
      const values = matchLocation(text, path);
      if (values !== undefined) {
        match = { ...location, values, ...match };
      }
    }
    return match;
  }

  /** Whether a path differs from a location only in letter case. */
  hasOtherCase(path: string): boolean {
    return this.#lowerCasePaths.has(path.toLowerCase());
  }
}
