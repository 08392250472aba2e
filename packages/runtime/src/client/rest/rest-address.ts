import type { PathPiece, RestInterfaceDescriptor } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import { type BasePath, compileBase } from "../../rest/route-paths.js";
import { pathOnWire, type WireSegments, wireSegments } from "../../rest/wire-segments.js";
import { type Address, readAddress } from "../address.js";
import type { RestClientOptions } from "../options.js";

/** Where the endpoints of an interface are. */
export class RestAddress {
  readonly site: Address;
  readonly #base: string;
  readonly #plain: boolean;
  readonly #segments: WireSegments;

  constructor(descriptor: RestInterfaceDescriptor, options: RestClientOptions) {
    if (typeof options.siteUrl !== "string") throw new ConfigError("The option siteUrl is the address of the site.");
    this.site = readAddress(options.siteUrl, "option siteUrl");
    this.#plain = options.plainPermalinks === true;
    this.#base = basePath(compileBase(descriptor), options, this.#plain);
    this.#segments = wireSegments(options.wireNames?.segments, descriptor.segments ?? []);
  }

  /** The path of an endpoint with the real names of its segments. */
  path(path: readonly PathPiece[]): readonly PathPiece[] {
    return pathOnWire(path, this.#segments);
  }

  /** The address of a route, which is encoded, with a query. */
  url(route: string, query: string): string {
    const { origin, path, query: own } = this.site;
    const base = `${origin}${path}${this.#base}`;
    const items = [own.slice(1), this.#plain ? `rest_route=${plainRoute(route)}` : "", query].filter(
      (item) => item !== "",
    );
    return `${base}${this.#plain ? "/" : route}${items.length === 0 ? "" : `?${items.join("&")}`}`;
  }
}

/** In a query a route is a value, whose slashes may stay as they are. */
function plainRoute(route: string): string {
  return route === "" ? "/" : route;
}

/** Without pretty permalinks the last segment of the base, which leads to the interface, gives way to the query. */
function basePath(base: BasePath, options: RestClientOptions, plain: boolean): string {
  const segments = plain ? base.segments.slice(0, -1) : base.segments;
  return segments
    .map((segment) => `/${"literal" in segment ? segment.literal : variableValue(segment.variable, base, options)}`)
    .join("");
}

function variableValue(variable: string, base: BasePath, options: RestClientOptions): string {
  const allowed = base.values.get(variable);
  const given: unknown = Object.hasOwn(options, variable) ? Reflect.get(options, variable) : undefined;
  const value = given ?? allowed?.[0];
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new ConfigError(`The option ${variable} is a segment of the address: a text.`);
  }
  if (allowed !== undefined && !allowed.includes(value)) {
    throw new ConfigError(`The option ${variable} is one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}.`);
  }
  return encodePart(value);
}

/** The options that name the variables of a base. */
export function baseVariables(descriptor: RestInterfaceDescriptor): readonly string[] {
  return compileBase(descriptor).segments.flatMap((segment) => ("variable" in segment ? [segment.variable] : []));
}
