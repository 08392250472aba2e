import { clark } from "@bothends/xml";
import type {
  BindingOperationComponent,
  BoundExtension,
  PartComponent,
} from "../../components/wsdl/wsdl-components.js";
import type { HttpBinding, HttpBodySpans, HttpMessage, Input, Output } from "../../model/soap.js";
import type { ElementField, TypeReference } from "../../model/xsd-types.js";
import type { MimeContent, MimeXml } from "../../read/wsdl/documents.js";
import type { Code } from "../../source/catalogue/index.js";
import { type Documentation, type Span, withParts } from "../../source/span.js";
import type { QName } from "../../source/xml-names.js";
import { findRecord } from "../xsd/complex-types.js";
import { noConstraints } from "../xsd/record-content.js";
import { lowerSoapArray } from "../xsd/type-definitions.js";
import { isSoapArray } from "../xsd/type-references.js";
import type { BindingContext } from "./message-parts.js";

/** An operation in one HTTP binding. */
export interface LoweredHttpOperation {
  readonly kind: "http";
  readonly name: string;
  readonly overload: number;
  readonly span: Span;
  readonly documentation: Documentation;
  readonly http: HttpMessage;
  readonly binding: HttpBinding;
}

interface HttpOperationSource {
  readonly boundOperation: BindingOperationComponent;
  readonly overload: number;
  readonly method: "GET" | "POST";
  readonly address: string | undefined;
}

/** Lowers an operation of an HTTP binding (WSDL 1.1 §4). Reports an unsupported operation, and returns undefined. */
export function lowerHttpOperation(
  source: HttpOperationSource,
  context: BindingContext,
): LoweredHttpOperation | undefined {
  const { boundOperation, overload, method, address } = source;
  const { operation, protocolOperation } = boundOperation;
  if (operation.input === undefined || protocolOperation?.kind !== "httpOperation") {
    return undefined;
  }
  const { message } = operation.input;
  const { parts } = message;
  const body = method === "POST" ? lowerXmlBody(boundOperation, parts, context) : undefined;
  if (body === undefined && !checkParameterEncoding(source, context)) {
    return undefined;
  }
  const parameters = body === undefined ? lowerParameters(boundOperation, parts, context) : [];
  const answer = lowerAnswer(boundOperation, context);
  if (parameters === undefined || answer === undefined) {
    return undefined;
  }
  const bodySpans = body === undefined ? undefined : findBodySpans(boundOperation.input, parts);
  const answerSpans = findBodySpans(boundOperation.output, operation.output?.message.parts ?? []);
  return {
    kind: "http",
    name: operation.name,
    overload,
    span: operation.nameSpan,
    documentation: operation.documentation ?? boundOperation.documentation,
    http: { body, parameters: parameters.map(({ span: _, ...parameter }) => parameter), answer },
    binding: {
      location: getLocationBelow(address, protocolOperation.location.text),
      span: withParts(
        protocolOperation.location.span,
        boundOperation.input.map((extension) => ["parameters", getExtensionSpan(extension)]),
      ),
      ...(parameters.length > 0 && { parameters: parameters.map(({ name, span }) => ({ name, span })) }),
      parametersSpan: parts[0]?.content.kind === "element" ? parts[0].content.declaration.span : message.span,
      ...(bodySpans !== undefined && { bodySpans }),
      ...(answerSpans !== undefined && { answerSpans }),
      replace: boundOperation.input.some((extension) => extension.kind === "urlReplacement"),
    },
  };
}

/**
 * Returns the path that requests append to the service's address (WSDL 1.1 §4.4). The path begins with a slash, even if
 * the location does not. If the location begins with the last segment of the address, the path does not repeat that
 * segment.
 */
