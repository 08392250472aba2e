import { type Protocol, protocols, type ServiceDescriptor } from "../../descriptor.js";
import type { ParsedRequest } from "../../http/server-request.js";
import { matchLocation } from "../../protocol/http/server.js";
import type { Location, ServedOperation } from "../../protocol/server.js";
import { checkPath, checkServerAddress } from "../options/server-options.js";
import { getOrigin } from "../origins.js";
import { decodePath } from "../routes.js";

// The addresses of a service. This code finds the operation for the path of a request, and the address at which clients
// reach a port.

/**
 * The path of each port of a service, by protocol. It is the path in the WSDL, or the same path for all ports if the
 * option `path` is set.
 */
export type ServicePaths = Readonly<Partial<Record<Protocol, string>>>;

/**
 * Returns the path of each protocol's port: the option `path`, else the path in the WSDL, else the name of the service.
 * Throws `ConfigError` if no request can have the path of the option.
 */
export function getServicePaths(service: ServiceDescriptor, path: string | undefined): ServicePaths {
  if (path !== undefined) {
    checkPath("path", path);
  }
  const paths: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    const port = service.ports[protocol];
    if (port !== undefined) {
      paths[protocol] = path ?? findPath(port.address) ?? `/${service.name}`;
    }
  }
  return paths;
}

/** Returns the path of an address, or `/` for an address such as `http://example.com`. It can be only a path. */
function findPath(address: string | undefined): string | undefined {
  const [, origin, path] = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(address ?? "") ?? [];
  return path ?? (origin === undefined ? undefined : "/");
}

/** Returns the address that clients use for a port. If `port` is undefined, returns the address of the first port. */
export type PublicAddress = (request: ParsedRequest, port: Protocol | undefined) => string;

/**
 * Returns a function that returns the public addresses of a service's ports. If the option `publicUrl` is set, it
 * replaces the origin of the request.
 */
export function createPublicAddresses(
  { ports }: ServiceDescriptor,
  paths: ServicePaths,
  publicUrl: string | undefined,
): PublicAddress {
  checkServerAddress("publicUrl", publicUrl, "it begins the addresses in the WSDL");
  return (request, port) => {
    const protocol = port ?? protocols.find((candidate) => ports[candidate] !== undefined);
    const path = protocol === undefined ? "" : (paths[protocol] ?? "");
    return getOrigin(request, publicUrl, protocol && ports[protocol]?.address) + path;
  };
}

/** The part of a service that the path of a request refers to. */
interface ServiceTarget {
  /** The part of the decoded path that follows the service's address. Empty if the path is the address itself. */
  readonly subpath: string;
  readonly location: Location | undefined;
}

const serviceRoot: ServiceTarget = { subpath: "", location: undefined };

/**
 * Finds the part of a service to which the path of a request refers: the service's address or a path below it. A
 * service at the root of the site answers only its own address and the locations of its operations, because other paths
 * may belong to other routes.
 */
export class ServiceAddresses {
  /** The decoded paths of the service, without a slash at the end. Undefined for a service at the root. */
  readonly paths: readonly string[] | undefined;
  readonly #bases: readonly string[];
  readonly #targetsByPath = new Map<string, ServiceTarget>();
  readonly #locations: OperationLocations;

  constructor(paths: ServicePaths, locations: OperationLocations) {
    this.#locations = locations;
    const addresses = [...new Set(Object.values(paths).map(decodePath))];
    this.#bases = [...new Set(addresses.map((path) => path.replace(/\/$/, "")))];
    this.paths = this.#bases.includes("") ? undefined : this.#bases;
    for (const base of locations.hasPatterns ? [] : this.#bases.toReversed()) {
      for (const [subpath, location] of locations.exactPaths) {
        this.#targetsByPath.set(base + subpath, { subpath, location });
      }
    }
    for (const address of addresses) {
      this.#targetsByPath.set(address, serviceRoot);
    }
  }

  find(request: ParsedRequest): ServiceTarget | undefined {
    const path = decodePath(request.path);
    return this.#targetsByPath.get(path) ?? this.#findBelow(path);
  }

  #findBelow(path: string): ServiceTarget | undefined {
    for (const base of this.#bases) {
      if (path[base.length] !== "/" || !path.startsWith(base)) {
        continue;
      }
      const subpath = path.slice(base.length);
      const location = this.#locations.find(subpath);
      if (base !== "" || location !== undefined) {
        return { subpath, location };
      }
    }
    return undefined;
  }
}

/** The locations at which the operations of a service are called by HTTP GET and POST. */
export class OperationLocations {
  /** The locations whose paths contain no parameters, by path. */
  readonly exactPaths = new Map<string, Location>();
  /** The locations whose paths contain parameters. */
  readonly #patterns: { readonly text: string; readonly location: Location }[] = [];
  /** The names of the operations, by their location in lower case. */
  readonly #lowerCasePaths = new Map<string, string>();

  constructor(operations: readonly ServedOperation[]) {
    for (const operation of operations) {
      for (const protocol of ["httpGet", "httpPost"] as const) {
        const boundLocation = operation.locations[protocol];
        if (boundLocation === undefined) {
          continue;
        }
        this.#lowerCasePaths.set(boundLocation.text.toLowerCase(), operation.descriptor.name);
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

  /**
   * Whether at least one location has parameters in its path. If so, each request path must be compared with these
   * locations.
   */
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

  /** Names the operation whose location a path would match if the letter case were ignored. "" if there is none. */
  describeOtherCase(path: string): string {
    const name = this.#lowerCasePaths.get(path.toLowerCase());
    return name === undefined ? "" : ` The address of ${name} differs from it only in upper and lower case.`;
  }

  /** Names the operation whose location a path has with more slashes. "" if there is none. */
  describeOtherSlashes(path: string): string {
    const otherPath = path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
    const name = otherPath === path ? undefined : this.#lowerCasePaths.get(otherPath.toLowerCase());
    return name === undefined ? "" : ` The address of ${name} differs from it only in slashes.`;
  }
}
