import type {
  Attachment,
  Body,
  ElementField,
  FacetValue,
  Field,
  HttpMessage,
  IdentityConstraint,
  IdentityPath,
  Operation,
  Output,
  Particle,
  PolymorphicType,
  RecordType,
  Service,
  SoapBinding,
  SoapInterface,
  TypeDefinition,
  TypeId,
} from "../model/index.js";
import { describeReference, formatClarkName, object, omitEmpty, omitFalse, record, type Value, xs } from "./value.js";

/**
 * Describes a service of an interface as a `ServiceDescriptor`. The descriptor contains the first port of each protocol
 * and, if the interface has several services, the names of all of them.
 */
export function describeService(service: Service, { services }: Pick<SoapInterface, "services">): Value {
  const names = [...new Set(services.map(({ name }) => name))];
  const ports = new Map<string, Value>();
  for (const port of service.ports) {
    if (!ports.has(port.protocol)) {
      ports.set(port.protocol, object({ name: port.name, address: port.address }));
    }
  }
  return object({
    descriptorFormat: 2,
    name: service.name,
    services: names.length > 1 ? names : undefined,
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

/** Describes the settings of an interface in `bothends.json` as `InterfaceSettings`. */
export function describeSettings(soap: SoapInterface): Value {
  const { namespaces, operations } = soap.slots;
  const slots = object({
    namespaces:
      namespaces.length === 0 ? undefined : record(namespaces.map(({ slot, namespace }) => [slot, namespace] as const)),
    operations: omitEmpty(operations),
  });
  const ambient = omitEmpty(soap.ambient);
  const isEmpty = ambient === undefined && slots.members.length === 0;
  return object({
    by: isEmpty ? undefined : xs("settings"),
    ambient,
    slots: slots.members.length === 0 ? undefined : slots,
    tolerate: omitEmpty(soap.tolerate),
  });
}

/** Describes an operation as an `OperationDescriptor`. */
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
    faults: omitEmpty(
      faults.map((fault) =>
        object({
          name: fault.name,
          by: xs("fault"),
          element: formatClarkName(fault.element),
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
        bindings.httpGet &&
        object({ location: bindings.httpGet.location, replace: omitFalse(bindings.httpGet.replace) }),
      httpPost:
        bindings.httpPost &&
        object({ location: bindings.httpPost.location, replace: omitFalse(bindings.httpPost.replace) }),
    }),
  });
}

function describeSoapBinding({ action, sendAction, addressing }: SoapBinding): Value {
  return object({
    action,
    sendAction: omitFalse(sendAction),
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
        required: omitFalse(addressing.required),
      }),
  });
}

function describeOutput(output: Output): Value {
  return object({
    body: describeBody(output.body),
    result: output.result.kind === "member" ? output.result.key : undefined,
    repeated: omitFalse(output.result.kind === "member" && output.result.repeated),
    empty: omitFalse(output.result.kind === "empty"),
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
    element: formatClarkName(body.element),
    type: describeReference(body.type),
    nillable: omitFalse(body.nillable),
    default: body.default,
    fixed: body.fixed,
    identity: describeIdentity(body.identity),
    rpc: omitFalse(body.rpc),
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
        element: formatClarkName(http.body.element),
        type: describeReference(http.body.type),
        nillable: omitFalse(http.body.nillable),
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
        list: omitFalse(parameter.list),
        optional: omitFalse(parameter.optional),
      }),
    ]),
  );
}

function describeAnswer(answer: HttpMessage["answer"]): Value {
  switch (answer.kind) {
    case "xml":
      return object({
        kind: "xml",
        element: formatClarkName(answer.element),
        type: describeReference(answer.type),
        nillable: omitFalse(answer.nillable),
      });
    case "text":
      return object({ kind: "text", type: describeReference(answer.type) });
    case "bytes":
      return object({ kind: "bytes", mediaType: answer.mediaType });
    case "none":
      return object({ kind: "none" });
  }
}

/** Describes a type of a schema as the descriptor for its kind, such as a `RecordDescriptor`. */
export function describeType(type: TypeDefinition, definitions: ReadonlyMap<string, TypeDefinition>): Value {
  const name = type.name === undefined ? type.id : formatClarkName(type.name);
  switch (type.kind) {
    case "record":
      return describeRecord(type);
    case "polymorphic":
      return describePolymorphic(type, definitions);
    case "array":
      return object({
        kind: "array",
        by: xs("array"),
        name,
        element: formatClarkName(type.itemName),
        item: describeReference(type.item),
      });
    case "enumeration":
      return object({
        kind: "derived",
        name,
        by: xs("restriction"),
        types: [describeReference(type.base)],
        facets: [[xs("enumeration"), { kind: "values", id: type.id }], ...type.facets.map(describeFacet)],
      });
    case "restriction":
      return object({
        kind: "derived",
        name,
        by: xs("restriction"),
        types: [describeReference(type.base)],
        facets: omitEmpty(type.facets.map(describeFacet)),
      });
    case "list":
      return object({ kind: "derived", name, by: xs("list"), types: [describeReference(type.item)] });
    case "union":
      return object({ kind: "derived", name, by: xs("union"), types: type.members.map(describeReference) });
  }
}

function describePolymorphic(type: PolymorphicType, definitions: ReadonlyMap<string, TypeDefinition>): Value {
  const declaredType = definitions.get(type.declared);
  return object({
    kind: "polymorphic",
    by: xs("polymorphic"),
    name: declaredType?.name === undefined ? type.declared : formatClarkName(declaredType.name),
    declared: type.alternatives.find((alternative) => alternative.type === type.declared)?.tag,
    alternatives: record(type.alternatives.map(({ tag, type: id }) => [tag, { kind: "type", id }])),
  });
}

