import {
  type Contract,
  describe,
  type Endpoint,
  type Fault,
  type Operation,
  type Reference,
  type RestDescriptors,
  type RestInterface,
  type Service,
  type SoapDescriptors,
  type SoapInterface,
  type TypeId,
  type Value,
} from "@bothends/generator";
import {
  type AnyEndpointDescriptor,
  type InterfaceSettings,
  type JsonValue,
  type OperationDescriptor,
  type RestInterfaceDescriptor,
  type ServiceDescriptor,
  SoapFault,
  type SoapFaultInit,
  type TypeDescriptor,
  type TypeReference,
} from "@bothends/runtime";
import { pathPattern, segmentNames } from "@bothends/runtime/rest";
import * as xs from "@bothends/runtime/xs";

/** The descriptors of all interfaces of a contract, in the form that the runtime uses. */
export interface DynamicContract {
  /** The interfaces in the order of the contract. */
  readonly interfaces: readonly DynamicInterface[];
}

export type DynamicInterface = DynamicSoapInterface | DynamicRestInterface;

/** Creates the descriptors that the generated packages of a contract would export. The contract must have no errors. */
export function createDynamicContract(contract: Contract): DynamicContract {
  const descriptions = describe(contract);
  return {
    interfaces: contract.interfaces.flatMap((contractInterface): readonly DynamicInterface[] => {
      const interfaceDescriptors = descriptions.get(contractInterface);
      if (contractInterface.kind === "soap" && interfaceDescriptors?.kind === "soap") {
        return [createSoapInterface(contractInterface, interfaceDescriptors)];
      }
      if (contractInterface.kind === "rest" && interfaceDescriptors?.kind === "rest") {
        return [createRestInterface(contractInterface, interfaceDescriptors)];
      }
      return [];
    }),
  };
}

/** The descriptors of a SOAP interface, in the form that the runtime uses. */
export interface DynamicSoapInterface {
  readonly kind: "soap";
  readonly interface: SoapInterface;
  /** The settings that generated code exports for the interface. */
  readonly settings: InterfaceSettings;
  readonly services: readonly DynamicService[];
  /** Returns the descriptor of a type of the interface. */
  readonly type: (type: ModelType) => TypeReference<unknown>;
}

type ModelType = SoapOperationBody["type"];
type SoapOperationBody = Extract<Operation["input"]["body"], { readonly kind: "element" }>;

/** A service, and its descriptor. */
export interface DynamicService {
  readonly service: Service;
  readonly descriptor: ServiceDescriptor;
  readonly operations: readonly DynamicOperation[];
}

/** An operation, and its descriptor. */
export interface DynamicOperation {
  readonly operation: Operation;
  readonly descriptor: OperationDescriptor<Record<string, unknown>, unknown>;
}

function createSoapInterface(soap: SoapInterface, soapDescriptors: SoapDescriptors): DynamicSoapInterface {
  const descriptors = new SoapDescriptorValues(soap, soapDescriptors);
  return {
    kind: "soap",
    interface: soap,
    settings: descriptors.getSettings(),
    services: soap.services.map((service) => ({
      service,
      descriptor: descriptors.getService(service),
      operations: service.operations.map((operation) => ({
        operation,
        descriptor: descriptors.getOperation(operation),
      })),
    })),
    type: (type) => descriptors.describeType(type),
  };
}

type FaultClass = new (init: SoapFaultInit<unknown>) => SoapFault<unknown>;

const builtins: ReadonlyMap<string, unknown> = new Map<string, unknown>(Object.entries(xs));

/** Creates the descriptors of one interface. Each type, service and fault class is created once, on first use. */
class SoapDescriptorValues {
  readonly #soapDescriptors: SoapDescriptors;
  readonly #enumerations: ReadonlyMap<TypeId, readonly string[]>;
  readonly #types = new Map<TypeId, TypeDescriptor<unknown>>();
  readonly #services = new Map<Service, ServiceDescriptor>();
  readonly #faults = new Map<Fault, FaultClass>();

