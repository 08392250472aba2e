import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import type { JsonValue, PathPiece, PathVariable, RestInterfaceDescriptor } from "../../descriptor.js";
import { ConfigError, EncodeError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import { type BasePath, compileBase } from "../../rest/route-paths.js";
import { compileRoutePattern } from "../../rest/route-syntax/index.js";
import { type WireSegments, wirePath, wireSegments } from "../../rest/wire-segments.js";
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
    return wirePath(path, this.#segments);
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

/** The path of an endpoint with the values of its variables, which are taken out of `values`. */
export function endpointPath(path: readonly PathPiece[], values: Map<string, JsonValue>): string {
  const used = new Set<string>();
  const text = writePath(path, { values, used, before: "" });
  // A variable whose neighbours are literal text cannot be judged alone.
  const bad = text
    .split("/")
    .slice(1)
    .find((segment) => segment === "." || segment === "..");
  if (bad !== undefined)
    throw new EncodeError('A segment of the path would be "." or "..", which no address can hold.', { path: "/" });
  for (const name of used) values.delete(name);
  return text;
}

interface Writing {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly used: Set<string>;
  /** What stands before. */
  readonly before: string;
}

function writePath(path: readonly PathPiece[], { values, used, before }: Writing): string {
  return path.reduce((text: string, piece) => {
    if (typeof piece === "string") return text + piece.split("/").map(encodePart).join("/");
    const here: Writing = { values, used, before: before + text };
    if ("variable" in piece) return text + variableText(piece, here);
    const part = piece.optional;
    return isGiven(part, here) ? text + writePath(part, here) : text;
  }, "");
}

/** Whether any variable of an optional part has a value; an empty text is none. */
function isGiven(part: readonly PathPiece[], { values, used, before }: Writing): boolean {
  return part.some((piece) => {
    if (typeof piece === "string") return false;
    if ("optional" in piece) return isGiven(piece.optional, { values, used, before });
    used.add(piece.variable);
    return (values.get(piece.variable) ?? "") !== "";
  });
}

function variableText({ variable, pattern }: PathVariable, { values, used, before }: Writing): string {
  used.add(variable);
  const path = `/${variable}`;
  const value = values.get(variable);
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "") {
    throw new EncodeError(`${path}: The path needs a text or number here.`, { path });
  }
  const parts = text.includes("/") && mayHoldSlashes(pattern, text) ? text.split("/") : [text];
  for (const [index, part] of parts.entries()) {
    // A slash that begins the text ends the segment before it.
    const begins = index === 0 && parts.length > 1 && !before.endsWith("/");
    if ((part === "" && !begins) || part === "." || part === "..") {
      throw new EncodeError(`${path}: No segment of a path can be empty, "." or "..".`, { path });
    }
  }
  return parts.map(encodePart).join("/");
}

/** Whether the group takes this text as it is, slashes and all. WordPress matches without regard to case. */
function mayHoldSlashes(pattern: string, text: string): boolean {
  try {
    const compiled = compileRoutePattern(pattern, checkedPatternLimits);
    return compiled.test(text) || compiled.test(text.toLowerCase());
  } catch {
    return false;
  }
}