function describeFacet(facet: FacetValue): Value {
  return [xs(facet.facet), facet.value];
}

/** Describes a record as a `RecordDescriptor`. The content model is left out if it is a sequence of the fields. */
function describeRecord(type: RecordType): Value {
  const namespace = findCommonNamespace(type.fields);
  const content = isPlainSequence(type) ? undefined : omitEmpty(type.content.map(describeParticle));
  return object({
    kind: "record",
    name: formatClarkName(type.wireName),
    namespace: namespace === "" ? undefined : namespace,
    fields: record(type.fields.map((field) => [field.key, describeField(field, namespace)])),
    content,
    by: content === undefined ? undefined : xs("content"),
    order: isOrdered(type) ? xs("inOrder") : undefined,
  });
}

function describeField(field: Field, namespace: string): Value {
  switch (field.kind) {
    case "element":
      return object({
        name: field.wireName.local === field.key ? undefined : field.wireName.local,
        namespace: field.wireName.namespace === namespace ? undefined : field.wireName.namespace,
        type: describeReference(field.type),
        min: field.min === 1 ? undefined : field.min,
        max: field.max === 1 ? undefined : field.max,
        nillable: omitFalse(field.nillable),
        default: field.default,
        fixed: field.fixed,
        identity: describeIdentity(field.identity),
      });
    case "attribute":
      return object({
        kind: "attribute",
        by: xs("attribute"),
        name: field.wireName.local === field.key ? undefined : field.wireName.local,
        namespace: field.wireName.namespace === "" ? undefined : field.wireName.namespace,
        type: describeReference(field.type),
        required: omitFalse(field.required),
        default: field.default,
        fixed: field.fixed,
      });
    case "text":
      return object({ kind: "text", by: xs("text"), type: describeReference(field.type) });
    case "group":
      return object({
        kind: "group",
        by: xs("group"),
        record: { kind: "type", id: field.item },
        min: field.min === 1 ? undefined : field.min,
        max: field.max === 1 ? undefined : field.max,
      });
    case "mixed":
      return object({ kind: "mixed", by: xs("mixed"), record: { kind: "type", id: field.item } });
    case "any":
      return object({
        kind: "any",
        by: xs("any"),
        min: field.min === 1 ? undefined : field.min,
        max: field.max === 1 ? undefined : field.max,
        namespaces: describeNamespaces(field.namespaces),
        process: field.process,
      });
    case "anyAttribute":
      return object({
        kind: "anyAttribute",
        by: xs("anyAttribute"),
        namespaces: describeNamespaces(field.namespaces),
        process: field.process,
      });
  }
}

/** Describes identity constraints as an `IdentityDescriptor`; returns undefined if there are none. */
function describeIdentity(constraints: readonly IdentityConstraint[]): Value | undefined {
  if (constraints.length === 0) {
    return undefined;
  }
  return object({
    by: xs("identity"),
    constraints: constraints.map(({ kind, name, selector, fields, refer }) =>
      object({
        kind,
        name: formatClarkName(name),
        selector: selector.map(describePath),
        fields: fields.map((paths) => paths.map(describePath)),
        refer: refer && formatClarkName(refer),
      }),
    ),
  });
}

function describePath({ anywhere, steps, attribute }: IdentityPath): Value {
  return object({ anywhere: omitFalse(anywhere), steps, attribute });
}

function describeNamespaces(namespaces: Extract<Field, { kind: "any" }>["namespaces"]): Value {
  if (namespaces === "any") {
    return namespaces;
  }
  return "not" in namespaces ? object({ not: namespaces.not }) : namespaces;
}

function describeParticle(particle: Particle): Value {
  if (particle.kind === "field") {
    return particle.key;
  }
  return object({
    [particle.kind]: particle.particles.map(describeParticle),
    optional: omitFalse(particle.optional),
  });
}

/**
 * Returns the most frequent namespace of a record's elements. Only descriptors of fields in other namespaces contain a
 * namespace.
 */
function findCommonNamespace(fields: readonly Field[]): string {
  const namespaces = fields.flatMap((field) => (field.kind === "element" ? [field.wireName.namespace] : []));
  const [first = ""] = namespaces;
  if (namespaces.every((namespace) => namespace === first)) {
    return first;
  }
  const counts = new Map<string, number>();
  for (const namespace of namespaces) {
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  const greatestCount = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === greatestCount)?.[0] ?? "";
}

/**
 * Whether the content model can be omitted: it is a sequence in the order of the fields, or it is mixed content, which
 * is a single field.
 */
function isPlainSequence(type: RecordType): boolean {
  if (type.fields.some((field) => field.kind === "mixed")) {
    return true;
  }
  const contentFields = type.fields.filter(
    (field) => field.kind === "element" || field.kind === "group" || field.kind === "any",
  );
  return (
    type.content.length === contentFields.length &&
    type.content.every((particle, index) => particle.kind === "field" && particle.key === contentFields[index]?.key)
  );
}

/** Whether the order of elements affects their meaning: a group repeats, or two elements have the same name. */
function isOrdered({ fields }: RecordType): boolean {
  const elements = fields.filter((field) => field.kind === "element");
  return fields.some((field) => field.kind === "group") || haveSameNames(elements);
}

/**
 * Whether any two elements have the same qualified name. Qualified names are built only if two local names are equal,
 * which is rare.
 */
function haveSameNames(elements: readonly ElementField[]): boolean {
  const hasFewer = (names: readonly string[]) => new Set(names).size < elements.length;
  return (
    hasFewer(elements.map(({ wireName }) => wireName.local)) &&
    hasFewer(elements.map(({ wireName }) => formatClarkName(wireName)))
  );
}
