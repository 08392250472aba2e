import type { BindingOperationComponent, BoundExtension, PartComponent } from "../components/wsdl-model.js";
import type { TypeReference } from "../model/schema-types.js";
import type { HttpMessage } from "../model/soap.js";
import type { MimeContent, MimeXml } from "../read/wsdl/documents.js";
import type { Code } from "../source/catalogue/index.js";
import type { Span } from "../source/span.js";
import type { HttpSide, Lowering } from "./lowered.js";
import { lowerSoapArray } from "./soap-array.js";
import { isSoapArray } from "./soap-encoding.js";

const formType = "application/x-www-form-urlencoded";

/** What an HTTP binding makes of an operation (WSDL 1.1 §4); undefined once its problem is reported. */
export function lowerHttpOperation(
  bound: BindingOperationComponent,
  place: { readonly overload: number; readonly post: boolean; readonly address: string | undefined },
  lowering: Lowering,
): HttpSide | undefined {
  const { operation, protocol } = bound;
  if (operation.input === undefined || protocol?.kind !== "httpOperation") return undefined;
  const body = place.post ? lowerBody(bound, operation.input.message.parts, lowering) : undefined;
  if (body === undefined && !isSupportedInput(bound, place.post, lowering)) return undefined;
  const parameters = body === undefined ? lowerParameters(bound, operation.input.message.parts, lowering) : [];
  const answer = lowerAnswer(bound, lowering);
  if (parameters === undefined || answer === undefined) return undefined;
  return {
    kind: "http",
    name: operation.name,
    overload: place.overload,
    span: operation.nameSpan,
    documentation: operation.documentation ?? bound.documentation,
    http: { body, parameters, answer },
    binding: {
      location: locationBelow(place.address, protocol.location.text),
      replace: bound.input.some((extension) => extension.kind === "urlReplacement"),
    },
  };
}

/**
 * WSDL 1.1 §4.4: what follows the address. Where it does not begin with a slash, it is relative to the address: it follows it, after
 * a slash, and where it repeats the last step of the address, that step is the same one.
 */
