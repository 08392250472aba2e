import { instanceNamespace, schemaNamespace } from "../../codec/names.js";
import { type HeaderLine, inertXml, nosniff, plainAnswer, type ServerAnswer } from "../../http/server-messages.js";

import type { HttpRefusal, Origin, Problem, ServerConventions, TargetProblem } from "../conventions.js";

const xmlType: HeaderLine = ["Content-Type", "text/xml; charset=utf-8"];
export const textType: HeaderLine = ["Content-Type", "text/plain; charset=utf-8"];

/** The answer to a request that is refused as a call of HTTP GET or POST. */
export function refusedAnswer(
  conventions: ServerConventions,
  problem: Problem | TargetProblem,
  request: { readonly method: string; readonly parameter?: string | undefined },
): ServerAnswer {
  const refusal = conventions.refuseHttp(problem, request);
  return refusal.page === true
    ? pageAnswer(conventions, refusal)
    : lineAnswer(conventions, refusal, problem === "noSchema" ? "operation" : "dispatch");
}

/** An error as a line of text. */
export function lineAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  origin: Origin,
): ServerAnswer {
  const headers = [textType, conventions.cacheControl(origin), nosniff];
  return { status, headers, body: conventions.errorLine(text) };
}

/** An error as a short HTML page. */
export function pageAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  headers: readonly HeaderLine[] = [],
): ServerAnswer {
  const page = plainAnswer(status, text);
  return { ...page, headers: [...page.headers, conventions.cacheControl("dispatch"), ...headers] };
}

/** An XML document. */
export function xmlAnswer(conventions: ServerConventions, document: string): ServerAnswer {
  return { status: 200, headers: [xmlType, conventions.cacheControl("operation"), ...inertXml], body: document };
}

/**
 * Writes the XML document of an answer over HTTP GET and POST: the root declares `xsd` and `xsi`, and elements that
 * contain only elements are indented by two spaces. `root` is the output of an encoder: not indented, and without
 * comments or an XML declaration.
 */
export function writeXmlAnswer(root: string): string {
  const nameEnd = root.search(/[\s/>]/);
  const bound = `${root.slice(0, nameEnd)} xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}"${root.slice(nameEnd)}`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${indented(bound)}`;
}

/** In two passes over positions: with an object for each piece, it took a third more time, which is felt in every call over HTTP GET. */
function indented(xml: string): string {
  const { kinds, ends, haveText } = split(xml);
  const open: boolean[] = [];
  let text = "";
  for (let index = 0, start = 0; index < kinds.length; index += 1) {
    const kind = kinds[index];
    const end = ends[index] ?? xml.length;
    const isInText = open.at(-1) ?? false;
    if (kind === "end") {
      open.pop();
    }
    const isInline = isInText || index === 0 || (kind === "end" && kinds[index - 1] === "start");
    text += isInline ? xml.slice(start, end) : `\n${"  ".repeat(open.length)}${xml.slice(start, end)}`;
    if (kind === "start") {
      open.push(isInText || haveText[index] === true);
    }
    start = end;
  }
  return text;
}

/** The tags of written XML and the texts between them, by their number. */
interface Pieces {
  readonly kinds: readonly PieceKind[];
  readonly ends: readonly number[];
  /** For start tags: whether text is among the element's children, which must not be indented then. */
  readonly haveText: readonly boolean[];
}

type PieceKind = "start" | "end" | "empty" | "text";

function split(xml: string): Pieces {
  const kinds: PieceKind[] = [];
  const ends: number[] = [];
  const haveText: boolean[] = [];
  const open: number[] = [];
  for (let start = 0; start < xml.length; ) {
    const end = xml[start] === "<" ? tagEnd(xml, start) : textEnd(xml, start);
    const kind = kindOf(xml, start, end);
    haveText.push(false);
    if (kind === "text") {
      haveText[open.at(-1) ?? 0] = true;
    } else if (kind === "start") {
      open.push(kinds.length);
    } else if (kind === "end") {
      open.pop();
    }
    kinds.push(kind);
    ends.push(end);
    start = end;
  }
  return { kinds, ends, haveText };
}

function kindOf(xml: string, start: number, end: number): PieceKind {
  if (xml[start] !== "<") {
    return "text";
  }
  if (xml[start + 1] === "/") {
    return "end";
  }
  return xml[end - 2] === "/" ? "empty" : "start";
}

function textEnd(xml: string, start: number): number {
  const end = xml.indexOf("<", start);
  return end < 0 ? xml.length : end;
}

const quotedTag = /<[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/y;

/** A `>` inside an attribute value does not end a tag. Most tags have no attributes. */
function tagEnd(xml: string, start: number): number {
  const end = xml.indexOf(">", start) + 1;
  for (let at = start; at < end; at += 1) {
    const code = xml.charCodeAt(at);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      quotedTag.lastIndex = start;
      return quotedTag.test(xml) ? quotedTag.lastIndex : xml.length;
    }
  }
  return end === 0 ? xml.length : end;
}

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
