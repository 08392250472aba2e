import type {
  Attachment,
  Body,
  HttpMessage,
  Operation,
  Output,
  Service,
  SoapBinding,
  SoapInterface,
  TypeId,
} from "../model/index.js";
import { describeIdentity } from "./describe-types.js";
import { clarkName, describeReference, filled, flag, object, record, type Value, xs } from "./value.js";

/** `ServiceDescriptor`, with the first port of each protocol. */
export function describeService(service: Service): Value {
  const ports = new Map<string, Value>();
  for (const port of service.ports) {
    if (!ports.has(port.protocol)) {
      ports.set(port.protocol, object({ name: port.name, address: port.address }));
    }
  }
  return object({
    descriptorFormat: 2,
    name: service.name,
    namespace: service.namespace,
    ports: record([...ports]),
    otherPorts:
      service.otherPorts.length === 0
        ? undefined
        : record(
            service.otherPorts.map(({ name, protocol, address }) => [name, object({ protocol, address })] as const),
          ),
  });
}

/** `ServiceFacts`. */
export function describeFacts(soap: SoapInterface): Value {
  const { namespaces, operations } = soap.slots;
  const slots = object({
    namespaces:
      namespaces.length === 0 ? undefined : record(namespaces.map(({ slot, namespace }) => [slot, namespace] as const)),
    operations: filled(operations),
  });
  const ambient = filled(soap.ambient);
  const isEmpty = ambient === undefined && slots.members.length === 0;
  return object({
    by: isEmpty ? undefined : xs("facts"),
    ambient,
    slots: slots.members.length === 0 ? undefined : slots,
    tolerate: filled(soap.tolerate),
  });
}

/** `OperationDescriptor`. */
export function describeOperation(operation: Operation, service: Service): Value {
  const { input, output, faults, http, bindings } = operation;
  return object({
    kind: "operation",
    service: { kind: "service", service },
    name: operation.name,
    input: object({
      body: describeBody(input.body),
      attachments: describeAttachments(input.attachments),
      headers: describeHeaders(input.headers),
    }),
    output: output === undefined ? undefined : describeOutput(output),
    faults: filled(
      faults.map((fault) =>
        object({
          name: fault.name,
          by: xs("fault"),
          element: clarkName(fault.element),
          type: describeReference(fault.type),
          error: { kind: "fault", fault },
        }),
      ),
    ),
    http: http === undefined ? undefined : describeHttp(http),
    bindings: object({
      soap11: bindings.soap11 && describeSoapBinding(bindings.soap11),
      soap12: bindings.soap12 && describeSoapBinding(bindings.soap12),
      httpGet:
        bindings.httpGet && object({ location: bindings.httpGet.location, replace: flag(bindings.httpGet.replace) }),
      httpPost:
        bindings.httpPost && object({ location: bindings.httpPost.location, replace: flag(bindings.httpPost.replace) }),
    }),
  });
}

function describeSoapBinding({ action, sendAction, addressing }: SoapBinding): Value {
  return object({
    action,
    sendAction: flag(sendAction),
    addressing:
      addressing &&
      object({
        by: xs("addressing"),
        action: addressing.action,
        answer: addressing.answer,
        faults:
          addressing.faults.length === 0
            ? undefined
            : record(addressing.faults.map((fault) => [fault.name, fault.action] as const)),
        required: flag(addressing.required),
      }),
  });
}

function describeOutput(output: Output): Value {
  return object({
    body: describeBody(output.body),
    result: output.result.kind === "member" ? output.result.key : undefined,
    empty: flag(output.result.kind === "empty"),
    attachments: describeAttachments(output.attachments),
    headers: describeHeaders(output.headers),
    headerFaults: describeHeaders(output.headerFaults),
  });
}

function describeBody(body: Body): Value {
  if (body.kind === "parts") {
    return object({ by: xs("parts"), parts: { kind: "type", id: body.record } });
  }
  return object({
    element: clarkName(body.element),
    type: describeReference(body.type),
    nillable: flag(body.nillable),
    default: body.default,
    fixed: body.fixed,
    identity: describeIdentity(body.identity),
    rpc: flag(body.rpc),
    encoded: body.encoded ? xs("soapEncoding") : undefined,
  });
}

function describeAttachments(attachments: readonly Attachment[]): Value | undefined {
  if (attachments.length === 0) {
    return undefined;
  }
  const parts = record(attachments.map(({ key, part, types }) => [key, object({ part, types })]));
  return object({ by: xs("attachments"), parts });
}

function describeHeaders(headers: TypeId | undefined): Value | undefined {
  return headers && object({ by: xs("headerBlocks"), record: { kind: "type", id: headers } });
}

function describeHttp(http: HttpMessage): Value {
  return object({
    body:
      http.body &&
      object({
        element: clarkName(http.body.element),
        type: describeReference(http.body.type),
        nillable: flag(http.body.nillable),
      }),
    parameters: http.body === undefined ? describeParameters(http) : undefined,
    answer: describeAnswer(http.answer),
  });
}

function describeParameters(http: HttpMessage): Value {
  return record(
    http.parameters.map((parameter) => [
      parameter.key,
      object({
        name: parameter.name === parameter.key ? undefined : parameter.name,
        type: describeReference(parameter.type),
        list: flag(parameter.list),
        optional: flag(parameter.optional),
      }),
    ]),
  );
}

function describeAnswer(answer: HttpMessage["answer"]): Value {
  switch (answer.kind) {
    case "xml":
      return object({
        kind: "xml",
        element: clarkName(answer.element),
        type: describeReference(answer.type),
        nillable: flag(answer.nillable),
      });
    case "text":
      return object({ kind: "text", type: describeReference(answer.type) });
    case "bytes":
      return object({ kind: "bytes", mediaType: answer.mediaType });
    case "none":
      return object({ kind: "none" });
  }
}
