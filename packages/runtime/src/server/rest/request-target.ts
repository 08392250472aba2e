import type { JsonValue, RestInterfaceDescriptor } from "../../descriptor.js";
import type { RouteMatch } from "../../rest/route-syntax/index.js";
import type { RestInput } from "./service.js";

// Finds the interface of a request by its base path, and remembers the targets of repeated requests.

/** The target of a request, split into its parts. */
export interface RouteTarget {
  /** The decoded path of the route; undefined for a path that no route can have. */
  readonly path: string | undefined;
  /** The offsets in `path` of characters that were escaped although they need no escape, if there are any. */
  readonly escapes?: readonly number[] | undefined;
  /** Whether the path contains dot segments or backslashes, so that no route can have it. */
  readonly isAmbiguous?: boolean;
  readonly query: string;
  /** The values that the base path has for its variables. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the server rewrote the path or query of the request. If so, the call is not cached. */
  readonly isRewritten: boolean;
}

/** A request whose arguments have been read. */
interface ReadRequest<Route, Endpoint> {
  readonly request: { readonly method: string; readonly target: string };
  readonly target: RouteTarget;
  readonly match: RouteMatch<Route>;
  readonly endpoint: Endpoint;
  readonly query: ReadonlyMap<string, JsonValue>;
  readonly input: RestInput;
}

/**
 * The endpoint and arguments of a GET request without a body. They can be cached because they depend only on the target
 * of the request.
 */
export interface KnownRequest<Route, Endpoint> {
  /** The target as received. */
  readonly text: string;
  readonly target: RouteTarget;
  readonly match: RouteMatch<Route>;
  readonly endpoint: Endpoint;
  /**
   * The values in the query. Handlers can change their input, so they receive copies of these values from
   * `createInput`.
   */
  readonly query: ReadonlyMap<string, JsonValue>;
  /** Returns a new input that contains copies of the arguments. */
  createInput(): RestInput;
}

/**
 * The maximum length of a target in the cache. Together with the number of cached requests, this length limits the
 * memory that clients can occupy.
 */
const maxTargetChars = 1_000;
const bucketCount = 32;
const bucketSize = 4;
const newTargetCount = 128;

/**
 * Caches the endpoints and arguments of GET requests, because the clients of a site often repeat the same few requests.
 * Finding an endpoint and reading 13 arguments takes 3 of 22 µs; copying the arguments takes 0.3 µs. A request is
 * cached only when it arrives for the second time, so that requests that are all different do not fill the cache. The
 * cache makes such requests 1 % slower; a `Map`, which hashes all characters of a target, would make them 3 % slower.
 */
export class KnownRequests<Route, Endpoint> {
  readonly #buckets: readonly KnownRequest<Route, Endpoint>[][] = Array.from({ length: bucketCount }, () => []);
  /** Targets that have arrived only once. Each new target replaces the target that was in the same slot. */
  readonly #newTargets: string[] = Array.from({ length: newTargetCount }, () => "");

  find(method: string, target: string): KnownRequest<Route, Endpoint> | undefined {
    if (!isCacheable(method, target)) {
      return undefined;
    }
    const bucket = this.#buckets[hashText(target) % bucketCount] ?? [];
    for (let index = 0; index < bucket.length; index += 1) {
      const knownRequest = bucket[index];
      if (knownRequest?.text === target) {
        return knownRequest;
      }
    }
    return undefined;
  }

  /** Caches a valid call without a body if its target arrives for the second time. */
  cacheRequest({ request, target, match, endpoint, query, input }: ReadRequest<Route, Endpoint>): void {
    const { method, target: text } = request;
    if (target.isRewritten || !isCacheable(method, text)) {
      return;
    }
    const hash = hashText(text);
    if (this.#newTargets[hash % newTargetCount] !== text) {
      this.#newTargets[hash % newTargetCount] = text;
      return;
    }
    const names = Object.keys(input);
    const values = Object.values(input);
    const bucket = this.#buckets[hash % bucketCount];
    if (bucket === undefined || !values.every(isCopyable) || ![...query.values()].every(isCopyable)) {
      return;
    }
    if (bucket.length >= bucketSize) {
      bucket.shift();
    }
    const copiedValues = values.map(copyList);
    bucket.push({
      text,
      target,
      match,
      endpoint,
      query: new Map([...query].map(([name, value]) => [name, copyList(value)])),
      createInput: () => createInput(names, copiedValues),
    });
  }
}

