import { hideCredentials } from "./address.js";
import { lineAround, positionOf } from "./position.js";
import type { Span } from "./span.js";

const width = 120;
const before = 40;
/** Characters around the part shown in which credentials may begin or end. */
const margin = 4_096;

/** The line where a span starts, made fit to print, and the columns of the span in it. */
export interface Excerpt {
  readonly line: number;
  readonly text: string;
  readonly caretStart: number;
  readonly caretLength: number;
}

/** What is shown of a source under a diagnostic; undefined where the source has no text there. */
export function excerptOf(span: Span): Excerpt | undefined {
  const { text } = span.source;
  if (text === "") return undefined;
  const line = lineAround(span.source, span.start);
  const start = Math.min(span.start, line.end);
  const end = Math.max(start, Math.min(span.end, line.end));
  const from = windowStart(line, start);
  const to = Math.min(line.end, from + width);
  const hiddenFrom = Math.max(line.start, from - margin);
  const hidden = hideCredentials(text.slice(hiddenFrom, Math.min(line.end, to + margin)));
  const shown = (first: number, behind: number) => printable(hidden.slice(first - hiddenFrom, behind - hiddenFrom));
  const lead = (from > line.start ? "…" : "") + shown(from, start);
  const marked = shown(start, Math.min(end, to));
  const rest = shown(Math.min(end, to), to) + (to < line.end ? "…" : "");
  return {
    line: positionOf(span.source, span.start).line,
    text: (lead + marked + rest).trimEnd(),
    caretStart: characters(lead),
    caretLength: Math.max(1, characters(marked)),
  };
}

/** Replaces tabs by spaces, and characters that a terminal would act on or reorder by their code points. */
export function printable(text: string): string {
  return text
    .replaceAll("\t", "  ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => codePoint(character));
}

function codePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** A line too long to show whole starts a little before the span. */
function windowStart(line: { readonly start: number; readonly end: number }, start: number): number {
  if (line.end - line.start <= width || start - line.start <= before) return line.start;
  return start - before;
}

function characters(text: string): number {
  return [...text].length;
}
