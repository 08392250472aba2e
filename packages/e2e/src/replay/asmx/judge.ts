import { findDescendant, findFirstDifference, getText, readShape, type Shape } from "./body-shape.js";
import type { RecordedAnswer, RecordedCase } from "./recorded-case.js";
import { findWsdlDifference } from "./wsdl-shape.js";

/** The answer of the generated server, in the form of a recorded answer. */
export type ActualAnswer = RecordedAnswer;

/** Describes the difference between an answer and the one that its case requires; undefined if there is none. */
export function judge(recordedCase: RecordedCase, actual: ActualAnswer): string | undefined {
  const expected = recordedCase.answer;
  switch (recordedCase.ruling) {
    case "skip":
      return undefined;
    case "status-only":
      return findStatusDifference(expected, actual);
    case "asmx":
      return findHeadDifference(expected, actual) ?? findBodyDifference(expected, actual);
    case "text-free":
      return findHeadDifference(expected, actual) ?? findStructureDifference(expected, actual);
    case "spec":
      return findSpecDifference(recordedCase, actual);
  }
}

function findStatusDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  return expected.status === actual.status ? undefined : `status ${expected.status}, found ${actual.status}`;
}

function findHeadDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  const status = findStatusDifference(expected, actual);
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

function findBodyDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  if (isXml(expected)) {
    return findShapeDifference(getTextOfBytes(expected), getTextOfBytes(actual));
  }
  if (expected.contentType.startsWith("text/html")) {
    return undefined;
  }
  const text = getTextOfBytes(actual);
  return matchesRaw(getTextOfBytes(expected), text)
    ? undefined
    : `body ${quote(getTextOfBytes(expected))}, found ${quote(text)}`;
}

function isXml({ contentType, body }: RecordedAnswer): boolean {
  return /xml/.test(contentType) && body.length > 0;
}

function findShapeDifference(expected: string, actual: string): string | undefined {
  const [wantedShape, foundShape] = [tryShape(expected), tryShape(actual)];
  if (foundShape === undefined) {
    return `body is not XML: ${quote(actual)}`;
  }
  if (wantedShape === undefined) {
    return "the recorded body is not well-formed XML";
  }
  return findFirstDifference(wantedShape, foundShape);
}

function tryShape(text: string): Shape | undefined {
  try {
    return readShape(text);
  } catch {
    return undefined;
  }
}

/** Whether a message matches a recorded message, in which `{0}` stands for any characters. */
function matchesRaw(expected: string, actual: string): boolean {
  const pieces = expected.split(/\{\d\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`).test(actual);
}

/**
 * Compares the structure of answers without their texts: the code and the parts of a fault; for any other answer,
 * whether it is a line of text.
 */
function findStructureDifference(expected: RecordedAnswer, actual: ActualAnswer): string | undefined {
  if (!isXml(expected)) {
    return findLineDifference(actual);
  }
  const [wantedFault, foundFault] = [
    describeFaultParts(getTextOfBytes(expected)),
    describeFaultParts(getTextOfBytes(actual)),
  ];
  return wantedFault === foundFault ? undefined : `fault ${wantedFault}, found ${foundFault}`;
}

function findLineDifference(actual: ActualAnswer): string | undefined {
  const text = getTextOfBytes(actual);
  return text.length > 1 && text.endsWith("\n") ? undefined : `the body is not a line of text: ${quote(text)}`;
}

function describeFaultParts(text: string): string {
  const shape = tryShape(text);
  const fault = shape && findDescendant(shape, "Fault");
  if (shape === undefined || fault === undefined) {
    return `none in ${quote(text)}`;
  }
  const code = getText(findDescendant(fault, "faultcode") ?? findDescendant(fault, "Value"));
  const parts = fault.children.map((child) => (typeof child === "string" ? "text" : child.name));
  const header = findDescendant(shape, "Header");
  return [
    code,
    ...parts,
    ...(header?.children.map((child) => (typeof child === "string" ? "text" : child.name)) ?? []),
  ].join(" ");
}

/** Compares an answer with a rule of the specification that overrides the recording. `reason` names the rule. */
function findSpecDifference({ request, answer, reason }: RecordedCase, actual: ActualAnswer): string | undefined {
  if (reason.startsWith("parameters are minOccurs")) {
    return findHeadDifference(answer, actual) ?? findWsdlDifference(getTextOfBytes(answer), getTextOfBytes(actual));
  }
  const soap12 = answer.contentType.startsWith("application/soap+xml");
  const isSoap = soap12 || request.headers.some(([name]) => name.toLowerCase() === "soapaction");
  const contentType = isSoap ? answer.contentType : "text/plain; charset=utf-8";
  const head = findHeadDifference({ status: 500, contentType, body: answer.body }, actual);
  if (head !== undefined || !isSoap) {
    return head ?? findLineDifference(actual);
  }
  const parts = describeFaultParts(getTextOfBytes(actual));
  const code = soap12 ? "soap:Sender" : "soap:Client";
  return parts.startsWith(`${code} `) ? undefined : `fault ${code}, found ${parts}`;
}

function getTextOfBytes({ body }: RecordedAnswer): string {
  return new TextDecoder().decode(body);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
