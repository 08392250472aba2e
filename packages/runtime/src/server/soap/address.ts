import type { Protocol, ServiceDescriptor } from "../../descriptor.js";
import type { RoutedRequest } from "../../http/server-messages.js";
import { matchLocation } from "../../protocol/http/read-parameters.js";
import type { Location, ServedOperation } from "../../protocol/server.js";

const protocols: readonly Protocol[] = ["soap11", "soap12", "httpGet", "httpPost"];

/** The paths of a service: one for all protocols, or one per port as in the WSDL. */
export type ServicePaths = Readonly<Partial<Record<Protocol, string>>>;

export function servicePaths(service: ServiceDescriptor, path: string | undefined): ServicePaths {
  const paths: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    const port = service.ports[protocol];
    if (port !== undefined) {
      paths[protocol] = path ?? pathOf(port.address) ?? `/${service.name}`;
    }
  }
  return paths;
}

/** The path of an address, which may be only a path. */
function pathOf(address: string | undefined): string | undefined {
  const match = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(address ?? "");
  return match?.[1];
}

/** The part of a service that the path of a request names. */
export interface ServiceTarget {
  /** The decoded path after the service's address; "" for the address itself. */
  readonly below: string;
  readonly location: Location | undefined;
}

const atAddress: ServiceTarget = { below: "", location: undefined };

/**
 * Finds what the path of a request names: the address of a service, or a path below it. A service at the root of the site
 * has only the locations of its operations, because other paths may belong to other routes.
 */
export class ServiceAddresses {
  /** The addresses without a slash at the end; undefined for a service at the root. */
  readonly paths: readonly string[] | undefined;
  readonly #bases: readonly string[];
  readonly #exact = new Map<string, ServiceTarget>();
  readonly #locations: Locations;

  constructor(paths: ServicePaths, locations: Locations) {
    this.#locations = locations;
    const addresses = [...new Set(Object.values(paths))];
    this.#bases = [...new Set(addresses.map((path) => path.replace(/\/$/, "")))];
    this.paths = this.#bases.includes("") ? undefined : this.#bases;
    for (const base of locations.hasPatterns ? [] : this.#bases.toReversed()) {
      for (const [below, location] of locations.exact) {
        this.#exact.set(base + below, { below, location });
      }
    }
    for (const address of addresses) {
      this.#exact.set(address, atAddress);
    }
  }

  find(request: RoutedRequest): ServiceTarget | undefined {
    const path = decodedPath(request.path);
    return this.#exact.get(path) ?? this.#findBelow(path);
  }

  #findBelow(path: string): ServiceTarget | undefined {
    for (const base of this.#bases) {
      if (path[base.length] !== "/" || !path.startsWith(base)) {
        continue;
      }
      const below = path.slice(base.length);
      const location = this.#locations.find(below);
      if (base !== "" || location !== undefined) {
        return { below, location };
      }
    }
    return undefined;
  }
}

/** The locations of a service's operations for HTTP GET and POST. */
export class Locations {
  /** Locations without parameters in the path. */
  readonly exact = new Map<string, Location>();
  /** Locations with parameters in the path. */
  readonly #patterns: { readonly text: string; readonly location: Location }[] = [];
  readonly #lowerCase = new Set<string>();

  constructor(operations: readonly ServedOperation[]) {
    for (const operation of operations) {
      for (const protocol of ["httpGet", "httpPost"] as const) {
        const bound = operation.locations[protocol];
        if (bound === undefined) {
          continue;
        }
        this.#lowerCase.add(bound.text.toLowerCase());
        if (bound.replace) {
          this.#patterns.push({ text: bound.text, location: { [protocol]: operation } });
        } else {
          this.exact.set(bound.text, { [protocol]: operation, ...this.exact.get(bound.text) });
        }
      }
    }
  }

  /** Whether a location has parameters in its path, so that it has to be compared with each path. */
  get hasPatterns(): boolean {
    return this.#patterns.length > 0;
  }

  find(path: string): Location | undefined {
    let match = this.exact.get(path);
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
    return this.#lowerCase.has(path.toLowerCase());
  }
}

/** Decodes percent-encoding, except of a slash, which would change the path's segments. */
function decodedPath(path: string): string {
  if (!path.includes("%")) {
    return path;
  }
  return path.replace(/(?:%(?!2[fF])[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
