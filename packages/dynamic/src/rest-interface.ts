import type { Endpoint, RestDescriptors, RestInterface, Value } from "@bothends/generator";
import type { AnyEndpointDescriptor, JsonValue, RestInterfaceDescriptor } from "@bothends/runtime";
import { pathPattern, segmentNames } from "@bothends/runtime/rest";
import { hasMember, realValue } from "./real-value.js";

/** A REST interface of a contract, ready for the runtime. */
export interface DynamicRestInterface {
  readonly kind: "rest";
  readonly interface: RestInterface;
  readonly descriptor: RestInterfaceDescriptor;
  readonly endpoints: readonly DynamicEndpoint[];
  /** The index document, which a server publishes and validates by. */
  readonly index: JsonValue;
}

export interface DynamicEndpoint {
  readonly endpoint: Endpoint;
  readonly descriptor: AnyEndpointDescriptor;
}

export function dynamicRestInterface(rest: RestInterface, described: RestDescriptors): DynamicRestInterface {
  const descriptor = descriptorOf(described.interface, undefined);
  if (!isInterfaceDescriptor(descriptor)) {
    throw new Error(`The interface ${rest.name} has no descriptor.`);
  }
  return {
    kind: "rest",
    interface: rest,
    descriptor,
    endpoints: rest.endpoints.map((endpoint) => ({
      endpoint,
      descriptor: endpointDescriptor(endpoint, described.endpoint(endpoint), descriptor),
    })),
    index: rest.document,
  };
}

function endpointDescriptor(
  { operation }: Endpoint,
  described: Value,
  ofInterface: RestInterfaceDescriptor,
): AnyEndpointDescriptor {
  const descriptor = descriptorOf(described, ofInterface);
  if (!isEndpointDescriptor(descriptor)) {
    throw new Error(`The endpoint ${operation.join(".")} has no descriptor.`);
  }
  return descriptor;
}

function descriptorOf(described: Value, ofInterface: RestInterfaceDescriptor | undefined): unknown {
  return realValue(described, (reference) => {
    if (reference.kind === "rest") {
      return runtimeParts[reference.name];
    }
    if (reference.kind !== "interface") {
      throw new Error(`A REST descriptor refers to a ${reference.kind}.`);
    }
    return ofInterface;
  });
}

const runtimeParts = { pathPattern, segmentNames } as const;

function isInterfaceDescriptor(value: unknown): value is RestInterfaceDescriptor {
  return hasMember(value, "descriptorFormat", 2);
}

function isEndpointDescriptor(value: unknown): value is AnyEndpointDescriptor {
  return hasMember(value, "kind", "endpoint");
}
