import { clark } from "@bothends/xml";
import type {
  BindingComponent,
  BindingOperationComponent,
  BoundExtension,
  BoundHeader,
  MessageComponent,
  OperationComponent,
  OperationFaultComponent,
  OperationMessageComponent,
  PartComponent,
} from "../../components/wsdl/wsdl-components.js";
import type { Attachment, Body, BodySpans, Fault, Input, Output, SoapBinding } from "../../model/soap.js";
import type { ElementField, RecordType, TypeId, TypeReference } from "../../model/xsd-types.js";
import type { SoapBody, SoapStyle } from "../../read/wsdl/documents.js";
import type { Documentation, Span } from "../../source/span.js";
import { capitalize } from "../../text.js";
import { findRecord } from "../xsd/complex-types.js";
import { noConstraints, selectConstraints } from "../xsd/record-content.js";
import { type AddressingSource, lowerAddressing } from "./addressing.js";
import {
  type BindingContext,
  findSoapBody,
  listAttachedParts,
  listBodyParts,
  lowerAttachments,
} from "./message-parts.js";

/** An operation in one SOAP binding. */
export interface LoweredSoapOperation {
  readonly kind: "soap";
  readonly name: string;
  readonly overload: number;
  readonly span: Span;
  readonly documentation: Documentation;
  readonly input: Input;
  /** The record that is the type of the element in the input's body; undefined if that type is not a record. */
  readonly inputRecord: RecordType | undefined;
  readonly output: Output | undefined;
  /** The type of the result; undefined if there is no result. */
  readonly resultType: TypeReference | undefined;
  readonly faults: readonly Fault[];
  readonly binding: SoapBinding;
}

/** An operation of a SOAP binding. `overload` counts the operations of the same name, beginning with 1. */
export interface SoapOperationSource {
  readonly boundOperation: BindingOperationComponent;
  readonly binding: BindingComponent;
  readonly overload: number;
  readonly addressing: AddressingSource | undefined;
}

/**
 * Lowers an operation of a SOAP binding (WSDL 1.1 §3); returns undefined if its messages are missing. Missing messages
 * were already reported.
 */
export function lowerSoapOperation(
  source: SoapOperationSource,
  context: BindingContext,
): LoweredSoapOperation | undefined {
  const { boundOperation, binding, overload } = source;
  const { operation } = boundOperation;
  if (operation.input === undefined) {
    return undefined;
  }
  const inputSource: MessageSource = { boundOperation, binding, direction: "input", context };
  const input = lowerMessage(operation.input.message, boundOperation.input, inputSource);
  const outputSource: MessageSource = { boundOperation, binding, direction: "output", context };
  const output = operation.output && lowerOutput(operation.output, input, outputSource);
  if (operation.primitive !== "one-way" && output === undefined) {
    return undefined;
  }
  if (operation.output === undefined) {
    reportHeaderFaults(boundOperation, context);
  }
  return {
    kind: "soap",
    name: operation.name,
    overload,
    span: operation.nameSpan,
    documentation: operation.documentation ?? boundOperation.documentation,
    input: { body: input.body, attachments: input.attachments, headers: input.headers },
    inputRecord: input.record,
    output: output?.output,
    resultType: output?.resultType,
    faults: lowerFaults(boundOperation, context),
    binding: createSoapBinding(source, context),
  };
}

function createSoapBinding(
  { boundOperation, binding, addressing }: SoapOperationSource,
  { config, diagnostics }: BindingContext,
): SoapBinding {
  const action =
    boundOperation.protocolOperation?.kind === "soapOperation"
      ? boundOperation.protocolOperation.soapAction
      : undefined;
  if (action !== undefined && /[\r\n]/.test(action.text)) {
    diagnostics.error("WSDL040", action.span, {
      message: "The soapAction contains a line break, which is not allowed in a header.",
    });
  }
  const isSoap12 = binding.protocolBinding?.kind === "soapBinding" && binding.protocolBinding.version === "1.2";
  const soapAction = action?.text ?? "";
  const style = findStyle({ boundOperation, binding });
  const headers = listBoundHeaders([...boundOperation.input, ...boundOperation.output]).map(({ part, header }) => ({
    element: part.content.kind === "element" ? part.content.declaration.name : { namespace: "", local: part.name },
    span: header.span,
  }));
  return {
    action: soapAction,
    ...(action !== undefined && { span: action.span }),
    ...(style !== undefined && { style: { span: style.span } }),
    bodySpans: {
      input: findBodySpans(boundOperation.operation.input?.message, boundOperation.input, style?.style),
      output: findBodySpans(boundOperation.operation.output?.message, boundOperation.output, style?.style),
    },
    ...(headers.length > 0 && { headers }),
    sendAction: isSoap12 && config.soap12Action,
    ...lowerAddressing({ boundOperation, binding, addressing }, action),
  };
}

