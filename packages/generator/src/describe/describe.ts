import type { Contract, Endpoint, Operation, RestInterface, Service, SoapInterface, TypeId } from "../model/index.js";
import { describeFacts, describeOperation, describeService } from "./describe-operation.js";
import {
  type AnswerValues,
  describeAnswers,
  describeEndpoint,
  describeJson,
  describeRestInterface,
} from "./describe-rest.js";
import { describeType } from "./describe-types.js";
import type { Value } from "./value.js";

/** The descriptors of every interface, as plain data. */
export type Descriptors = ReadonlyMap<SoapInterface | RestInterface, InterfaceDescriptors>;

export type InterfaceDescriptors = SoapDescriptors | RestDescriptors;

export interface SoapDescriptors {
  readonly kind: "soap";
  readonly facts: Value;
  readonly services: ReadonlyMap<Service, Value>;
  readonly operations: ReadonlyMap<Operation, Value>;
  readonly types: ReadonlyMap<TypeId, Value>;
}

export interface RestDescriptors {
  readonly kind: "rest";
  readonly interface: Value;
  readonly endpoints: ReadonlyMap<Endpoint, Value>;
  readonly answers: AnswerValues;
  /** The index document. */
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
  return {
    kind: "soap",
    facts: describeFacts(soap),
    services: new Map(soap.services.map((service) => [service, describeService(service)])),
    operations: new Map(
      soap.services.flatMap((service) =>
        service.operations.map((operation) => [operation, describeOperation(operation, service)] as const),
      ),
    ),
    types: new Map(soap.types.map((type) => [type.id, describeType(type, definitions)])),
  };
}

function describeRest(rest: RestInterface): RestDescriptors {
  return {
    kind: "rest",
    interface: describeRestInterface(rest),
    endpoints: new Map(rest.endpoints.map((endpoint) => [endpoint, describeEndpoint(endpoint)])),
    answers: describeAnswers(rest),
    document: describeJson(rest.document),
  };
}