function getLocationBelow(address: string | undefined, location: string): string {
  if (location === "" || /^(?:[/?]|[a-z][a-z0-9+.-]*:)/i.test(location)) {
    return location;
  }
  const lastSegment = /[^/?#]*(?=[?#]|$)/.exec(address ?? "")?.[0] ?? "";
  const repeatsSegment = lastSegment !== "" && location.startsWith(`${lastSegment}/`);
  return repeatsSegment ? location.slice(lastSegment.length) : `/${location}`;
}

/** Returns the element that is posted as an XML document (WSDL 1.1 §5.3, §5.6). */
function lowerXmlBody(
  { input }: BindingOperationComponent,
  parts: readonly PartComponent[],
  { references }: BindingContext,
): HttpMessage["body"] {
  const [extension, ...otherExtensions] = input;
  if (extension === undefined || otherExtensions.length > 0 || !isXmlContent(extension)) {
    return undefined;
  }
  const part = parts.find(({ name }) => name === extension.part?.text) ?? (parts.length === 1 ? parts[0] : undefined);
  if (part?.content.kind !== "element") {
    return undefined;
  }
  const { declaration } = part.content;
  return { element: declaration.name, type: references.toTypeOf(declaration), nillable: declaration.nillable };
}

function isXmlContent(extension: BoundExtension): extension is MimeContent | MimeXml {
  if (extension.kind === "mimeXml") {
    return true;
  }
  return extension.kind === "mimeContent" && xmlMediaType.test(extension.type?.text ?? "");
}

const xmlMediaType = /^(?:text|application)\/xml$/;
const formMediaType = "application/x-www-form-urlencoded";

/** Whether an input is sent as parameters in the query, a form or the path. Reports any other encoding. */
function checkParameterEncoding({ boundOperation, method }: HttpOperationSource, context: BindingContext): boolean {
  const { operation, input } = boundOperation;
  const unsupportedExtension = input.find((extension) => !encodesParameters(extension));
  const isDeclared = method === "GET" || input.length > 0;
  if (operation.input?.message.parts.length === 0 || (unsupportedExtension === undefined && isDeclared)) {
    return true;
  }
  reportUnsupported(
    "WSDL045",
    unsupportedExtension === undefined ? boundOperation.span : getExtensionSpan(unsupportedExtension),
    {
      boundOperation,
      context,
      message: `The operation "${operation.name}" has an HTTP body that is neither a form nor an XML document.`,
    },
  );
  return false;
}

function encodesParameters(extension: BoundExtension): boolean {
  if (extension.kind === "urlEncoded" || extension.kind === "urlReplacement") {
    return true;
  }
  return extension.kind === "mimeContent" && (extension.type === undefined || extension.type.text === formMediaType);
}

function getExtensionSpan(extension: BoundExtension): Span {
  return extension.kind === "boundHeader" ? extension.header.span : extension.span;
}

function lowerParameters(
  boundOperation: BindingOperationComponent,
  parts: readonly PartComponent[],
  context: BindingContext,
): readonly LocatedParameter[] | undefined {
  const parameters = parts.map((part) => {
    const parameter = lowerParameter(part, context);
    return parameter === undefined ? lowerMembers(part, context) : [parameter];
  });
  const supportedParameters = parameters.filter((parameter) => parameter !== undefined);
  if (supportedParameters.length === parts.length) {
    return supportedParameters.flat();
  }
  for (const [index, part] of parts.entries()) {
    if (parameters[index] === undefined) {
      reportUnsupported("WSDL046", part.span, {
        boundOperation,
        context,
        message: `The part "${part.name}" is a parameter of an HTTP binding, but is neither a simple value nor an element whose children are simple values.`,
      });
    }
  }
  return undefined;
}

/** A parameter with the position of its declaration. */
type LocatedParameter = HttpMessage["parameters"][number] & { readonly span: Span };

/** Lowers a part that has a simple type, or is an array of simple values; returns undefined for any other part. */
function lowerParameter(
  { content, name, span }: PartComponent,
  { references }: BindingContext,
): LocatedParameter | undefined {
  const type = content.kind === "element" ? content.declaration.type : content.type;
  if (type.kind === "simpleType") {
    return { key: name, name, type: references.toExactly(type), list: false, optional: false, span };
  }
  const item = isSoapArray(type) ? lowerSoapArray(type, references).item : undefined;
  if (item === undefined || !references.isSimple(item)) {
    return undefined;
  }
  return { key: name, name, type: item, list: true, optional: false, span };
}

/**
 * Lowers the members of a part's element to parameters; returns undefined if a member is not an element with a simple
 * type.
 */
function lowerMembers(
  { content }: PartComponent,
  { references }: BindingContext,
): readonly LocatedParameter[] | undefined {
  const record = content.kind === "element" ? findRecord(content.declaration.type, references) : undefined;
  const members = record?.fields.map((field): LocatedParameter | undefined => {
    if (field.kind !== "element" || !references.isSimple(field.type)) {
      return undefined;
    }
    const { key, wireName, type, min, max, span } = field;
    return { key, name: wireName.local, type, list: max !== 1, optional: min === 0, span };
  });
  const parameters = members?.filter((member) => member !== undefined);
  return parameters?.length === members?.length ? parameters : undefined;
}

/** Finds the positions that determine the body of a request or an answer. */
function findBodySpans(
  extensions: readonly BoundExtension[],
  parts: readonly PartComponent[],
): HttpBodySpans | undefined {
  const extension = extensions.find(({ kind }) => kind === "mimeXml" || kind === "mimeContent");
  if (extension?.kind !== "mimeXml" && extension?.kind !== "mimeContent") {
    return undefined;
  }
  const part = parts.find(({ name }) => name === extension.part?.text) ?? parts[0];
  const element = part?.content.kind === "element" ? part.content.declaration.span : undefined;
  return { content: extension.span, part: part?.span, element };
}

/** Lowers the first representation of the answer that the binding declares (WSDL 1.1 §5). */
function lowerAnswer(
  boundOperation: BindingOperationComponent,
  context: BindingContext,
): HttpMessage["answer"] | undefined {
  const parts = boundOperation.operation.output?.message.parts ?? [];
  const extension = boundOperation.output.find(({ kind }) => kind === "mimeXml" || kind === "mimeContent");
  if (extension?.kind !== "mimeXml" && extension?.kind !== "mimeContent") {
    if (parts.length === 0 && boundOperation.output.length === 0) {
      return { kind: "none" };
    }
    reportUnsupported("WSDL047", boundOperation.span, {
      boundOperation,
      context,
      message: `The HTTP answer of the operation "${boundOperation.operation.name}" is not an XML document, text or bytes.`,
    });
    return undefined;
  }
  const part = findAnswerPart(extension, boundOperation, context);
  if (part === undefined && parts.length > 0) {
    return undefined;
  }
  if (extension.kind === "mimeContent" && !isXmlContent(extension)) {
    return createContentAnswer(extension, part, context);
  }
  return part === undefined ? { kind: "none" } : createXmlAnswer(part, context);
}

/**
 * Returns the part that the answer contains: the part that the binding names, otherwise the first part. Reports an
 * unknown name.
 */
function findAnswerPart(
  { part: namedPart }: MimeXml | MimeContent,
  boundOperation: BindingOperationComponent,
  context: BindingContext,
): PartComponent | undefined {
  const { name, parts = [] } = boundOperation.operation.output?.message ?? {};
  const [firstPart, ...otherParts] = parts;
  const candidate = namedPart === undefined ? firstPart : parts.find((part) => part.name === namedPart.text);
  if (candidate !== undefined || firstPart === undefined || namedPart === undefined) {
    return candidate;
  }
  const message = `The answer of the operation "${boundOperation.operation.name}" names the part "${namedPart.text}", which the message "${name?.local}" does not have.`;
  if (otherParts.length > 0) {
    reportUnsupported("WSDL017", namedPart.span, { boundOperation, context, message });
    return undefined;
  }
  context.references.reports.warning("WSDL017", namedPart.span, { message: `${message} Its only part is used.` });
  return firstPart;
}

/**
 * Lowers an XML answer. If the part refers to a type, not to an element, the root element of the document is unknown,
 * so callers receive bytes.
 */
function createXmlAnswer({ content }: PartComponent, { references }: BindingContext): HttpMessage["answer"] {
  if (content.kind !== "element") {
    return { kind: "bytes", mediaType: "text/xml" };
  }
  const { name, nillable } = content.declaration;
  return { kind: "xml", element: name, type: references.toTypeOf(content.declaration), nillable };
}

function createContentAnswer(
  { type }: MimeContent,
  part: PartComponent | undefined,
  { references }: BindingContext,
): HttpMessage["answer"] {
  const mediaType = type?.text ?? "*/*";
  if (!mediaType.startsWith("text/")) {
    return { kind: "bytes", mediaType };
  }
  const partType = part?.content.kind === "type" ? references.toExactly(part.content.type) : undefined;
  const isSimple = partType !== undefined && references.isSimple(partType);
  return { kind: "text", type: isSimple ? partType : { kind: "builtin", name: "string" } };
}

/** Reports a warning if clients can call the operation through another binding, otherwise an error. */
function reportUnsupported(
  code: Code,
  span: Span,
  {
    boundOperation,
    context,
    message,
  }: { readonly boundOperation: BindingOperationComponent; readonly context: BindingContext; readonly message: string },
): void {
  const { references, callableOperations, reportsUnsupported } = context;
  if (!reportsUnsupported) {
    return;
  }
  if (callableOperations.has(boundOperation.operation.name)) {
    references.reports.warning(code, span, { message: `${message} Clients can only call it through another binding.` });
  } else {
    const help = "Leave the operation out with `operations` in bothends.json.";
    references.reports.unresolved(code, span, { message, help, fallback: "The operation is left out." });
  }
}

interface HttpMessages {
  readonly input: Input;
  readonly output: Output;
}

/**
 * Creates the input and output of an operation that has only HTTP bindings. The only member of the output contains the
 * answer.
 */
export function lowerHttpMessages(
  operation: LoweredHttpOperation,
  namespace: string,
  context: BindingContext,
): HttpMessages {
  const name = { namespace, local: operation.name };
  const output = {
    ...createAnswerBody(operation, name, context),
    attachments: [],
    headers: undefined,
    headerFaults: undefined,
  };
  return { input: { body: createInputBody(operation, name, context), attachments: [], headers: undefined }, output };
}

function createInputBody(operation: LoweredHttpOperation, name: QName, context: BindingContext): Input["body"] {
  const { body, parameters } = operation.http;
  if (body !== undefined) {
    return { kind: "element", ...body, ...noConstraints, rpc: false, encoded: false };
  }
  const fields = parameters.map((parameter) => ({
    ...createMessageField(operation, parameter.key, parameter.type),
    min: parameter.optional ? 0 : 1,
    max: parameter.list ? ("unbounded" as const) : 1,
  }));
  const words = [name.local, "Input"];
  return createPartsBody(
    operation,
    { id: `${clark(name.namespace, name.local)}@httpInput`, words, name, fields },
    context,
  );
}

function createAnswerBody(
  operation: LoweredHttpOperation,
  name: QName,
  context: BindingContext,
): Pick<Output, "body" | "result"> {
  const { answer } = operation.http;
  if (answer.kind === "xml") {
    const { element, type, nillable } = answer;
    return {
      body: { kind: "element", element, type, nillable, ...noConstraints, rpc: false, encoded: false },
      result: { kind: "whole" },
    };
  }
  const type = findAnswerType(answer);
  const fields = type === undefined ? [] : [createMessageField(operation, "Body", type)];
  const id = `${clark(name.namespace, name.local)}@httpOutput`;
  return {
    body: createPartsBody(operation, { id, words: [name.local, "Output"], name, fields }, context),
    result: type === undefined ? { kind: "empty" } : { kind: "member", key: "Body", repeated: false },
  };
}

function findAnswerType(answer: HttpMessage["answer"]): TypeReference | undefined {
  if (answer.kind === "text") {
    return answer.type;
  }
  return answer.kind === "bytes" ? { kind: "builtin", name: "base64Binary" } : undefined;
}

function createPartsBody(
  { span }: LoweredHttpOperation,
  {
    id,
    words,
    name,
    fields,
  }: {
    readonly id: string;
    readonly words: readonly string[];
    readonly name: QName;
    readonly fields: readonly ElementField[];
  },
  { records }: BindingContext,
): Input["body"] {
  return { kind: "parts", record: records.add({ id, words, wireName: name, span, fields }).id };
}

function createMessageField({ span }: LoweredHttpOperation, name: string, type: TypeReference): ElementField {
  return {
    kind: "element",
    wireName: { namespace: "", local: name },
    type,
    min: 1,
    max: 1,
    nillable: false,
    ...noConstraints,
    span,
    documentation: undefined,
    key: name,
    inherited: false,
  };
}
