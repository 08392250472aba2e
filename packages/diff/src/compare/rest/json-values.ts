import type { Endpoint, JsonPositions, JsonValue, Span } from "@bothends/generator";

// Reads the JSON values of an index.

/**
 * The key of an object's positions. A symbol is not a member in JSON, but copies of an object keep it, so that a schema
 * that was merged from others still has positions.
 */
const positionsKey = Symbol("positions");

/** An object of an index, such as the definition of an argument. */
export type JsonMembers = { readonly [name: string]: JsonValue; readonly [positionsKey]?: JsonPositions };

/** Returns a copy of a value in which each object has its positions. */
export function addPositions<Value extends JsonValue>(value: Value, positions: JsonPositions): Value;
export function addPositions(value: JsonValue, positions: JsonPositions): JsonValue {
  const addToPart = (part: JsonValue, name: string | number) => {
    const ofPart = positions.parts?.[name];
    return ofPart === undefined ? part : addPositions(part, ofPart);
  };
  if (isList(value)) {
    return value.map(addToPart);
  }
  if (!isObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(([name, member]) => [name, addToPart(member, name)] as const);
  const copy: JsonMembers = { ...Object.fromEntries(members), [positionsKey]: positions };
  return copy;
}

/** Returns the position of a part of an object, or of the innermost part that contains it; undefined if it has none. */
export function findSpan(object: JsonMembers, path: readonly (string | number)[] = []): Span | undefined {
  let positions = object[positionsKey];
  for (const name of path) {
    const ofPart = positions?.parts?.[name];
    if (ofPart === undefined) {
      break;
    }
    positions = ofPart;
  }
  return positions?.span;
}

/** Returns the positions of a part of both versions of a schema. */
export function findSpans(
  [before, after]: readonly [JsonMembers, JsonMembers],
  path: readonly (string | number)[] = [],
): { readonly oldSpan: Span | undefined; readonly newSpan: Span | undefined } {
  return { oldSpan: findSpan(before, path), newSpan: findSpan(after, path) };
}

/** Returns a value as JSON with sorted members, so that equal values have equal JSON. */
export function formatJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function getMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the member of an object if the member is an object; otherwise an empty object. */
export function getObject(value: JsonValue | undefined, name: string): JsonMembers {
  const member = getMember(value, name);
  return isObject(member) ? member : {};
}

/** Returns the form of a value in a query, as servers receive it. An empty list or object is sent as an empty text. */
export function writeInQuery(value: JsonValue): JsonValue {
  if (isList(value)) {
    return value.length > 0 ? value.map(writeInQuery) : "";
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, member]) => [name, writeInQuery(member)] as const);
    return entries.length > 0 ? Object.fromEntries(entries) : "";
  }
  return String(value ?? "");
}

/** Returns the definition of an argument in an index; an empty object if the index does not declare the argument. */
export function getArgumentDefinition(index: JsonValue, endpoint: Endpoint, name: string): JsonMembers {
  return getObject(getMember(findEndpointDefinition(index, endpoint), "args"), name);
}

/** Returns the variables of a path in order, including those of optional parts. */
export function listVariables(path: Endpoint["path"]): readonly PathVariable[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) {
      return [];
    }
    return "optional" in piece ? listVariables(piece.optional) : [piece];
  });
}

/** A variable of a path. */
export type PathVariable = Extract<Endpoint["path"][number], { readonly variable: string }>;

/** The old and the new version of an endpoint. */
export interface Endpoints {
  readonly before: Endpoint;
  readonly after: Endpoint;
}

/** Returns the definition of an endpoint in the index; undefined if the index contains none. */
export function findEndpointDefinition(index: JsonValue, { route, methods }: Endpoint): JsonValue | undefined {
  const endpoints = getMember(getMember(getMember(index, "routes"), route), "endpoints");
  return (isList(endpoints) ? endpoints : []).find((endpoint) => {
    const methodsMember = getMember(endpoint, "methods");
    return isList(methodsMember)
      ? methodsMember.includes(methods[0])
      : getMember(methodsMember, methods[0]) !== undefined;
  });
}
