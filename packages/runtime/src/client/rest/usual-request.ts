import type {
  AnyEndpointDescriptor,
  ArgDescriptor,
  ImportedFeature,
  MemberDescriptor,
  Method,
  PathPiece,
  RestInterfaceDescriptor,
} from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import type { SegmentsFeature, WireSegments } from "../../rest/segment-names.js";
import { type Address, omitSlash } from "../address.js";
import type { ClientRequest } from "../hooks.js";
import type { RestCallOptions, RestClientOptions } from "../options.js";
import { readAddress } from "../read-address.js";

/** The parts of a request: the input, and the options of the call that change the request. */
export interface RequestParts extends Pick<RestCallOptions, "extra" | "upload" | "fields" | "embed"> {
  readonly input: unknown;
  readonly method: Method;
}

/** The address and the headers of an interface's requests. */
export interface InterfaceTarget {
  readonly address: RestAddress;
  readonly headers: RestHeaders;
}

/** The headers of requests, depending on whether they have a JSON body. */
export interface RestHeaders {
  readonly withoutBody: Headers;
  readonly withBody: Headers;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Creates the headers of a client's requests once. They are frozen, so that they can be merged with other headers once.
 */
export function createRestHeaders(authorization: string | undefined): RestHeaders {
  const withoutBody = {
    Accept: "application/json",
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  return {
    withoutBody: Object.freeze(withoutBody),
    withBody: Object.freeze({ ...withoutBody, "Content-Type": "application/json" }),
  };
}

/**
 * Writes a request of the most frequent kind: its arguments are valid strings, numbers or booleans, or lists of these.
 * Throws for all other requests. `request.ts` is then loaded; it can write every request, and reports invalid
 * arguments.
 */
export function writeUsualRequest(
  { name, methods, path, args }: AnyEndpointDescriptor,
  { input, method, extra, upload, fields, embed }: RequestParts,
  { address, headers }: InterfaceTarget,
): ClientRequest {
  if (
    !methods.includes(method) ||
    address.wireSegments !== undefined ||
    (extra ?? upload ?? fields ?? embed) !== undefined
  ) {
    stop();
  }
  const values = writeUsualArguments(input, args);
  const route = writeUsualPath(path, values);
  const sendsArgumentsInQuery = method === "GET" || method === "DELETE";
  const query = sendsArgumentsInQuery ? [...values].map(writeParameter).join("&") : "";
  const request = { operation: name, method, url: address.url(route, query) };
  return sendsArgumentsInQuery || values.size === 0
    ? { ...request, headers: headers.withoutBody, body: undefined }
    : { ...request, headers: headers.withBody, body: JSON.stringify(Object.fromEntries(values)) };
}

/**
 * The error that `writeUsualRequest` throws. There is only one instance, so that tests can recognize it and no stack
 * trace has to be created.
 */
export const unusualRequest = /* @__PURE__ */ new Error("unusual");

/** Ends the attempt to write a request that is unusual or invalid. */
function stop(): never {
  throw unusualRequest;
}

type UsualValue = string | number | boolean;
type UsualArguments = Map<string, UsualValue | readonly UsualValue[]>;

function writeUsualArguments(input: unknown, args: Readonly<Record<string, ArgDescriptor>>): UsualArguments {
  const values: UsualArguments = new Map();
  for (const [name, value] of typeof input === "object" ? Object.entries(Object(input)) : stop()) {
    if (value !== undefined) {
      values.set(name, writeUsualArgument(value, (Object.hasOwn(args, name) && args[name]) || stop()));
    }
  }
  if (Object.keys(args).some((name) => args[name]?.required && !values.has(name))) {
    stop();
  }
  return values;
}

function writeUsualArgument(value: unknown, arg: MemberDescriptor): UsualValue | readonly UsualValue[] {
  if (!Array.isArray(value)) {
    return writeUsualValue(value, arg);
  }
  checkType(["array"], arg);
  const items: readonly unknown[] = [...value];
  return arg.enum === undefined ? items.map((item) => writeUsualValue(item, arg.items ?? {})) : stop();
}

function writeUsualValue(value: unknown, arg: MemberDescriptor): UsualValue {
  checkType([typeof value, Number.isInteger(value) ? "integer" : ""], arg);
  if (arg.enum?.some((allowedValue) => allowedValue === value) === false) {
    stop();
  }
  const isUsual =
    typeof value === "string" ? !/[\ud800-\udfff]/u.test(value) : typeof value === "boolean" || Number.isFinite(value);
  return isUsual ? (value as UsualValue) : stop();
}

/** Refuses a value if the argument allows none of the value's types. */
function checkType(types: readonly string[], { type }: MemberDescriptor): void {
  if (type !== undefined && ![type].flat().some((allowedType) => types.includes(allowedType))) {
    stop();
  }
}

/** Writes a path whose variables contain neither slashes nor dot segments, and removes their values from `values`. */
function writeUsualPath(path: readonly PathPiece[], values: UsualArguments): string {
  const pieces = path.map((piece) => {
    if (typeof piece === "string") {
      return piece.split("/").map(encodePart).join("/");
    }
    const name = "variable" in piece ? piece.variable : stop();
    const value = values.get(name);
    values.delete(name);
    const isText = typeof value === "string" && !/^\.{0,2}$|\//.test(value);
    return isText || typeof value === "number" ? encodePart(String(value)) : stop();
  });
  const text = pieces.join("");
  return /\/\.{1,2}(?:\/|$)/.test(text) ? stop() : text;
}

/** Writes an argument as a query that PHP can read: a list as `k[]=a&k[]=b`, and an empty list as `k=`. */
function writeParameter([name, value]: readonly [string, UsualValue | readonly UsualValue[]]): string {
  const key = encodePart(name);
  if (typeof value !== "object") {
    return `${key}=${encodePart(String(value))}`;
  }
  return value.map((item) => `${key}%5B%5D=${encodePart(String(item))}`).join("&") || `${key}=`;
}

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
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
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
    return by.read(names, segments);
  }
  throw new ConfigError('Remove the option "wireNames": no segment of the interface can be renamed.');
}

function isSegmentsFeature(feature: ImportedFeature<"segments">): feature is SegmentsFeature {
  return "read" in feature;
}
