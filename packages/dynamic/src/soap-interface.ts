import type { Fault, Operation, Reference, Service, SoapDescriptors, SoapInterface, TypeId } from "@bothends/generator";
import {
  type OperationDescriptor,
  type ServiceDescriptor,
  type ServiceFacts,
  SoapFault,
  type SoapFaultInit,
  type TypeDescriptor,
  type TypeReference,
} from "@bothends/runtime";
import * as xs from "@bothends/runtime/xs";
import { hasMember, realValue } from "./real-value.js";

/** A SOAP interface of a contract, ready for the runtime. */
export interface DynamicSoapInterface {
  readonly kind: "soap";
  readonly interface: SoapInterface;
  /** What generated code exports as the facts of the interface. */
  readonly facts: ServiceFacts;
  readonly services: readonly DynamicService[];
  /** The descriptor of a type that the interface's model refers to. */
  readonly type: (type: ModelType) => TypeReference<unknown>;
}

type ModelType = SoapOperationBody["type"];
type SoapOperationBody = Extract<Operation["input"]["body"], { readonly kind: "element" }>;

export interface DynamicService {
  readonly service: Service;
  readonly descriptor: ServiceDescriptor;
  readonly operations: readonly DynamicOperation[];
}

export interface DynamicOperation {
  readonly operation: Operation;
  readonly descriptor: OperationDescriptor<Record<string, unknown>, unknown>;
}

export function dynamicSoapInterface(soap: SoapInterface, described: SoapDescriptors): DynamicSoapInterface {
  const descriptors = new SoapDescriptorValues(soap, described);
  return {
    kind: "soap",
    interface: soap,
    facts: descriptors.facts(),
    services: soap.services.map((service) => ({
      service,
      descriptor: descriptors.service(service),
      operations: service.operations.map((operation) => ({ operation, descriptor: descriptors.operation(operation) })),
    })),
    type: (type) => descriptors.type(type),
  };
}

type FaultClass = new (init: SoapFaultInit<unknown>) => SoapFault<unknown>;

const builtins: ReadonlyMap<string, unknown> = new Map<string, unknown>(Object.entries(xs));

/** The descriptors of one interface. Each type, service and fault class is created on first use, and once. */
class SoapDescriptorValues {
  readonly #described: SoapDescriptors;
  readonly #enumerations: ReadonlyMap<TypeId, readonly string[]>;
  readonly #types = new Map<TypeId, TypeDescriptor<unknown>>();
  readonly #services = new Map<Service, ServiceDescriptor>();
  readonly #faults = new Map<Fault, FaultClass>();

  constructor(soap: SoapInterface, described: SoapDescriptors) {
    this.#described = described;
    this.#enumerations = new Map(
      soap.types.flatMap((type) =>
        type.kind === "enumeration" ? [[type.id, type.values.map(({ text }) => text)] as const] : [],
      ),
    );
  }

  facts(): ServiceFacts {
    const facts = this.#real(this.#described.facts);
    return typeof facts === "object" && facts !== null ? facts : {};
  }

  service(service: Service): ServiceDescriptor {
    return createOnce(this.#services, service, () => {
      const descriptor = this.#real(this.#described.service(service));
      if (!isServiceDescriptor(descriptor)) {
        throw new Error(`The service ${service.name} has no descriptor.`);
      }
      return descriptor;
    });
  }

  operation(operation: Operation): OperationDescriptor<Record<string, unknown>, unknown> {
    const descriptor = this.#real(this.#described.operation(operation));
    if (!isOperationDescriptor(descriptor)) {
      throw new Error(`The operation ${operation.name} has no descriptor.`);
    }
    return descriptor;
  }

  type(type: ModelType): TypeReference<unknown> {
    if (type.kind === "named") {
      return () => this.#typeOf(type.id);
    }
    const builtin = builtins.get(type.name);
    if (!isBuiltin(builtin)) {
      throw new Error(`The runtime has no built-in type ${type.name}.`);
    }
    return builtin;
  }

  #typeOf(id: TypeId): TypeDescriptor<unknown> {
    return createOnce(this.#types, id, () => {
      const descriptor = this.#real(this.#described.type(id));
      if (!isTypeDescriptor(descriptor)) {
        throw new Error(`The type ${id} has no descriptor.`);
      }
      return descriptor;
    });
  }

  #real(value: Parameters<typeof realValue>[0]): unknown {
    return realValue(value, (reference) => this.#resolve(reference));
  }

  #resolve(reference: Reference): unknown {
    switch (reference.kind) {
      case "builtin":
      case "xs":
        return builtins.get(reference.name);
      case "type":
        return () => this.#typeOf(reference.id);
      case "values":
        return this.#enumerations.get(reference.id) ?? [];
      case "service":
        return this.service(reference.service);
      case "fault":
        return () => this.#faultClass(reference.fault);
      case "answer":
      case "interface":
      case "rest":
        throw new Error(`A SOAP descriptor refers to a part of REST, ${reference.kind}.`);
    }
  }

  #faultClass(fault: Fault): FaultClass {
    return createOnce(this.#faults, fault, () => class extends SoapFault<unknown> {});
  }
}

function createOnce<Key, Made>(made: Map<Key, Made>, key: Key, create: () => Made): Made {
  const known = made.get(key);
  if (known !== undefined) {
    return known;
  }
  const created = create();
  made.set(key, created);
  return created;
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