  constructor(soap: SoapInterface, soapDescriptors: SoapDescriptors) {
    this.#soapDescriptors = soapDescriptors;
    this.#enumerations = new Map(
      soap.types.flatMap((type) =>
        type.kind === "enumeration" ? [[type.id, type.values.map(({ text }) => text)] as const] : [],
      ),
    );
  }

  getSettings(): InterfaceSettings {
    const settings = this.#getValue(this.#soapDescriptors.settings);
    return typeof settings === "object" && settings !== null ? settings : {};
  }

  getService(service: Service): ServiceDescriptor {
    return getOrCreate(this.#services, service, () => {
      const descriptor = this.#getValue(this.#soapDescriptors.describeService(service));
      if (!isServiceDescriptor(descriptor)) {
        throw new Error(`The service ${service.name} has no descriptor.`);
      }
      return descriptor;
    });
  }

  getOperation(operation: Operation): OperationDescriptor<Record<string, unknown>, unknown> {
    const descriptor = this.#getValue(this.#soapDescriptors.describeOperation(operation));
    if (!isOperationDescriptor(descriptor)) {
      throw new Error(`The operation ${operation.name} has no descriptor.`);
    }
    return descriptor;
  }

  describeType(type: ModelType): TypeReference<unknown> {
    if (type.kind === "named") {
      return () => this.#getType(type.id);
    }
    const builtin = builtins.get(type.name);
    if (!isBuiltin(builtin)) {
      throw new Error(`The runtime has no built-in type ${type.name}.`);
    }
    return builtin;
  }

  #getType(id: TypeId): TypeDescriptor<unknown> {
    return getOrCreate(this.#types, id, () => {
      const descriptor = this.#getValue(this.#soapDescriptors.describeType(id));
      if (!isTypeDescriptor(descriptor)) {
        throw new Error(`The type ${id} has no descriptor.`);
      }
      return descriptor;
    });
  }

  #getValue(value: Parameters<typeof toJavaScriptValue>[0]): unknown {
    return toJavaScriptValue(value, (reference) => this.#resolve(reference));
  }

  #resolve(reference: Reference): unknown {
    switch (reference.kind) {
      case "builtin":
      case "xs":
        return builtins.get(reference.name);
      case "type":
        return () => this.#getType(reference.id);
      case "values":
        return this.#enumerations.get(reference.id) ?? [];
      case "service":
        return this.getService(reference.service);
      case "fault":
        return () => this.#createFaultClass(reference.fault);
      case "answer":
      case "interface":
      case "rest":
        throw new Error(`A SOAP descriptor contains a reference of the kind "${reference.kind}", which only REST has.`);
    }
  }

  #createFaultClass(fault: Fault): FaultClass {
    return getOrCreate(this.#faults, fault, () => class extends SoapFault<unknown> {});
  }
}

function getOrCreate<Key, Made>(cache: Map<Key, Made>, key: Key, create: () => Made): Made {
  const existingClass = cache.get(key);
  if (existingClass !== undefined) {
    return existingClass;
  }
  const newValue = create();
  cache.set(key, newValue);
  return newValue;
}

function isServiceDescriptor(value: unknown): value is ServiceDescriptor {
  return hasMember(value, "descriptorFormat", 2);
}

function isOperationDescriptor(value: unknown): value is OperationDescriptor<Record<string, unknown>, unknown> {
  return hasMember(value, "kind", "operation");
}

function isTypeDescriptor(value: unknown): value is TypeDescriptor<unknown> {
  return typeof value === "object" && value !== null && "kind" in value;
}

function isBuiltin(value: unknown): value is Extract<TypeReference<unknown>, object> {
  return hasMember(value, "kind", "simple") || hasMember(value, "kind", "anyType");
}

/** The descriptors of a REST interface, in the form that the runtime uses. */
export interface DynamicRestInterface {
  readonly kind: "rest";
  readonly interface: RestInterface;
  readonly descriptor: RestInterfaceDescriptor;
  readonly endpoints: readonly DynamicEndpoint[];
  /** The index, which a server publishes and uses to validate arguments. */
  readonly index: JsonValue;
}

/** An endpoint, and its descriptor. */
export interface DynamicEndpoint {
  readonly endpoint: Endpoint;
  readonly descriptor: AnyEndpointDescriptor;
}

function createRestInterface(rest: RestInterface, restDescriptors: RestDescriptors): DynamicRestInterface {
  const descriptor = getDescriptor(restDescriptors.interface, undefined);
  if (!isRestInterfaceDescriptor(descriptor)) {
    throw new Error(`The interface ${rest.name} has no descriptor.`);
  }
  return {
    kind: "rest",
    interface: rest,
    descriptor,
    endpoints: rest.endpoints.map((endpoint) => ({
      endpoint,
      descriptor: createEndpointDescriptor(endpoint, restDescriptors.describeEndpoint(endpoint), descriptor),
    })),
    index: rest.document,
  };
}

function createEndpointDescriptor(
  { operation }: Endpoint,
  describedValue: Value,
  interfaceDescriptor: RestInterfaceDescriptor,
): AnyEndpointDescriptor {
  const descriptor = getDescriptor(describedValue, interfaceDescriptor);
  if (!isEndpointDescriptor(descriptor)) {
    throw new Error(`The endpoint ${operation.join(".")} has no descriptor.`);
  }
  return descriptor;
}

function getDescriptor(describedValue: Value, interfaceDescriptor: RestInterfaceDescriptor | undefined): unknown {
  return toJavaScriptValue(describedValue, (reference) => {
    if (reference.kind === "rest") {
      return runtimeParts[reference.name];
    }
    if (reference.kind !== "interface") {
      throw new Error(`A REST descriptor contains a reference of the kind "${reference.kind}", which only SOAP has.`);
    }
    return interfaceDescriptor;
  });
}

const runtimeParts = { pathPattern, segmentNames } as const;

function isRestInterfaceDescriptor(value: unknown): value is RestInterfaceDescriptor {
  return hasMember(value, "descriptorFormat", 2);
}

function isEndpointDescriptor(value: unknown): value is AnyEndpointDescriptor {
  return hasMember(value, "kind", "endpoint");
}

/** Converts a described value to a JavaScript value. `resolve` returns the value of a reference. */
function toJavaScriptValue(value: Value, resolve: (reference: Reference) => unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isList(value)) {
    return value.map((item) => toJavaScriptValue(item, resolve));
  }
  if (value.kind !== "object") {
    return resolve(value);
  }
  return Object.fromEntries(value.members.map(([key, member]) => [key, toJavaScriptValue(member, resolve)]));
}

/** Whether a value is an object with a member of the given name and value. */
function hasMember(value: unknown, name: string, expected: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, name) === expected;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