function locationBelow(address: string | undefined, location: string): string {
  if (location === "" || /^(?:[/?]|[a-z][a-z0-9+.-]*:)/i.test(location)) return location;
  const last = /[^/?#]*(?=[?#]|$)/.exec(address ?? "")?.[0] ?? "";
  return last !== "" && location.startsWith(`${last}/`) ? location.slice(last.length) : `/${location}`;
}

/** WSDL 1.1 §5.3, §5.6: a part that has an element, posted as an XML document. */
function lowerBody(
  { input }: BindingOperationComponent,
  parts: readonly PartComponent[],
  { types }: Lowering,
): HttpMessage["body"] {
  const [extension, ...others] = input;
  if (extension === undefined || others.length > 0 || !isXmlContent(extension)) return undefined;
  const part = parts.find(({ name }) => name === extension.part?.text) ?? (parts.length === 1 ? parts[0] : undefined);
  if (part?.content.kind !== "element") return undefined;
  const { declaration } = part.content;
  return { element: declaration.name, type: types.elementType(declaration), nillable: declaration.nillable };
}

function isXmlContent(extension: BoundExtension): extension is MimeContent | MimeXml {
  if (extension.kind === "mimeXml") return true;
  return extension.kind === "mimeContent" && xmlType.test(extension.type?.text ?? "");
}

const xmlType = /^(?:text|application)\/xml$/;

/** A query, a form, or parts of the path; a body of another kind is not a set of parameters. */
function isSupportedInput(bound: BindingOperationComponent, post: boolean, lowering: Lowering): boolean {
  const other = bound.input.find((extension) => !holdsParameters(extension));
  if (hasNoParts(bound) || (other === undefined && (!post || bound.input.length > 0))) return true;
  refuse("WSDL045", other === undefined ? bound.span : spanOfExtension(other), {
    bound,
    lowering,
    message: `Operation "${bound.operation.name}" takes an HTTP body that is neither a form nor one XML element.`,
  });
  return false;
}

function hasNoParts({ operation }: BindingOperationComponent): boolean {
  return operation.input?.message.parts.length === 0;
}

function holdsParameters(extension: BoundExtension): boolean {
  if (extension.kind === "urlEncoded" || extension.kind === "urlReplacement") return true;
  return extension.kind === "mimeContent" && (extension.type === undefined || extension.type.text === formType);
}

function spanOfExtension(extension: BoundExtension): Span {
  return extension.kind === "boundHeader" ? extension.header.span : extension.span;
}

function lowerParameters(
  bound: BindingOperationComponent,
  parts: readonly PartComponent[],
  lowering: Lowering,
): HttpMessage["parameters"] | undefined {
  const parameters = parts.map((part) => lowerParameter(part, lowering) ?? lowerMembers(part, lowering));
  const complete = parameters.filter((parameter) => parameter !== undefined);
  if (complete.length === parts.length) return complete.flat();
  for (const [index, part] of parts.entries()) {
    if (parameters[index] !== undefined) continue;
    refuse("WSDL046", part.span, {
      bound,
      lowering,
      message: `Part "${part.name}" is a parameter of an HTTP binding, and its type is not text.`,
    });
  }
  return undefined;
}

type Parameter = HttpMessage["parameters"][number];

function lowerParameter({ content, name }: PartComponent, { types }: Lowering): Parameter | undefined {
  const type = content.kind === "element" ? content.declaration.type : content.type;
  if (type.kind === "complexType") {
    const item = isSoapArray(type) ? lowerSoapArray(type, types).item : undefined;
    if (item === undefined || !types.isSimple(item)) return undefined;
    return { key: name, name, type: item, list: true, optional: false };
  }
  return { key: name, name, type: types.exact(type), list: false, optional: false };
}

/** A part whose element holds texts alone: each of them is a parameter. */
function lowerMembers({ content }: PartComponent, { types }: Lowering): readonly Parameter[] | undefined {
  if (content.kind !== "element") return undefined;
  const fields = types.recordOf(content.declaration.type)?.fields;
  const members = fields?.map((field): Parameter | undefined => {
    if (field.kind !== "element" || !types.isSimple(field.type)) return undefined;
    const { key, wireName, type, min, max } = field;
    return { key, name: wireName.local, type, list: max !== 1, optional: min === 0 };
  });
  const complete = members?.filter((member) => member !== undefined);
  return complete?.length === members?.length ? complete : undefined;
}

/** WSDL 1.1 §5: the first representation of the answer. */
function lowerAnswer(bound: BindingOperationComponent, lowering: Lowering): HttpMessage["answer"] | undefined {
  const parts = bound.operation.output?.message.parts ?? [];
  const extension = bound.output.find((one) => one.kind === "mimeXml" || one.kind === "mimeContent");
  if (extension === undefined) {
    if (parts.length === 0 && bound.output.length === 0) return { kind: "none" };
    return refuseAnswer(bound, lowering);
  }
  const part = parts.find((one) => one.name === extension.part?.text) ?? parts[0];
  if (extension.kind === "mimeXml" || xmlType.test(extension.type?.text ?? "")) {
    return part === undefined ? { kind: "none" } : xmlAnswer(part, lowering);
  }
  return contentAnswer(extension, part, lowering);
}

/** Of a type alone, WSDL does not say what the root of the document is: it is handed over as it is. */
function xmlAnswer({ content }: PartComponent, lowering: Lowering): HttpMessage["answer"] {
  if (content.kind !== "element") return { kind: "bytes", mediaType: "text/xml" };
  const { name, nillable } = content.declaration;
  return { kind: "xml", element: name, type: lowering.types.elementType(content.declaration), nillable };
}

function contentAnswer(
  { type }: MimeContent,
  part: PartComponent | undefined,
  { types }: Lowering,
): HttpMessage["answer"] {
  const mediaType = type?.text ?? "*/*";
  if (!mediaType.startsWith("text/")) return { kind: "bytes", mediaType };
  const simple = part?.content.kind === "type" ? types.exact(part.content.type) : undefined;
  const text: TypeReference = { kind: "builtin", name: "string" };
  return { kind: "text", type: simple !== undefined && types.isSimple(simple) ? simple : text };
}

function refuseAnswer(bound: BindingOperationComponent, lowering: Lowering): undefined {
  refuse("WSDL047", bound.span, {
    bound,
    lowering,
    message: `The HTTP answer of operation "${bound.operation.name}" is neither an XML element, text nor bytes.`,
  });
}

/** A warning where SOAP can call the operation too, else an error: it could not be called at all. */
function refuse(
  code: Code,
  span: Span,
  {
    bound,
    lowering,
    message,
  }: { readonly bound: BindingOperationComponent; readonly lowering: Lowering; readonly message: string },
): void {
  if (lowering.callable.has(bound.operation.name)) {
    lowering.types.warnOnce(code, span, { message: `${message} The operation is left to SOAP.` });
  } else {
    const help = "Leave the operation out with `operations` in bothends.json.";
    lowering.types.errorOnce(code, span, { message, help });
  }
}
