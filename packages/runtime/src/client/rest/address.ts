import type { ImportedFeature, RestInterfaceDescriptor } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import type { SegmentsFeature, WireSegments } from "../../rest/segment-names.js";
import { type Address, omitSlash } from "../address.js";
import type { RestClientOptions } from "../options.js";
import { readAddress } from "../read-address.js";

/** Builds the addresses of an interface's endpoints. */
export class RestAddress {
  readonly site: Address;
  /** The new names of path segments, from the option `wireNames`. */
  readonly wireSegments: WireSegments | undefined;
  readonly #base: string;
  readonly #isPlain: boolean;

  constructor(descriptor: RestInterfaceDescriptor, options: RestClientOptions) {
    this.site = readAddress(options.siteUrl, 'option "siteUrl"');
    this.#isPlain = options.plainPermalinks === true;
    this.#base = omitSlash(this.site.path) + writeBasePath(descriptor, options, this.#isPlain);
    this.wireSegments = readWireSegments(descriptor, options.wireNames?.segments);
  }

  /** Returns the address for a route and a query, which must both be encoded already. */
  url(route: string, query: string): string {
    const { origin, query: siteQuery } = this.site;
    // Slashes in the parameter `rest_route` need no encoding.
    const completeQuery = [siteQuery.slice(1), this.#isPlain ? `rest_route=${route || "/"}` : "", query]
      .filter((item) => item !== "")
      .join("&");
    return `${origin}${this.#base}${this.#isPlain ? "/" : route}${completeQuery && `?${completeQuery}`}`;
  }
}

/**
 * Returns the base path with the values of its variables. Without pretty permalinks, leaves out the last segment, which
 * the query replaces.
 */
function writeBasePath(descriptor: RestInterfaceDescriptor, options: RestClientOptions, isPlain: boolean): string {
  const segments = listSegments(descriptor);
  return (isPlain ? segments.slice(0, -1) : segments)
    .map((segment) => {
      const variable = findVariable(segment);
      return `/${variable === undefined ? segment : getVariableValue(variable, descriptor, options)}`;
    })
    .join("");
}

function listSegments({ base }: RestInterfaceDescriptor): readonly string[] {
  return base.split("/").filter((segment) => segment !== "");
}

/**
 * Returns the name of the variable if a segment of the base path is a variable, such as `{lang}`; otherwise undefined.
 */
function findVariable(segment: string): string | undefined {
  return /^\{(.+)\}$/.exec(segment)?.[1];
}

function getVariableValue(
  variable: string,
  { baseValues = {} }: RestInterfaceDescriptor,
  options: RestClientOptions,
): string {
  const allowedValues = Object.hasOwn(baseValues, variable) ? baseValues[variable] : undefined;
  const option: unknown = Object.hasOwn(options, variable) ? Reflect.get(options, variable) : undefined;
  const value = option ?? allowedValues?.[0];
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new ConfigError(`The option "${variable}" must be a non-empty string: it is a segment of the address.`);
  }
  if (allowedValues !== undefined && !allowedValues.includes(value)) {
    throw new ConfigError(`The option "${variable}" must be one of ${allowedValues.join(", ")}.`);
  }
  return encodePart(value);
}

/** Returns the names of the variables in the base path of an interface. Each is an option of the client. */
export function listBaseVariables(descriptor: RestInterfaceDescriptor): readonly string[] {
  return listSegments(descriptor).flatMap((segment) => findVariable(segment) ?? []);
}

/** Returns the new names of path segments; undefined without the option `wireNames`. */
function readWireSegments(
  { segments = [], by }: RestInterfaceDescriptor,
  names: Readonly<Record<string, string | undefined>> | undefined,
): WireSegments | undefined {
  if (names === undefined) {
    return undefined;
  }
  if (by !== undefined && isSegmentsFeature(by)) {
    return by.renamed(names, segments);
  }
  throw new ConfigError(
    'The option "wireNames" has no effect, because no segment of the interface can be renamed. Remove the option.',
  );
}

function isSegmentsFeature(feature: ImportedFeature<"segments">): feature is SegmentsFeature {
  return "renamed" in feature;
}
