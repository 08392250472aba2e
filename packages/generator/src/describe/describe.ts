import type { Contract, Endpoint, Operation, RestInterface, Service, SoapInterface, TypeId } from "../model/index.js";
import { type AnswerValues, describeAnswers, describeEndpoint, describeJson, describeRestInterface } from "./rest.js";
import { describeOperation, describeService, describeSettings, describeType } from "./soap.js";
import type { Value } from "./value.js";

export { sortArgs } from "./rest.js";
export type { ObjectValue, Reference, Value } from "./value.js";

/** The descriptors of each interface as plain data. */
export type Descriptors = ReadonlyMap<SoapInterface | RestInterface, InterfaceDescriptors>;

/** The descriptors of one interface. */
export type InterfaceDescriptors = SoapDescriptors | RestDescriptors;

/** The descriptors of the services, operations and types of a SOAP interface. */
export interface SoapDescriptors {
  readonly kind: "soap";
  readonly settings: Value;
  // `service`, `operation` and `type` are functions, so that a descriptor exists only while it is used: all descriptors
  // of a large interface take as much memory as its Contract.
  readonly describeService: (service: Service) => Value;
  readonly describeOperation: (operation: Operation) => Value;
  readonly describeType: (id: TypeId) => Value;
}

/** The descriptors of a REST interface, its endpoints and its answers. */
export interface RestDescriptors {
  readonly kind: "rest";
  readonly interface: Value;
  readonly describeEndpoint: (endpoint: Endpoint) => Value;
  readonly answers: AnswerValues;
  /** The index that the server publishes. */
  readonly document: Value;
}

/** Describes a contract in the runtime's format. */
export function describe(contract: Contract): Descriptors {
  return new Map(
    contract.interfaces.map((source) => [source, source.kind === "soap" ? describeSoap(source) : describeRest(source)]),
  );
}

function describeSoap(soap: SoapInterface): SoapDescriptors {
  const definitions = new Map(soap.types.map((type) => [type.id, type]));
  const services = new Map(
    soap.services.flatMap((service) => service.operations.map((operation) => [operation, service])),
  );
  return {
    kind: "soap",
    settings: describeSettings(soap),
    describeService: (service) => describeService(service, soap),
    describeOperation: (operation) =>
      describeOperation(operation, requirePresent(services.get(operation), operation.name)),
    describeType: (id) => describeType(requirePresent(definitions.get(id), id), definitions),
  };
}

/** Returns a value that must be part of the interface. Throws an error if it is absent, because that would be a bug. */
function requirePresent<T>(value: T | undefined, name: string): T {
  if (value === undefined) {
    throw new Error(`The type or operation ${name} does not belong to the interface.`);
  }
  return value;
}

function describeRest(rest: RestInterface): RestDescriptors {
  const answerTypes = new Map(rest.answers.map(({ id, type }) => [id, type]));
  return {
    kind: "rest",
    interface: describeRestInterface(rest),
    describeEndpoint: (endpoint) => describeEndpoint(endpoint, answerTypes),
    answers: describeAnswers(rest),
    document: describeJson(rest.document),
  };
}
