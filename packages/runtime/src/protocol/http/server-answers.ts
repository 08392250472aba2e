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

interface Piece {
  readonly kind: "start" | "end" | "empty" | "text";
  readonly text: string;
}

function indented(xml: string): string {
  const parts = split(xml);
  const mixed = mixedStarts(parts);
  const lines: string[] = [];
  const open: boolean[] = [];
  parts.forEach((part, index) => {
    const inMixed = open[open.length - 1] ?? false;
    if (part.kind === "end") {
      const isMixed = open.pop() ?? false;
      lines.push(isMixed || parts[index - 1]?.kind === "start" ? part.text : `${lineBreak(open.length)}${part.text}`);
      return;
    }
    lines.push(inMixed || index === 0 ? part.text : `${lineBreak(open.length)}${part.text}`);
    if (part.kind === "start") {
      open.push(inMixed || mixed.has(index));
    }
  });
  return lines.join("");
}

function lineBreak(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

/** The start tags of elements with text, whose content must not be indented. */
function mixedStarts(parts: readonly Piece[]): ReadonlySet<number> {
  const mixed = new Set<number>();
  const open: number[] = [];
  parts.forEach(({ kind }, index) => {
    if (kind === "start") {
      open.push(index);
    } else if (kind === "end") {
      open.pop();
    } else if (kind === "text") {
      mixed.add(open[open.length - 1] ?? 0);
    }
  });
  return mixed;
}

/** Splits written XML at its tags. A `>` inside an attribute value does not end a tag. */
function split(xml: string): readonly Piece[] {
  const parts: Piece[] = [];
  for (let start = 0; start < xml.length; ) {
    if (xml[start] !== "<") {
      const end = xml.indexOf("<", start);
      const text = xml.slice(start, end < 0 ? xml.length : end);
      parts.push({ kind: "text", text });
      start += text.length;
      continue;
    }
    const end = tagEnd(xml, start);
    const text = xml.slice(start, end);
    const kind = text[1] === "/" ? "end" : text.endsWith("/>") ? "empty" : "start";
    parts.push({ kind, text });
    start = end;
  }
  return parts;
}

function tagEnd(xml: string, start: number): number {
  let index = start;
  for (let quote = ""; index < xml.length; index++) {
    const character = xml[index] ?? "";
    if (quote !== "") {
      if (character === quote) {
        quote = "";
      }
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === ">") {
      break;
    }
  }
  return index + 1;
}
