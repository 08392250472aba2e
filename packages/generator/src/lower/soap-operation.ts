import { clark } from "@bothends/xml";
import type {
  BindingComponent,
  BindingOperationComponent,
  BoundExtension,
  BoundHeader,
  MessageComponent,
  OperationComponent,
  PartComponent,
} from "../components/wsdl-model.js";
import type { RecordType, TypeId, TypeReference } from "../model/schema-types.js";
import type { Attachment, Body, Output, SoapBinding } from "../model/soap.js";
import type { SoapBody, SoapStyle, UsingAddressing } from "../read/wsdl/documents.js";
import type { Span } from "../source/span.js";
import { addressingActions } from "./addressing-actions.js";
import { constraintOf, unconstrained } from "./content.js";
import type { Lowering, SoapSide } from "./lowered.js";
import { attachedParts, lowerAttachments } from "./soap-attachments.js";
import { lowerFaults } from "./soap-faults.js";
import { bodyParts, soapBodyOf } from "./soap-parts.js";

/** One operation of a SOAP binding. */
export interface BoundOperation {
  readonly bound: BindingOperationComponent;
  readonly binding: BindingComponent;
  readonly overload: number;
  readonly addressing: UsingAddressing | undefined;
}

/** What a SOAP binding makes of an operation (WSDL 1.1 §3); undefined once its problem is reported. */
export function lowerSoapOperation(place: BoundOperation, lowering: Lowering): SoapSide | undefined {
  const { bound, overload } = place;
  const { operation } = bound;
  if (operation.input === undefined) return undefined;
  const input = lowerMessage(operation.input.message, bound.input, { ...place, direction: "input", lowering });
  const output =
    operation.output && lowerOutput(operation.output.message, input, { ...place, direction: "output", lowering });
  if (operation.primitive !== "one-way" && output === undefined) return undefined;
  if (operation.output === undefined) reportHeaderFaults(bound, lowering);
  return {
    kind: "soap",
    name: operation.name,
    overload,
    span: operation.nameSpan,
    documentation: operation.documentation ?? bound.documentation,
    input: { body: input.body, attachments: input.attachments, headers: input.headers },
    inputRecord: input.record,
    output: output?.output,
    resultType: output?.resultType,
    faults: lowerFaults(bound, lowering),
    binding: soapBinding(place, lowering),
  };
}

function soapBinding({ bound, binding, addressing }: BoundOperation, { config, diagnostics }: Lowering): SoapBinding {
  const action = bound.protocol?.kind === "soapOperation" ? bound.protocol.soapAction : undefined;
  if (action !== undefined && /[\r\n]/.test(action.text)) {
    diagnostics.error("WSDL040", action.span, {
      message: "The soapAction has a line break, which no header may have.",
    });
  }
  const isSoap12 = binding.protocol?.kind === "soapBinding" && binding.protocol.version === "1.2";
  const soapAction = action?.text ?? "";
  return {
    action: soapAction,
    sendAction: isSoap12 && config.soap12Action,
    addressing: addressing && addressingActions(bound.operation, binding.portType, { ...addressing, soapAction }),
  };
}

interface MessagePlace extends BoundOperation {
  readonly direction: "input" | "output";
  readonly lowering: Lowering;
}

interface LoweredMessage {
  readonly body: Body;
  readonly record: RecordType | undefined;
  /** The one element of a document body. */
  readonly element: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly headers: TypeId | undefined;
  readonly rpc: boolean;
}

function lowerMessage(
  message: MessageComponent,
  extensions: readonly BoundExtension[],
  place: MessagePlace,
): LoweredMessage {
  const { lowering, bound } = place;
  const { types, diagnostics } = lowering;
  const soapBody = soapBodyOf(extensions);
  const attached = attachedParts(message, extensions, types);
  const parts = bodyParts(message, { extensions, soapBody, attached, diagnostics });
  const rpc = styleOf(place) === "rpc";
  const ordered = place.direction === "input" ? inOrder(parts, bound.operation) : parts;
  const body = rpc
    ? rpcBody(ordered, soapBody, place)
    : documentBody(message, parts, { soapBody, place, hasMembers: attached.length > 0 });
  const attachments = lowerAttachments(attached, message, body.record?.fields ?? []);
  return { ...body, attachments, headers: lowerHeaders(extensions, place), rpc };
}

/** WSDL 1.1 §3.3, §3.4: the operation's style, else the binding's, else document. */
function styleOf({ bound, binding }: BoundOperation): SoapStyle {
  const own = bound.protocol?.kind === "soapOperation" ? bound.protocol.style : undefined;
  const shared = binding.protocol?.kind === "soapBinding" ? binding.protocol.style : undefined;
  return own ?? shared ?? "document";
}

/** WSDL 1.1 §2.4.6: `parameterOrder` names the parts of an rpc call in the order of its parameters. */
function inOrder(parts: readonly PartComponent[], { parameterOrder }: OperationComponent): readonly PartComponent[] {
  if (parameterOrder === undefined) return parts;
  const rank = (part: PartComponent) => {
    const index = parameterOrder.indexOf(part.name);
    return index < 0 ? parameterOrder.length : index;
  };
  return [...parts].sort((a, b) => rank(a) - rank(b));
}

