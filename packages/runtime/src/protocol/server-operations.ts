import type { AnyOperationDescriptor, ServiceDescriptor, ServiceFacts } from "../descriptor.js";
import { ConfigError, SoapFault } from "../errors.js";
import { applyWireNames, elementMembers, type OperationNames, type WireNameOptions, wireNames } from "../wire-names.js";
import type { SoapVersion } from "./soap/envelope.js";

/** One operation of a service, with its names on the wire. */
export interface ServedOperation {
  readonly descriptor: AnyOperationDescriptor;
  /** The body's first element; "" for an empty body. */
  readonly element: string;
  readonly actions: Readonly<Partial<Record<SoapVersion, string>>>;
  /** The location after the service's address. */
  readonly locations: Readonly<
    Partial<Record<"httpGet" | "httpPost", { readonly text: string; readonly replace: boolean }>>
  >;
  call(input: unknown, context: unknown): unknown;
}

/** A service whose handlers have not been checked. */
interface UnservedService {
  readonly service: ServiceDescriptor;
  /** By the name of the handler. */
  readonly operations: Readonly<Record<string, AnyOperationDescriptor>>;
  readonly handlers: object;
  /** Whether calls of operations without a handler are answered with a fault. */
  readonly mayLackHandlers: boolean;
}

/** The operations of a service with their handlers. */
export function servedOperations(unserved: UnservedService, names: ServedNames): readonly ServedOperation[] {
  const { service, operations, handlers } = unserved;
  // Without type checks, an object of handlers for several services may lack one of them.
  if (typeof handlers !== "object" || handlers === null) {
    throw new ConfigError(`There are no handlers for the service ${service.name}.`);
  }
  return Object.entries(operations).map(([key, descriptor]) =>
    servedOperation(descriptor, handlerOf(key, descriptor, unserved), names),
  );
}

type Handler = ServedOperation["call"];

function handlerOf(
  key: string,
  { name }: AnyOperationDescriptor,
  { handlers, mayLackHandlers }: UnservedService,
): Handler {
  const handler: unknown = Reflect.get(handlers, key);
  if (typeof handler === "function") {
    return (input, context) => Reflect.apply(handler, handlers, [input, context]);
  }
  if (handler !== undefined || !mayLackHandlers) {
    throw new ConfigError(`There is no handler ${key}.`, { operation: name });
  }
  return () => {
    throw new SoapFault({ code: "Server", reason: `The operation ${name} is not implemented.` });
  };
}

function servedOperation(descriptor: AnyOperationDescriptor, call: Handler, names: ServedNames): ServedOperation {
  const { bindings } = descriptor;
  const wireNames = names.of(descriptor);
  const locationOf = (protocol: "httpGet" | "httpPost") => {
    const binding = bindings[protocol];
    return binding && { text: wireNames.location(binding.location), replace: binding.replace === true };
  };
  return {
    descriptor,
    element: firstElement(descriptor, wireNames),
    actions: defined({
      soap11: bindings.soap11 && wireNames.action(bindings.soap11.action),
      soap12: bindings.soap12 && wireNames.action(bindings.soap12.action),
    }),
    locations: defined({ httpGet: locationOf("httpGet"), httpPost: locationOf("httpPost") }),
    call,
  };
}

type Defined<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

function defined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}

function firstElement({ input: { body } }: AnyOperationDescriptor, names: OperationNames): string {
  if ("element" in body) {
    return names.element(body.element);
  }
  const [first] = elementMembers(body.parts());
  return first === undefined ? "" : names.element(first.name);
}

/** The wire names of one service. */
export interface ServedNames {
  /** Wire namespaces, by the namespaces of the schema. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly elements: ReadonlyMap<string, string>;
  of(operation: AnyOperationDescriptor): OperationNames;
  namespace(namespace: string): string;
  /** The text for a slot of a published document. */
  operationSlot(name: string): string;
  namespaceSlot(slot: string): string;
}

/** Maps the schema's names to those in the options. */
export function servedNames(
  operations: readonly AnyOperationDescriptor[],
  facts: ServiceFacts = {},
  options: WireNameOptions = {},
): ServedNames {
  const names = wireNames(facts, options);
  const namesOf = new Map(operations.map((operation) => [operation, applyWireNames(operation, names)]));
  const namespaceOf = (namespace: string) => names.namespaces.get(namespace) ?? namespace;
  const slots = new Map(Object.entries(facts.slots?.namespaces ?? {}));
  return {
    namespaces: names.namespaces,
    elements: new Map([...namesOf.values()].flatMap(({ elements }) => [...elements])),
    of: (operation) => namesOf.get(operation) ?? applyWireNames(operation, names),
    namespace: namespaceOf,
    operationSlot: (name) => names.operations.get(name) ?? name,
    namespaceSlot: (slot) => namespaceOf(slots.get(slot) ?? ""),
  };
}
