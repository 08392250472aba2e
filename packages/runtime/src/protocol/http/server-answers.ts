import { instanceNamespace, schemaNamespace } from "../../codec/names.js";
import { type HeaderLine, inertXml, nosniff, plainAnswer, type ServerAnswer } from "../../http/server-messages.js";
import type { FaultStage, HttpRefusal, Problem, ServerConventions, TargetProblem } from "../conventions.js";

const xmlType: HeaderLine = ["Content-Type", "text/xml; charset=utf-8"];
export const textType: HeaderLine = ["Content-Type", "text/plain; charset=utf-8"];

/** Returns the answer to a refused HTTP GET or POST call. */
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

/** Returns the answer for an error, with a line of text as its body. */
export function lineAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  stage: FaultStage,
): ServerAnswer {
  const headers = [textType, conventions.cacheControl(stage), nosniff];
  return { status, headers, body: conventions.errorLine(text) };
}

/** Returns the answer for an error, with a short HTML page as its body. */
export function pageAnswer(
  conventions: ServerConventions,
  { status, text }: HttpRefusal,
  headers: readonly HeaderLine[] = [],
): ServerAnswer {
  const page = plainAnswer(status, text);
  return { ...page, headers: [...page.headers, conventions.cacheControl("dispatch"), ...headers] };
}

/** Returns the answer with an XML document as its body. */
export function xmlAnswer(conventions: ServerConventions, document: string): ServerAnswer {
  return { status: 200, headers: [xmlType, conventions.cacheControl("operation"), ...inertXml], body: document };
}

/** The maximum length of documents, in UTF-16 units, for which buffers are reused. Longer documents get new buffers. */
const reusedLength = 8_192;

/**
 * Writes the XML documents of answers over HTTP GET and POST: the root declares `xsd` and `xsi`, and elements that contain only
 * elements are indented by two spaces. Works on UTF-8 bytes in reused buffers: slicing the text would add 2.4 µs to a call of 20.
 */
export class XmlAnswerWriter {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #sourceBytes = new Uint8Array(3 * reusedLength);
  readonly #targetBytes = new Uint8Array(6 * reusedLength);

  /** `root` is the output of an encoder: unindented, without comments or an XML declaration. */
  write(root: string): string {
    const nameEnd = root.search(/[\s/>]/);
    const start = `<?xml version="1.0" encoding="utf-8"?>\n${root.slice(0, nameEnd)} xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}"`;
    return start + (this.#indent(root) ?? indentMixed(root, nameEnd));
  }

  /** Indents a document, and returns what follows the root's name; undefined if an element contains both text and elements. */
  #indent(root: string): string | undefined {
    const source = root.length > reusedLength ? new Uint8Array(3 * root.length) : this.#sourceBytes;
    const { written: end } = this.#encoder.encodeInto(root, source);
    let target = root.length > reusedLength ? new Uint8Array(2 * end) : this.#targetBytes;
    let length = 0;
    let depth = 0;
    /** Whether the last tag was a start tag: its end tag or text then stays on the same line. */
    let isOpen = false;
    for (let offset = 0; offset < end; ) {
      const isEnd = source[offset + 1] === SLASH;
      if (isEnd) {
        depth -= 1;
      }
      if (target.length - length <= end - offset + 2 * depth) {
        target = enlarge(target, 2 * (length + end - offset + depth));
      }
      if (offset === 0) {
        offset = nameEndOf(source);
      } else if (!isEnd || !isOpen) {
        target[length++] = LINE_FEED;
        for (let spaces = 2 * depth; spaces > 0; spaces -= 1) {
          target[length++] = SPACE;
        }
      }
      // A `>` inside an attribute value does not end a tag.
      let quote = 0;
      let byte = 0;
      for (; offset < end && (byte !== GREATER_THAN || quote !== 0); offset += 1) {
        byte = source[offset] ?? 0;
        target[length++] = byte;
        if (quote === 0 ? byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE : byte === quote) {
          quote = quote === 0 ? byte : 0;
        }
      }
      isOpen = !isEnd && source[offset - 2] !== SLASH;
      depth += isOpen ? 1 : 0;
      const textStart = offset;
      for (; offset < end && source[offset] !== LESS_THAN; offset += 1) {
        target[length++] = source[offset] ?? 0;
      }
      if (offset > textStart && !(isOpen && source[offset + 1] === SLASH)) {
        return undefined;
      }
    }
    return this.#decoder.decode(target.subarray(0, length));
  }
}

function nameEndOf(source: Uint8Array): number {
  let offset = 1;
  while (
    offset < source.length &&
    (source[offset] ?? 0) > SPACE &&
    source[offset] !== GREATER_THAN &&
    source[offset] !== SLASH
  ) {
    offset += 1;
  }
  return offset;
}

function enlarge(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const enlargedBytes = new Uint8Array(length);
  enlargedBytes.set(bytes);
  return enlargedBytes;
}

/** Indents a document, and returns what follows the offset `from` in its first tag. Does not change elements that contain text. */
function indentMixed(xml: string, from: number): string {
  const { kinds, ends, haveText } = splitPieces(xml);
  const openElements: boolean[] = [];
  let text = "";
  for (let index = 0, start = from; index < kinds.length; index += 1) {
    const kind = kinds[index];
    const end = ends[index] ?? xml.length;
    const isInText = openElements.at(-1) ?? false;
    if (kind === "end") {
      openElements.pop();
    }
    const isInline = isInText || index === 0 || (kind === "end" && kinds[index - 1] === "start");
    text += isInline ? xml.slice(start, end) : `\n${"  ".repeat(openElements.length)}${xml.slice(start, end)}`;
    if (kind === "start") {
      openElements.push(isInText || haveText[index] === true);
    }
    start = end;
  }
  return text;
}

/** The tags of an XML document and the texts between them. Each array has one item per tag or text. */
interface XmlPieces {
  readonly kinds: readonly PieceKind[];
  readonly ends: readonly number[];
  /** For start tags: whether the element directly contains text, so that its children must not be indented. */
  readonly haveText: readonly boolean[];
}

type PieceKind = "start" | "end" | "empty" | "text";

function splitPieces(xml: string): XmlPieces {
  const kinds: PieceKind[] = [];
  const ends: number[] = [];
  const haveText: boolean[] = [];
  const openElements: number[] = [];
  for (let start = 0; start < xml.length; ) {
    const end = xml[start] === "<" ? tagEnd(xml, start) : textEnd(xml, start);
    const kind = kindOf(xml, start, end);
    haveText.push(false);
    if (kind === "text") {
      haveText[openElements.at(-1) ?? 0] = true;
    } else if (kind === "start") {
      openElements.push(kinds.length);
    } else if (kind === "end") {
      openElements.pop();
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

/**
 * Returns the offset after the tag at `start`. A `>` inside an attribute value does not end a tag. Most tags have no
 * attributes.
 */
function tagEnd(xml: string, start: number): number {
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
const SLASH = 0x2f;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
