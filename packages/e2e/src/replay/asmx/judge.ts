import { descendant, firstDifference, type Shape, shapeOf, textOf } from "./body-shape.js";
import type { RecordedAnswer, RecordedCase } from "./recorded-case.js";
import { wsdlDifference } from "./wsdl-shape.js";

/** The answer of our server, in the form of a recorded answer. */
export type ActualAnswer = RecordedAnswer;

/** Describes the difference between an answer and the one that its case requires; undefined if there is none. */
export function judge(recordedCase: RecordedCase, actual: ActualAnswer): string | undefined {
  const expected = recordedCase.answer;
  switch (recordedCase.ruling) {
    case "skip":
      return undefined;
    case "status-only":
      return statusDifference(expected, actual);
    case "asmx":
      return headDifference(expected, actual) ?? bodyDifference(expected, actual);
    case "text-free":
      return headDifference(expected, actual) ?? structureDifference(expected, actual);
    case "spec":
      return specDifference(recordedCase, actual);
  }
}

function statusDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  return expected.status === actual.status ? undefined : `status ${expected.status}, found ${actual.status}`;
}

function headDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  const status = statusDifference(expected, actual);
  if (status !== undefined || isSameType(expected.contentType, actual.contentType)) {
    return status;
  }
  return `content type ${expected.contentType}, found ${actual.contentType}`;
}

function isSameType(left: string, right: string): boolean {
  const normalize = (text: string) => text.toLowerCase().replaceAll(" ", "");
  return (
    normalize(left) === normalize(right) ||
    (normalize(left) === "text/html" && normalize(right).startsWith("text/html;"))
  );
}

function bodyDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  if (isXml(expected)) {
    return shapeDifference(textOfBytes(expected), textOfBytes(actual));
  }
  if (expected.contentType.startsWith("text/html")) {
    return undefined;
  }
  const text = textOfBytes(actual);
  return matchesRaw(textOfBytes(expected), text)
    ? undefined
    : `body ${quote(textOfBytes(expected))}, found ${quote(text)}`;
}

function isXml({ contentType, body }: RecordedAnswer): boolean {
  return /xml/.test(contentType) && body.length > 0;
}

function shapeDifference(expected: string, actual: string): string | undefined {
  const [wantedShape, foundShape] = [tryShape(expected), tryShape(actual)];
  if (foundShape === undefined) {
    return `body is not XML: ${quote(actual)}`;
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

/** Whether a text equals a recorded one, in which `{0}` can be any text. */
function matchesRaw(expected: string, actual: string): boolean {
  const pieces = expected.split(/\{\d\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`).test(actual);
}

/** Compares the structure of answers without their texts: the code and the parts of a fault, or a line of text. */
function structureDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  if (!isXml(expected)) {
    return lineDifference(actual);
  }
  const [wantedFault, foundFault] = [faultParts(textOfBytes(expected)), faultParts(textOfBytes(actual))];
  return wantedFault === foundFault ? undefined : `fault ${wantedFault}, found ${foundFault}`;
}

function lineDifference(actual: ActualAnswer): string | undefined {
  const text = textOfBytes(actual);
  return text.length > 1 && text.endsWith("\n") ? undefined : `the body is not a line of text: ${quote(text)}`;
}

function faultParts(text: string): string {
  const shape = tryShape(text);
  const fault = shape && descendant(shape, "Fault");
  if (shape === undefined || fault === undefined) {
    return `none in ${quote(text)}`;
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

/** Compares an answer with a requirement of the specification that overrides the recording. `reason` names the requirement. */
function specDifference({ request, answer, reason }: RecordedCase, actual: ActualAnswer): string | undefined {
  if (reason.startsWith("parameters are minOccurs")) {
    return headDifference(answer, actual) ?? wsdlDifference(textOfBytes(answer), textOfBytes(actual));
  }
  const soap12 = answer.contentType.startsWith("application/soap+xml");
  const isSoap = soap12 || request.headers.some(([name]) => name.toLowerCase() === "soapaction");
  const contentType = isSoap ? answer.contentType : "text/plain; charset=utf-8";
  const head = headDifference({ status: 500, contentType, body: answer.body }, actual);
  if (head !== undefined || !isSoap) {
    return head ?? lineDifference(actual);
  }
  const parts = faultParts(textOfBytes(actual));
  const code = soap12 ? "soap:Sender" : "soap:Client";
  return parts.startsWith(`${code} `) ? undefined : `fault ${code}, found ${parts}`;
}

function textOfBytes({ body }: RecordedAnswer): string {
  return new TextDecoder().decode(body);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
