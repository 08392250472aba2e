import type { Endpoint, RestDescriptors, RestInterface, Value } from "@bothends/generator";
import type { AnyEndpointDescriptor, JsonObject, JsonValue, RestInterfaceDescriptor } from "@bothends/runtime";

/** An endpoint as the runtime takes it, with what the index says of its arguments. */
export interface RealEndpoint {
  readonly descriptor: AnyEndpointDescriptor;
  readonly operation: readonly string[];
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

/** A REST interface as the runtime takes it, without generated code between. */
export interface RealInterface {
  readonly interface: RestInterfaceDescriptor;
  readonly endpoints: readonly RealEndpoint[];
  readonly index: JsonValue;
}

export function realInterface(rest: RestInterface, descriptors: RestDescriptors): RealInterface {
  const real = realValue(descriptors.interface, undefined);
  if (!isInterface(real)) throw new Error("The interface has no descriptor.");
  return {
    interface: real,
    endpoints: rest.endpoints.map((endpoint) => realEndpoint(endpoint, { rest, descriptors, real })),
    index: rest.document,
  };
}

function realEndpoint(
  endpoint: Endpoint,
  {
    rest,
    descriptors,
    real,
  }: { readonly rest: RestInterface; readonly descriptors: RestDescriptors; readonly real: object },
): RealEndpoint {
  const value = descriptors.endpoints.get(endpoint);
  const descriptor = value === undefined ? undefined : realValue(value, real);
  if (!isEndpoint(descriptor)) throw new Error(`The endpoint ${endpoint.operation.join(".")} has no descriptor.`);
  return { descriptor, operation: endpoint.operation, definitions: definitionsOf(endpoint, rest.document) };
}

function realValue(value: Value, itself: object | undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((each) => realValue(each, itself));
  if (value.kind === "interface") return itself;
  if (value.kind !== "object") throw new Error(`An endpoint does not refer to a ${value.kind}.`);
  return Object.fromEntries(value.members.map(([key, each]) => [key, realValue(each, itself)]));
}

/** The arguments of the first endpoint of a route that has the method, as the index defines them. */
function definitionsOf({ route, methods }: Endpoint, index: JsonValue): ReadonlyMap<string, JsonObject> {
  const endpoints = memberOf(memberOf(memberOf(index, "routes"), route), "endpoints");
  const found = (Array.isArray(endpoints) ? endpoints : []).find((one) => {
    const words = memberOf(one, "methods");
    return Array.isArray(words) ? words.includes(methods[0]) : memberOf(words, methods[0]) !== undefined;
  });
  const args = memberOf(found, "args");
  if (typeof args !== "object" || args === null) return new Map();
  return new Map(Object.entries(args).map(([name, each]) => [name, isObject(each) ? each : {}]));
}

export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isInterface(value: unknown): value is RestInterfaceDescriptor {
  return typeof value === "object" && value !== null && "descriptorFormat" in value;
}

function isEndpoint(value: unknown): value is AnyEndpointDescriptor {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "endpoint";
}
