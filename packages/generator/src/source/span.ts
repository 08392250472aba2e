import type { XmlElement } from "@bothends/xml";
import type { PartName } from "./part-names.js";

/**
 * A range of a source text, in UTF-16 code units. Lines and columns are computed only when a diagnostic is formatted.
 */
export interface Span {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
  /**
   * The positions of the parts of a declaration that are on other lines, such as attributes and facets, by name. A diff
   * reports a changed part at its position.
   */
  readonly parts?: SpanParts;
}

export type SpanParts = { readonly [Name in PartName]?: Span };

/** Returns a span with the positions of those parts that are on other lines. */
export function withParts(span: Span, parts: Iterable<readonly [name: PartName, part: Span]>): Span {
  const line = findLineIndex(span.source, span.start);
  const otherParts: { [Name in PartName]?: Span } = { ...span.parts };
  let hasParts = false;
  for (const [name, part] of parts) {
    const isOnLine = part.source === span.source && findLineIndex(part.source, part.start) === line;
    if (!isOnLine && !Object.hasOwn(otherParts, name)) {
      otherParts[name] = part;
      hasParts = true;
    }
  }
  return hasParts ? { ...span, parts: otherParts } : span;
}

/** Whether a range of a source is on one line. */
export function isOnOneLine(source: SourceText, start: number, end: number): boolean {
  return findLineIndex(source, start) === findLineIndex(source, end);
}

/** A string from a source with its span, such as the value of an attribute without its quotes. */
export interface SpannedText {
  readonly text: string;
  readonly span: Span;
}

/** Documentation from the source, unchanged. Only `comment()` in `print` may write it into code. */
export type Documentation = string | undefined;

/** The properties of every node of a source document, and of every node of the Contract made from one. */
export interface Documented {
  readonly span: Span;
  readonly documentation: Documentation;
}

/** The text of a document. `path` is relative to the root and uses `/`. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A position in a text. Lines and columns start at 1. A column counts characters, not UTF-16 units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

const lineStartsBySource = new WeakMap<SourceText, readonly number[]>();

/** Returns the line and column of an offset. */
export function getPosition(source: SourceText, offset: number): Position {
  const line = findLineIndex(source, offset);
  const start = listLineStarts(source)[line] ?? 0;
  return { line: line + 1, column: countCharacters(source, start, offset) + 1 };
}

/** Returns a position as text, such as `a.xsd:10:3`. */
export function formatPosition(span: Span): string {
  const { line, column } = getPosition(span.source, span.start);
  return `${span.source.path}:${line}:${column}`;
}

/** Compares two spans by path, then by position. */
export function compareSpans(a: Span, b: Span): number {
  return compareText(a.source.path, b.source.path) || a.start - b.start || a.end - b.end;
}

/** Compares two strings by code units, so that the order is the same in every locale. */
export function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

/** Returns the start and end of the line that contains an offset, without its line break. */
export function findLineBounds(source: SourceText, offset: number): { readonly start: number; readonly end: number } {
  const line = findLineIndex(source, offset);
  const startOffsets = listLineStarts(source);
  const start = startOffsets[line] ?? 0;
  let end = startOffsets[line + 1] ?? source.text.length;
  while (end > start && isLineEnd(source.text.charCodeAt(end - 1))) {
    end -= 1;
  }
  return { start, end };
}

function findLineIndex(source: SourceText, offset: number): number {
  const startOffsets = listLineStarts(source);
  let lowestIndex = 0;
  let highestIndex = startOffsets.length - 1;
  while (lowestIndex < highestIndex) {
    const middleIndex = (lowestIndex + highestIndex + 1) >> 1;
    if ((startOffsets[middleIndex] ?? 0) <= offset) {
      lowestIndex = middleIndex;
    } else {
      highestIndex = middleIndex - 1;
    }
  }
  return lowestIndex;
}

function listLineStarts(source: SourceText): readonly number[] {
  const knownStarts = lineStartsBySource.get(source);
  if (knownStarts !== undefined) {
    return knownStarts;
  }
  const { text } = source;
  const startOffsets = [0];
  if (text.includes("\r")) {
    for (const end of text.matchAll(/\r\n|\r|\n/g)) {
      startOffsets.push(end.index + end[0].length);
    }
  } else {
    // A search with `indexOf` is faster than a regular expression, which matters for documents of several megabytes.
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) {
      startOffsets.push(end + 1);
    }
  }
  lineStartsBySource.set(source, startOffsets);
  return startOffsets;
}

/** Counts the characters between two offsets. A surrogate pair is one character. */
function countCharacters(source: SourceText, start: number, end: number): number {
  const pairs =
    end - start <= pairBlock
      ? countPairs(source.text, start, end)
      : countPairsBefore(source, end) - countPairsBefore(source, start);
  return end - start - pairs;
}

/**
 * The cached number of surrogate pairs before each block of `pairBlock` UTF-16 units. Without the cache, each position
 * in a long line would require counting all pairs again.
 */
const pairCounts = new WeakMap<SourceText, readonly number[]>();
const pairBlock = 4096;

function countPairsBefore(source: SourceText, offset: number): number {
  const { text } = source;
  let counts = pairCounts.get(source);
  if (counts === undefined) {
    const blocks = [0];
    for (let start = 0; start < text.length; start += pairBlock) {
      blocks.push((blocks.at(-1) ?? 0) + countPairs(text, start, start + pairBlock));
    }
    pairCounts.set(source, blocks);
    counts = blocks;
  }
  const block = Math.floor(offset / pairBlock);
  return (counts[block] ?? 0) + countPairs(text, block * pairBlock, offset);
}

/** Counts the surrogate pairs whose second half is between two offsets. */
function countPairs(text: string, start: number, end: number): number {
  let count = 0;
  for (let offset = start; offset < end && offset < text.length; offset += 1) {
    const isPair = (text.charCodeAt(offset) & 0xfc00) === 0xdc00 && (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
    count += isPair ? 1 : 0;
  }
  return count;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}

/** Returns the span of the name in an element's start tag, where problems of the element are reported. */
export function getNameSpan(source: SourceText, element: XmlElement): Span {
  return { source, start: element.start, end: element.nameEnd };
}
