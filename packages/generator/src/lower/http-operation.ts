import type { BindingOperationComponent, BoundExtension, PartComponent } from "../components/wsdl-model.js";
import type { HttpMessage } from "../model/soap.js";
import type { TypeReference } from "../model/types.js";
import type { MimeContent } from "../read/wsdl/documents.js";
import type { Span } from "../source/span.js";
import type { HttpSide, Lowering } from "./lowered.js";
import { isSoapArray } from "./soap-encoding.js";

const formType = "application/x-www-form-urlencoded";

/** What an HTTP binding makes of an operation (WSDL 1.1 §4); undefined once its problem is reported. */
export function lowerHttpOperation(
  bound: BindingOperationComponent,
  place: { readonly overload: number; readonly post: boolean },
  lowering: Lowering,
): HttpSide | undefined {
  const { operation, protocol } = bound;
  if (operation.input === undefined || protocol?.kind !== "httpOperation") return undefined;
  if (!isSupportedInput(bound, place.post, lowering)) return undefined;
  const parameters = lowerParameters(operation.input.message.parts, lowering);
  const answer = lowerAnswer(bound, lowering);
  if (parameters === undefined || answer === undefined) return undefined;
  return {
    kind: "http",
    name: operation.name,
    overload: place.overload,
    span: operation.nameSpan,
    documentation: operation.documentation ?? bound.documentation,
    http: { parameters, answer },
    binding: {
      location: protocol.location.text,
      replace: bound.input.some((extension) => extension.kind === "urlReplacement"),
    },
  };
}

/** A query, a form, or parts of the path; a body of another kind is not a set of parameters. */
function isSupportedInput(bound: BindingOperationComponent, post: boolean, { types }: Lowering): boolean {
  const other = bound.input.find((extension) => !holdsParameters(extension));
  if (other === undefined && (!post || bound.input.length > 0 || hasNoParts(bound))) return true;
  types.errorOnce("WSDL045", other === undefined ? bound.span : spanOfExtension(other), {
    message: `Operation "${bound.operation.name}" takes an HTTP body that is not a form.`,
    help: "Leave the operation out with `operations` in bothends.json, or use its SOAP binding.",
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

function lowerParameters(parts: readonly PartComponent[], lowering: Lowering): HttpMessage["parameters"] | undefined {
  const parameters = parts.map((part) => lowerParameter(part, lowering));
  const complete = parameters.filter((parameter) => parameter !== undefined);
  return complete.length === parameters.length ? complete : undefined;
}

function lowerParameter(part: PartComponent, { types }: Lowering): HttpMessage["parameters"][number] | undefined {
  const { content, name } = part;
  const type = content.kind === "element" ? content.declaration.type : content.type;
  if (type.kind === "complexType" && isSoapArray(type)) {
    const [item] = types.record(type).fields;
    if (item?.kind === "element" && types.isSimple(item.type)) return { key: name, name, type: item.type, list: true };
  }
  const reference = types.exact(type);
  if (types.isSimple(reference)) return { key: name, name, type: reference, list: false };
  types.errorOnce("WSDL046", part.span, {
    message: `Part "${name}" is a parameter of an HTTP binding, and its type is not text.`,
    help: "Give the part a simple type.",
  });
  return undefined;
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
  if (extension.kind === "mimeXml" || /^(?:text|application)\/xml$/.test(extension.type?.text ?? "")) {
    return part === undefined ? { kind: "none" } : xmlAnswer(bound, part, lowering);
  }
  return contentAnswer(extension, part, lowering);
}

function xmlAnswer(
  bound: BindingOperationComponent,
  part: PartComponent,
  lowering: Lowering,
): HttpMessage["answer"] | undefined {
  const { content } = part;
  if (content.kind !== "element") return refuseAnswer(bound, lowering);
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

function refuseAnswer(bound: BindingOperationComponent, { types }: Lowering): undefined {
  types.errorOnce("WSDL047", bound.span, {
    message: `The HTTP answer of operation "${bound.operation.name}" is neither an XML element, text nor bytes.`,
    help: "Bind the output with mime:mimeXml to a part that has an element, or with mime:content.",
  });
  return undefined;
}