function isCacheable(method: string, target: string): boolean {
  return (method === "GET" || method === "HEAD") && target.length <= maxTargetChars;
}

/** The maximum number of characters from which `hashText` computes a hash. */
const hashedChars = 32;

/** Returns a hash that depends on a target's length and on some of its characters. */
function hashText(text: string): number {
  const step = Math.ceil(text.length / hashedChars);
  let hash = text.length;
  for (let offset = 0; offset < text.length; offset += step) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(offset)) & 0xff_ffff;
  }
  return hash;
}

/** Whether a value is a string, number, boolean or null, or a list of such values. */
function isCopyable(value: JsonValue | undefined): boolean {
  return typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isScalar));
}

function isScalar(item: JsonValue): boolean {
  return typeof item !== "object" || item === null;
}

function copyList<Value extends JsonValue | undefined>(value: Value): Value | JsonValue[] {
  return Array.isArray(value) ? value.slice() : value;
}

/**
 * Returns an input with copies of the values. Sets the members one by one, because a spread is slow when objects have
 * more than four shapes.
 */
function createInput(names: readonly string[], values: readonly (JsonValue | undefined)[]): RestInput {
  const input: Record<string, JsonValue> = {};
  for (let index = 0; index < names.length; index += 1) {
    const value = values[index];
    if (value !== undefined) {
      input[names[index] ?? ""] = copyList(value);
    }
  }
  return input;
}

/** The base path of an interface, with which all paths of the interface begin: `/{lang}/wp-json`. */
export interface BasePath {
  readonly segments: readonly BaseSegment[];
  /** The allowed values of the variables, by name. A variable that is not listed accepts any value. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

type BaseSegment = { readonly literal: string } | { readonly variable: string };

/** Splits the base path of an interface into segments. A segment `{name}` is a variable. */
export function compileBase({ base, baseValues = {} }: Pick<RestInterfaceDescriptor, "base" | "baseValues">): BasePath {
  const segments = base
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment): BaseSegment => {
      const variable = /^\{(.+)\}$/.exec(segment)?.[1];
      return variable === undefined ? { literal: segment } : { variable };
    });
  return { segments, values: new Map(Object.entries(baseValues)) };
}

/** Returns a base path as text, without a slash at its end: `/{lang}/wp-json`. */
export function formatBase({ segments }: BasePath): string {
  return segments.map((segment) => ("literal" in segment ? `/${segment.literal}` : `/{${segment.variable}}`)).join("");
}

/** The parts of a request's path that begins with a base path. */
export interface BaseMatch {
  /** The part of the path that follows the base path, percent-encoded. It is empty or begins with a slash. */
  readonly routePath: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Whether each variable of the base path has a value that is allowed. */
  readonly isAllowed: boolean;
}

/** Compares the beginning of a percent-encoded path with a base path. Returns undefined if it does not match. */
export function matchBase(path: string, base: BasePath): BaseMatch | undefined {
  let variables: Map<string, string> | undefined;
  let isAllowed = true;
  let offset = 0;
  for (const segment of base.segments) {
    if (path.charAt(offset) !== "/") {
      return undefined;
    }
    const slash = path.indexOf("/", offset + 1);
    const end = slash < 0 ? path.length : slash;
    const text = path.slice(offset + 1, end);
    if ("literal" in segment) {
      if (text !== segment.literal) {
        return undefined;
      }
    } else {
      if (text === "") {
        return undefined;
      }
      variables ??= new Map();
      variables.set(segment.variable, text);
      isAllowed &&= base.values.get(segment.variable)?.includes(text) ?? true;
    }
    offset = end;
  }
  return { routePath: path.slice(offset), variables: variables ?? noVariables, isAllowed };
}

/** Writes a base path with the values of its variables. Variables without a value get their default. */
export function fillBase(base: BasePath, variables: ReadonlyMap<string, string>): string {
  let path = "";
  for (const segment of base.segments) {
    path += `/${"literal" in segment ? segment.literal : getVariableValue(segment.variable, base, variables)}`;
  }
  return path;
}

const noVariables: ReadonlyMap<string, string> = new Map();

function getVariableValue(variable: string, base: BasePath, variables: ReadonlyMap<string, string>): string {
  return variables.get(variable) ?? base.values.get(variable)?.[0] ?? "";
}