function findBodySpans(
  message: MessageComponent | undefined,
  extensions: readonly BoundExtension[],
  style: SoapStyle | undefined,
): BodySpans {
  const body = findSoapBody(extensions);
  const parts = message?.parts ?? [];
  const [firstName] = body?.parts?.names ?? [];
  const part = parts.find(({ name }) => name === firstName) ?? parts[0];
  return {
    body: body?.span,
    element: style === "rpc" ? (body?.namespace?.span ?? body?.span) : part?.span,
    ...(part?.content.kind === "element" && { declaration: part.content.declaration.span }),
  };
}

/** The operation, the binding and the direction of a message. */
interface MessageSource extends Pick<SoapOperationSource, "boundOperation" | "binding"> {
  readonly direction: "input" | "output";
  readonly context: BindingContext;
}

interface LoweredMessage {
  readonly body: Body;
  readonly record: RecordType | undefined;
  /** The local name of the element in the body; undefined if the body does not have exactly one part. */
  readonly element: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly headers: TypeId | undefined;
  readonly rpc: boolean;
}

function lowerMessage(
  message: MessageComponent,
  extensions: readonly BoundExtension[],
  source: MessageSource,
): LoweredMessage {
  const { context } = source;
  const soapBody = findSoapBody(extensions);
  const attachmentParts = listAttachedParts(message, extensions, context.references);
  const parts = listBodyParts(message, {
    extensions,
    soapBody,
    attachedParts: attachmentParts,
    diagnostics: context.diagnostics,
  });
  const rpc = getStyle(source) === "rpc";
  const content = { message, parts, soapBody, hasAttachments: attachmentParts.length > 0 };
  const { body, record, element } = rpc ? createRpcBody(content, source) : createDocumentBody(content, source);
  const attachments = lowerAttachments(attachmentParts, message, record?.fields ?? []);
  return { body, record, element, attachments, headers: lowerHeaders(extensions, source), rpc };
}

/** Returns the style of an operation. Default: document. */
function getStyle(source: MessageSource): SoapStyle {
  return findStyle(source)?.style ?? "document";
}

/**
 * Finds the style of an operation and the element that declares it (WSDL 1.1 §3.3, §3.4): the soap:operation, or else
 * the soap:binding.
 */
function findStyle({ boundOperation, binding }: Pick<MessageSource, "boundOperation" | "binding">) {
  const declarations = [boundOperation.protocolOperation, binding.protocolBinding].flatMap((element) =>
    element?.kind === "soapOperation" || element?.kind === "soapBinding" ? [element] : [],
  );
  return declarations.find(({ style }) => style !== undefined) ?? declarations.at(-1);
}

/** The body of a message, as the WSDL describes it. */
interface BodyContent {
  readonly message: MessageComponent;
  /** The parts of the message that the body contains. */
  readonly parts: readonly PartComponent[];
  readonly soapBody: SoapBody | undefined;
  /** Whether the remaining parts of the message are sent as attachments. */
  readonly hasAttachments: boolean;
}

type LoweredBody = Pick<LoweredMessage, "body" | "record" | "element">;

function createDocumentBody(
  { message, parts, soapBody, hasAttachments }: BodyContent,
  { context }: MessageSource,
): LoweredBody {
  const { references, records } = context;
  const [firstPart, ...otherParts] = parts;
  const element =
    firstPart?.content.kind === "element" && otherParts.length === 0 ? firstPart.content.declaration : undefined;
  const elementRecord = element && findRecord(element.type, references);
  // With attachments, the members of the element and the attachments become members of one object. If the type of the
  // element is not a record, the element becomes one member of that object.
  if (element !== undefined && (elementRecord !== undefined || !hasAttachments)) {
    const body: Body = {
      kind: "element",
      element: element.name,
      type: references.toTypeOf(element),
      nillable: element.nillable,
      ...selectConstraints(element),
      rpc: false,
      encoded: soapBody?.use === "encoded",
    };
    return { body, record: elementRecord, element: element.name.local };
  }
  for (const part of parts) {
    if (part.content.kind === "type") {
      references.reports.warning("WSDL041", part.span, {
        message: `The part "${part.name}" of a document-style message has a type. It is sent as an element <${part.name}> without a namespace.`,
        help: "Give the part an element instead of a type.",
      });
    }
  }
  const record = records.addParts(message, parts);
  return { body: { kind: "parts", record: record.id }, record, element: undefined };
}

/**
 * Lowers an rpc body. The wrapper is named after the operation, and soap:body declares its namespace (WSDL 1.1 §3.5).
 */
