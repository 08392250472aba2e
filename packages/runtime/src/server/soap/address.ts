import type { Protocol, ServiceDescriptor } from "../../descriptor.js";

const protocols: readonly Protocol[] = ["soap11", "soap12", "httpGet", "httpPost"];

/** Where a service is served: one path for most, one per port where the WSDL says so. */
export type ServicePaths = Readonly<Partial<Record<Protocol, string>>>;

export function servicePaths(service: ServiceDescriptor, path: string | undefined): ServicePaths {
  const paths: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    const port = service.ports[protocol];
    if (port !== undefined) paths[protocol] = path ?? pathOf(port.address) ?? `/${service.name}`;
  }
  return paths;
}

/** The path of an address, which may be a path alone; undefined where the WSDL gives none. */
function pathOf(address: string | undefined): string | undefined {
  const match = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(address ?? "");
  return match?.[1];
}

/** What a request asks of a service, by its path. */
export interface Place {
  /** What follows the service's address, decoded; "" is the address itself. */
  readonly below: string;
  /** After `?`, as received. */
  readonly query: string;
}

/**
 * Finds the requests of a service: those for its address, and whatever is below it. Below the root of the site only what
 * is known to be the service's: the rest belongs to others.
 */
export function placeFinder(
  paths: ServicePaths,
  isKnown: (below: string) => boolean,
): (target: string) => Place | undefined {
  const bases = [...new Set(Object.values(paths))].map((path) => ({ path, start: path.replace(/\/$/, "") }));
  return (target) => {
    const mark = target.indexOf("?");
    const path = decodedPath(mark < 0 ? target : target.slice(0, mark));
    const query = mark < 0 ? "" : target.slice(mark + 1);
    for (const base of bases) {
      if (path === base.path) return { below: "", query };
      if (!path.startsWith(base.start) || path[base.start.length] !== "/") continue;
      const below = path.slice(base.start.length);
      if (base.start !== "" || isKnown(below)) return { below, query };
    }
    return undefined;
  };
}

/** Escaped characters are the characters, except where they would change the path's segments. */
function decodedPath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/(?:%(?!2[fF])[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
