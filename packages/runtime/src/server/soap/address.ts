import type { Protocol, ServiceDescriptor } from "../../descriptor.js";
import { parseMediaType } from "../../http/media-type.js";
import type { ServerRequest } from "../../http/server-messages.js";
import { matchLocation } from "../../protocol/http/parameters.js";
import type { Location, RequestHead } from "../../protocol/server.js";
import type { ServedOperation } from "../../protocol/server-operations.js";

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

/** The path and query of a request for a service. */
export interface ServiceTarget {
  /** The decoded path after the service's address; "" for the address itself. */
  readonly below: string;
  /** After `?`, as received. */
  readonly query: string;
  readonly location: Location | undefined;
}

/**
 * Creates a function that recognizes requests for a service: those for its address and those for a path below it. A service
 * at the root of the site has only the locations of its operations, because other paths may belong to other routes.
 */
export function targetFinder(paths: ServicePaths, locations: Locations): (target: string) => ServiceTarget | undefined {
  const bases = [...new Set(Object.values(paths))].map((path) => ({ path, start: path.replace(/\/$/, "") }));
  return (target) => {
    const mark = target.indexOf("?");
    const path = decodedPath(mark < 0 ? target : target.slice(0, mark));
    for (const base of bases) {
      if (path === base.path) {
        return { below: "", query: queryOf(target, mark), location: undefined };
      }
      if (path[base.start.length] !== "/" || !path.startsWith(base.start)) {
        continue;
      }
      const below = path.slice(base.start.length);
      const location = locations.find(below);
      if (base.start !== "" || location !== undefined) {
        return { below, query: queryOf(target, mark), location };
      }
    }
    return undefined;
  };
}

function queryOf(target: string, mark: number): string {
  return mark < 0 ? "" : target.slice(mark + 1);
}

/** The locations of a service's operations for HTTP GET and POST. */
export class Locations {
  readonly #exact = new Map<string, Location>();
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
          this.#exact.set(bound.text, { [protocol]: operation, ...this.#exact.get(bound.text) });
        }
      }
    }
  }

  find(path: string): Location | undefined {
    let match = this.#exact.get(path);
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

/** Reads the headers that protocols need, in one pass. */
export function readHead(request: ServerRequest, { below, query, location }: ServiceTarget): RequestHead {
  let contentType: string | undefined;
  let contentTypes = 0;
  let soapAction: string | undefined;
  let coding: string | undefined;
  let length: number | undefined;
  for (const [name, value] of request.headers) {
    switch (name.length) {
      case 10:
        if (name.toLowerCase() === "soapaction") {
          soapAction = joinedLines(soapAction, value);
        }
        break;
      case 12:
        if (name.toLowerCase() !== "content-type") {
          break;
        }
        contentTypes++;
        contentType = value;
        break;
      case 14:
        if (name.toLowerCase() === "content-length") {
          length = Number(value);
        }
        break;
      case 16:
        if (name.toLowerCase() === "content-encoding") {
          coding = joinedLines(coding, value);
        }
        break;
    }
  }
  const mediaType = contentTypes === 1 ? parseMediaType(contentType) : undefined;
  const encoding = coding?.trim().toLowerCase() ?? "";
  const compressed = encoding !== "" && encoding !== "identity";
  return { request, method: request.method, below, query, location, mediaType, soapAction, compressed, length };
}

/** RFC 9110 §5.2 */
function joinedLines(joined: string | undefined, value: string): string {
  return joined === undefined ? value : `${joined}, ${value}`;
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