function createRpcBody(
  { parts, soapBody }: BodyContent,
  { boundOperation, binding, direction, context }: MessageSource,
): LoweredBody {
  const orderedParts = direction === "input" ? sortByParameterOrder(parts, boundOperation.operation) : parts;
  const isEncoded = soapBody?.use === "encoded";
  const suffix = direction === "input" ? "" : "Response";
  const namespace = soapBody?.namespace?.text ?? binding.name.namespace;
  const element = { namespace, local: boundOperation.operation.name + suffix };
  const record = context.records.add({
    id: `${clark(namespace, element.local)}@rpc`,
    words: [element.local],
    wireName: element,
    span: boundOperation.operation.nameSpan,
    fields: orderedParts.map((part) => ({ ...context.records.createField(part), nillable: isEncoded })),
  });
  const type = { kind: "named", id: record.id } as const;
  const body: Body = {
    kind: "element",
    element,
    type,
    nillable: false,
    ...noConstraints,
    rpc: true,
    encoded: isEncoded,
  };
  return { body, record, element: element.local };
}

/**
 * Sorts the parts of an rpc call by `parameterOrder`, which lists them in the order of the parameters (WSDL 1.1
 * §2.4.6).
 */
function sortByParameterOrder(
  parts: readonly PartComponent[],
  { parameterOrder }: OperationComponent,
): readonly PartComponent[] {
  if (parameterOrder === undefined) {
    return parts;
  }
  const getRank = (part: PartComponent) => {
    const index = parameterOrder.indexOf(part.name);
    return index < 0 ? parameterOrder.length : index;
  };
  return [...parts].sort((a, b) => getRank(a) - getRank(b));
}

function lowerHeaders(extensions: readonly BoundExtension[], source: MessageSource): TypeId | undefined {
  const headers = listBoundHeaders(extensions).map(({ part, header }) => ({ part, span: header.span }));
  return findHeaderRecord(headers, { suffix: "Headers", source });
}

/** Reports the header faults of a one-way operation, because no answer can contain them. */
function reportHeaderFaults({ input }: BindingOperationComponent, { references }: BindingContext): void {
  for (const fault of listBoundHeaders(input).flatMap(({ header }) => header.headerFaults)) {
    references.reports.info("WSDL042", fault.span, {
      message: `The header fault "${fault.part.text}" belongs to a one-way operation and is ignored.`,
    });
  }
}

function listBoundHeaders(extensions: readonly BoundExtension[]): readonly BoundHeader[] {
  return extensions.filter((extension) => extension.kind === "boundHeader");
}

/**
 * Defines a record of header blocks. It is named after the blocks instead of an operation, because operations often
 * share blocks.
 */
function findHeaderRecord(
  headers: readonly { readonly part: PartComponent; readonly span: Span }[],
  { suffix, source }: { readonly suffix: "Headers" | "HeaderFaults"; readonly source: MessageSource },
): TypeId | undefined {
  const [firstHeader] = headers;
  if (firstHeader === undefined) {
    return undefined;
  }
  const { records, references } = source.context;
  const { namespace } = source.binding.portType.name;
  const fields = [...new Set(headers.map(({ part }) => part))].map((part) => records.createField(part));
  const blockWords = fields.map(({ key }) => getBlockWord(key));
  const localName = `${blockWords.join("And")}${suffix}`;
  const name = localName.length > longestHeaderName ? `${source.boundOperation.operation.name}${suffix}` : localName;
  const id = `${clark(namespace, `${blockWords.sort().join("And")}${suffix}`)}${headersSuffix}`;
  const definition = references.findDefinition(id);
  const earlierRecord = definition?.kind === "record" ? definition : undefined;
  return records.add({
    id,
    words: earlierRecord?.words ?? [name],
    wireName: earlierRecord?.wireName ?? { namespace, local: name },
    span: firstHeader.span,
    fields: sortLikeRecord(earlierRecord, fields).map((field) => ({ ...field, min: 0 })),
  }).id;
}

/**
 * Sorts header blocks in the order of an earlier record. Operations that declare the blocks in a different order then
 * share that record.
 */
function sortLikeRecord(
  earlierRecord: RecordType | undefined,
  fields: readonly ElementField[],
): readonly ElementField[] {
  const order = (earlierRecord?.fields ?? []).map((field) =>
    "wireName" in field ? clark(field.wireName.namespace, field.wireName.local) : "",
  );
  const getPosition = ({ wireName }: ElementField) => order.indexOf(clark(wireName.namespace, wireName.local));
  return [...fields].sort((a, b) => getPosition(a) - getPosition(b));
}

