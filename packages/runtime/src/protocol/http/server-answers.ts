import type { IndentElements } from "../../codec/codec-options.js";
import { instanceNamespace, schemaNamespace } from "../../codec/resolved-types.js";
import type { HeaderLine } from "../../http/headers.js";
import { createShortPage, inertXml, nosniff, type ServerAnswer } from "../../http/server-answer.js";
import type { FaultStage, HttpRefusal, Problem, ServerConventions, TargetProblem } from "../conventions.js";

const xmlType: HeaderLine = ["Content-Type", "text/xml; charset=utf-8"];

/** The media type of answers in plain text. */
export const textType: HeaderLine = ["Content-Type", "text/plain; charset=utf-8"];

/** Returns the answer to a refused HTTP GET or POST call. */
export function createRefusalAnswer(
  conventions: ServerConventions,
  problem: Problem | TargetProblem,
  request: { readonly method: string; readonly parameter?: string | undefined },
): ServerAnswer {
  const refusal = conventions.refuseHttp(problem, request);
  return refusal.page === true
    ? createErrorPageAnswer(conventions, refusal)
    : createLineAnswer(conventions, refusal, problem === "noSchema" ? "operation" : "dispatch");
}

/** Returns the answer for an error, with a line of text as its body. */
export function createLineAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  stage: FaultStage,
): ServerAnswer {
  const headers = [textType, conventions.cacheControl(stage), nosniff];
  return { status, headers, body: conventions.formatErrorLine(text) };
}

/** Returns the answer for an error, with a short HTML page as its body. */
export function createErrorPageAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  headers: readonly HeaderLine[] = [],
): ServerAnswer {
  const page = createShortPage(status, text);
  return { ...page, headers: [...page.headers, conventions.cacheControl("dispatch"), ...headers] };
}

/** Returns an answer whose body is an XML document. */
export function createXmlAnswer(conventions: ServerConventions, document: string): ServerAnswer {
  return { status: 200, headers: [xmlType, conventions.cacheControl("operation"), ...inertXml], body: document };
}

/** The namespace declarations on the root element of an answer. */
export const rootDeclarations = ` xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}"`;

/**
 * Indents XML by two spaces per level. Elements that contain text stay unchanged. `xml` must be the output of an
 * encoder, without indentation, comments or an XML declaration.
 */
export const indentElements: IndentElements = (xml, lineBreak) => {
  const { kinds, endOffsets, hasText, isMixed } = splitPieces(xml);
  if (isMixed) {
    return undefined;
  }
  const openElements: boolean[] = [];
  let text = "";
  for (let index = 0, start = 0; index < kinds.length; index += 1) {
    const kind = kinds[index];
    const end = endOffsets[index] ?? xml.length;
    const isInText = openElements.at(-1) ?? false;
    if (kind === "end") {
      openElements.pop();
    }
    const isInline = isInText || (kind === "end" && kinds[index - 1] === "start");
    text += isInline ? xml.slice(start, end) : lineBreak + "  ".repeat(openElements.length) + xml.slice(start, end);
    if (kind === "start") {
      openElements.push(isInText || hasText[index] === true);
    }
    start = end;
  }
  return text;
};

/** The tags of a document, and the text between the tags. Each array has one item per tag or text. */
interface XmlPieces {
  readonly kinds: readonly PieceKind[];
  readonly endOffsets: readonly number[];
  /** For start tags: whether the element directly contains text. If so, its children must not be indented. */
  readonly hasText: readonly boolean[];
  /** Whether there is text outside of all elements. */
  readonly isMixed: boolean;
}

type PieceKind = "start" | "end" | "empty" | "text";

function splitPieces(xml: string): XmlPieces {
  const kinds: PieceKind[] = [];
  const endOffsets: number[] = [];
  const hasText: boolean[] = [];
  const openElements: number[] = [];
  let isMixed = false;
  for (let start = 0; start < xml.length; ) {
    const end = xml[start] === "<" ? findTagEnd(xml, start) : findTextEnd(xml, start);
    const kind = getKind(xml, start, end);
    hasText.push(false);
    if (kind === "text") {
      const element = openElements.at(-1);
      if (element === undefined) {
        isMixed = true;
      } else {
        hasText[element] = true;
      }
    } else if (kind === "start") {
      openElements.push(kinds.length);
    } else if (kind === "end") {
      openElements.pop();
    }
    kinds.push(kind);
    endOffsets.push(end);
    start = end;
  }
  return { kinds, endOffsets, hasText, isMixed };
}

function getKind(xml: string, start: number, end: number): PieceKind {
  if (xml[start] !== "<") {
    return "text";
  }
  if (xml[start + 1] === "/") {
    return "end";
  }
  return xml[end - 2] === "/" ? "empty" : "start";
}

function findTextEnd(xml: string, start: number): number {
  const end = xml.indexOf("<", start);
  return end < 0 ? xml.length : end;
}

const quotedTag = /<[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/y;

/**
 * Returns the offset after the tag that begins at `start`. A `>` inside an attribute value does not end the tag. The
 * slower pattern is used only for tags that contain a quotation mark, which are rare.
 */
function findTagEnd(xml: string, start: number): number {
  const end = xml.indexOf(">", start) + 1;
  for (let offset = start; offset < end; offset += 1) {
    const code = xml.charCodeAt(offset);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      quotedTag.lastIndex = start;
      return quotedTag.test(xml) ? quotedTag.lastIndex : xml.length;
    }
  }
  return end === 0 ? xml.length : end;
}

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