function documentBody(
  message: MessageComponent,
  parts: readonly PartComponent[],
  {
    soapBody,
    place,
    hasMembers,
  }: { readonly soapBody: SoapBody | undefined; readonly place: MessagePlace; readonly hasMembers: boolean },
) {
  const { types, records } = place.lowering;
  const [only, ...others] = parts;
  const element = only?.content.kind === "element" && others.length === 0 ? only.content.declaration : undefined;
  // Beside attachments, an element without members is a member itself.
  if (element !== undefined && !(hasMembers && types.recordOf(element.type) === undefined)) {
    const body: Body = {
      kind: "element",
      element: element.name,
      type: types.elementType(element),
      nillable: element.nillable,
      ...constraintOf(element),
      rpc: false,
      encoded: soapBody?.use === "encoded",
    };
    return { body, record: types.recordOf(element.type), element: element.name.local };
  }
  for (const part of parts) {
    if (part.content.kind !== "type") continue;
    types.warnOnce("WSDL041", part.span, {
      message: `Part "${part.name}" of a document style message has a type: it is sent as an element <${part.name}> without a namespace.`,
      help: "Give the part an element.",
    });
  }
  const record = records.parts(message, parts);
  return { body: { kind: "parts", record: record.id } as const, record, element: undefined };
}

/** WSDL 1.1 §3.5: the wrapper is named after the operation, and its namespace is the soap:body's. */
function rpcBody(parts: readonly PartComponent[], soapBody: SoapBody | undefined, place: MessagePlace) {
  const { bound, binding, lowering } = place;
  const encoded = soapBody?.use === "encoded";
  const suffix = place.direction === "input" ? "" : "Response";
  const namespace = soapBody?.namespace ?? binding.name.namespace;
  const element = { namespace, local: bound.operation.name + suffix };
  const record = lowering.records.add({
    id: `${clark(namespace, element.local)}@rpc`,
    words: [element.local],
    wireName: element,
    span: bound.operation.nameSpan,
    fields: parts.map((part) => ({ ...lowering.records.field(part), nillable: encoded })),
  });
  const type = { kind: "named", id: record.id } as const;
  const body: Body = { kind: "element", element, type, nillable: false, ...unconstrained, rpc: true, encoded };
  return { body, record, element: element.local };
}

function lowerHeaders(extensions: readonly BoundExtension[], place: MessagePlace): TypeId | undefined {
  const headers = boundHeaders(extensions).map(({ part, header }) => ({ part, span: header.span }));
  const word = place.direction === "input" ? "Headers" : "Response Headers";
  return headerRecord(headers, { id: `${place.direction}Headers`, words: word.split(" "), place });
}

/** WSDL 1.1 §3.7: what is wrong with a header is told in the header of the answer, whose body is the fault. */
function lowerHeaderFaults(place: MessagePlace): TypeId | undefined {
  const { input, output } = place.bound;
  const faults = boundHeaders([...input, ...output]).flatMap(({ faults, header }) =>
    faults.map((part) => ({ part, span: header.span })),
  );
  return headerRecord(faults, { id: "headerFaults", words: ["Header", "Faults"], place });
}

/** SOAP tells what is wrong with a header in an answer, which there is none of. */
function reportHeaderFaults({ input }: BindingOperationComponent, { types }: Lowering): void {
  for (const fault of boundHeaders(input).flatMap(({ header }) => header.headerFaults)) {
    types.infoOnce("WSDL042", fault.span, {
      message: `The header fault "${fault.part.text}" belongs to an operation that is never answered: it is ignored.`,
    });
  }
}

function boundHeaders(extensions: readonly BoundExtension[]): readonly BoundHeader[] {
  return extensions.filter((extension) => extension.kind === "boundHeader");
}

function headerRecord(
  headers: readonly { readonly part: PartComponent; readonly span: Span }[],
  { id, words, place }: { readonly id: string; readonly words: readonly string[]; readonly place: MessagePlace },
): TypeId | undefined {
  const [first] = headers;
  if (first === undefined) return undefined;
  const { records } = place.lowering;
  const { namespace } = place.binding.portType.name;
  const { name } = place.bound.operation;
  return records.add({
    id: `${clark(namespace, name)}@${id}`,
    words: [name, ...words],
    wireName: { namespace, local: name },
    span: first.span,
    fields: distinct(headers.map(({ part }) => part)).map((part) => ({ ...records.field(part), min: 0 })),
  }).id;
}

function distinct(parts: readonly PartComponent[]): readonly PartComponent[] {
  return [...new Set(parts)];
}

function lowerOutput(message: MessageComponent, input: LoweredMessage, place: MessagePlace) {
  const lowered = lowerMessage(message, place.bound.output, place);
  const { body, attachments, headers } = lowered;
  const result = resultOf(lowered, input, place);
  const output: Output = { body, attachments, headers, headerFaults: lowerHeaderFaults(place), result };
  return { output, resultType: resultType(output, lowered) };
}

function resultOf(lowered: LoweredMessage, input: LoweredMessage, place: MessagePlace): Output["result"] {
  const { record, attachments } = lowered;
  if (record === undefined || attachments.length > 0 || !(lowered.rpc || isWrapped(lowered, input, place)))
    return { kind: "whole" };
  const [only, ...others] = record.fields;
  if (only === undefined) return { kind: "empty" };
  return others.length === 0 && only.kind === "element" ? { kind: "member", key: only.key } : { kind: "whole" };
}

/** The wrapped convention: the input's one element is named like the operation. An empty message answers nothing. */
function isWrapped(lowered: LoweredMessage, input: LoweredMessage, { bound }: MessagePlace): boolean {
  if (lowered.element === undefined) return lowered.record?.fields.length === 0;
  return input.element === bound.operation.name;
}

function resultType({ body, result }: Output, { record }: LoweredMessage): TypeReference | undefined {
  switch (result.kind) {
    case "empty":
      return undefined;
    case "member": {
      const field = record?.fields.find((one) => one.key === result.key);
      return field?.kind === "element" && field.max === 1 ? field.type : undefined;
    }
    case "whole":
      return body.kind === "element" ? body.type : { kind: "named", id: body.record };
  }
}
