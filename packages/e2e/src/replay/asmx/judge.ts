import { descendant, firstDifference, type Shape, shapeOf, textOf } from "./body-shape.js";
import type { RecordedAnswer, RecordedCase } from "./recorded-case.js";
import { wsdlDifference } from "./wsdl-shape.js";

/** The section of the specification, or the row in the recording's README. */
export type FoundAnswer = RecordedAnswer;

/** The difference between an answer and the one that its case requires; undefined if there is none. */
export function judge(recorded: RecordedCase, found: FoundAnswer): string | undefined {
  const expected = recorded.answer;
  switch (recorded.ruling) {
    case "skip":
      return undefined;
    case "status-only":
      return statusDifference(expected, found);
    case "asmx":
      return headDifference(expected, found) ?? bodyDifference(expected, found);
    case "text-free":
      return headDifference(expected, found) ?? kindDifference(expected, found);
    case "spec":
      return specDifference(recorded, found);
  }
}

function statusDifference(expected: RecordedAnswer, found: FoundAnswer): string | undefined {
  return expected.status === found.status ? undefined : `status ${expected.status}, found ${found.status}`;
}

function headDifference(expected: RecordedAnswer, found: FoundAnswer): string | undefined {
  const status = statusDifference(expected, found);
  if (status !== undefined || sameType(expected.contentType, found.contentType)) {
    return status;
  }
  return `content type ${expected.contentType}, found ${found.contentType}`;
}

function sameType(left: string, right: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(" ", "");
  return plain(left) === plain(right) || (plain(left) === "text/html" && plain(right).startsWith("text/html;"));
}

function bodyDifference(expected: RecordedAnswer, found: FoundAnswer): string | undefined {
  if (isXml(expected)) {
    return shapeDifference(textOfBytes(expected), textOfBytes(found));
  }
  if (expected.contentType.startsWith("text/html")) {
    return undefined;
  }
  const text = textOfBytes(found);
  return matchesRaw(textOfBytes(expected), text)
    ? undefined
    : `body ${quoted(textOfBytes(expected))}, found ${quoted(text)}`;
}

function isXml({ contentType, body }: RecordedAnswer): boolean {
  return /xml/.test(contentType) && body.length > 0;
}

function shapeDifference(expected: string, found: string): string | undefined {
  const [wantedShape, foundShape] = [tryShape(expected), tryShape(found)];
  if (foundShape === undefined) {
    return `body is not XML: ${quoted(found)}`;
  }
  if (wantedShape === undefined) {
    return "the recorded body is not well-formed XML";
  }
  return firstDifference(wantedShape, foundShape);
}

function tryShape(text: string): Shape | undefined {
  try {
    return shapeOf(text);
  } catch {
    return undefined;
  }
}

/** The recording contains `{0}` in place of a name. */
function matchesRaw(expected: string, found: string): boolean {
  const pieces = expected.split(/\{\d\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`).test(found);
}

/** The structure of an answer without its text: the code and the parts of a fault, or a line of text. */
function kindDifference(expected: RecordedAnswer, found: FoundAnswer): string | undefined {
  if (!isXml(expected)) {
    return lineDifference(found);
  }
  const [wantedFault, foundFault] = [faultParts(textOfBytes(expected)), faultParts(textOfBytes(found))];
  return wantedFault === foundFault ? undefined : `fault ${wantedFault}, found ${foundFault}`;
}

function lineDifference(found: FoundAnswer): string | undefined {
  const text = textOfBytes(found);
  return text.length > 1 && text.endsWith("\n") ? undefined : `no line of text: ${quoted(text)}`;
}

function faultParts(text: string): string {
  const shape = tryShape(text);
  const fault = shape && descendant(shape, "Fault");
  if (shape === undefined || fault === undefined) {
    return `none in ${quoted(text)}`;
  }
  const code = textOf(descendant(fault, "faultcode") ?? descendant(fault, "Value"));
  const parts = fault.children.map((child) => (typeof child === "string" ? "text" : child.name));
  const header = descendant(shape, "Header");
  return [
    code,
    ...parts,
    ...(header?.children.map((child) => (typeof child === "string" ? "text" : child.name)) ?? []),
  ].join(" ");
}

/** Compares an answer with what the specification requires, if that overrides the recording. `reason` decides which rule applies. */
function specDifference({ request, answer, reason }: RecordedCase, found: FoundAnswer): string | undefined {
  if (reason.startsWith("parameters are minOccurs")) {
    return headDifference(answer, found) ?? wsdlDifference(textOfBytes(answer), textOfBytes(found));
  }
  const soap12 = answer.contentType.startsWith("application/soap+xml");
  const isSoap = soap12 || request.headers.some(([name]) => name.toLowerCase() === "soapaction");
  const contentType = isSoap ? answer.contentType : "text/plain; charset=utf-8";
  const head = headDifference({ status: 500, contentType, body: answer.body }, found);
  if (head !== undefined || !isSoap) {
    return head ?? lineDifference(found);
  }
  const parts = faultParts(textOfBytes(found));
  const code = soap12 ? "soap:Sender" : "soap:Client";
  return parts.startsWith(`${code} `) ? undefined : `fault ${code}, found ${parts}`;
}

function textOfBytes({ body }: RecordedAnswer): string {
  return new TextDecoder().decode(body);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