/** Returns the name of a header block with a capital and without `Header` at its end: `sessionHeader` -> `Session`. */
function getBlockWord(name: string): string {
  return capitalize(name.replace(/(?:Soap)?Headers?$/i, "") || name);
}

/**
 * The maximum length of a name that is composed of header block names. A record whose name would be longer is named
 * after an operation, or `CommonHeaders`.
 */
const longestHeaderName = 60;
const headersSuffix = "@headers";

/** Whether the names of a record's header blocks are together too long to be the name of the record. */
export function isLongHeaderId(id: TypeId): boolean {
  return id.slice(id.indexOf("}") + 1).replace(/@headers.*$/, "").length > longestHeaderName;
}

/**
 * Lowers the faults of an operation. Each has the element that the detail of the SOAP fault contains (WSDL 1.1 §3.6).
 */
function lowerFaults({ operation }: BindingOperationComponent, context: BindingContext): readonly Fault[] {
  return operation.faults.map((fault) => lowerFault(fault, context)).filter((fault) => fault !== undefined);
}

function lowerFault(fault: OperationFaultComponent, { references }: BindingContext): Fault | undefined {
  const { name, span, message } = fault;
  if (!message.isComplete) {
    return undefined;
  }
  const [part, ...otherParts] = message.parts;
  if (part === undefined) {
    references.reports.violation("WSDL044", span, {
      message: `The fault "${name}" needs a message with one part, but the message "${message.name.local}" has none. No class is generated for the fault.`,
    });
    return undefined;
  }
  if (otherParts.length > 0) {
    references.reports.unresolved("WSDL044", span, {
      message: `The fault "${name}" needs a message with one part, but the message "${message.name.local}" has ${message.parts.length}.`,
      fallback: "No class is generated for the fault.",
    });
    return undefined;
  }
  const { content } = part;
  const documentation = fault.documentation ?? message.documentation;
  if (content.kind === "element") {
    const { declaration } = content;
    const messagePart = { message: message.name.local, span: part.span, element: { span: declaration.span } };
    const type = references.toTypeOf(declaration);
    return { name, span, documentation, element: declaration.name, type, messagePart };
  }
  const messagePart = { message: message.name.local, span: part.span };
  const element = { namespace: "", local: part.name };
  return { name, span, documentation, element, type: references.to(content.type), messagePart };
}

function lowerOutput({ message, span }: OperationMessageComponent, input: LoweredMessage, source: MessageSource) {
  const loweredMessage = lowerMessage(message, source.boundOperation.output, source);
  const { body, attachments, headers } = loweredMessage;
  const result = lowerResult(loweredMessage, input, source);
  const output: Output = { body, attachments, headers, headerFaults: lowerHeaderFaults(source), result, span };
  return { output, resultType: findResultType(output, loweredMessage) };
}

/**
 * Lowers the header faults: header blocks of a fault's envelope that report problems with a header block (WSDL 1.1
 * §3.7).
 */
function lowerHeaderFaults(source: MessageSource): TypeId | undefined {
  const { input, output } = source.boundOperation;
  const faults = listBoundHeaders([...input, ...output]).flatMap(({ faults, header }) =>
    faults.map((part) => ({ part, span: header.span })),
  );
  return findHeaderRecord(faults, { suffix: "HeaderFaults", source });
}

function lowerResult(output: LoweredMessage, input: LoweredMessage, source: MessageSource): Output["result"] {
  const { record, attachments } = output;
  const isUnwrapped = output.rpc || isWrapped(output, input, source);
  if (record === undefined || attachments.length > 0 || !isUnwrapped) {
    return { kind: "whole" };
  }
  const [firstField, ...otherFields] = record.fields;
  if (firstField === undefined) {
    return { kind: "empty" };
  }
  if (otherFields.length > 0 || firstField.kind !== "element") {
    return { kind: "whole" };
  }
  return { kind: "member", key: firstField.key, repeated: firstField.max !== 1 };
}

/**
 * Whether an operation follows the wrapped convention, in which the input element has the operation's name. An
 * operation whose output has no parts follows it too.
 */
function isWrapped(output: LoweredMessage, input: LoweredMessage, { boundOperation }: MessageSource): boolean {
  if (output.element === undefined) {
    return output.record?.fields.length === 0;
  }
  return input.element === boundOperation.operation.name;
}

function findResultType({ body, result }: Output, { record }: LoweredMessage): TypeReference | undefined {
  switch (result.kind) {
    case "empty":
      return undefined;
    case "member": {
      const field = record?.fields.find(({ key }) => key === result.key);
      return field?.kind === "element" && field.max === 1 ? field.type : undefined;
    }
    case "whole":
      return body.kind === "element" ? body.type : { kind: "named", id: body.record };
  }
}
