import { hideCredentials } from "./addresses.js";
import { catalogue } from "./catalogue/index.js";
import { type Diagnostic, type Severity, sortDiagnostics } from "./diagnostics.js";
import { lineAround, positionOf, type SourceText, type Span } from "./span.js";

/** How diagnostics are shown. */
interface FormatOptions {
  /** With terminal colours. */
  readonly colour: boolean;
  /** The path shown for a source; default its own. */
  readonly pathOf?: (source: SourceText) => string;
  /** How many errors, and how many others, are shown before the rest is counted; default 50. */
  readonly most?: number;
}

const colours: Readonly<Record<Severity, string>> = { error: "31", warning: "33", info: "36" };
const plurals: Readonly<Record<Severity, string>> = { error: "errors", warning: "warnings", info: "notes" };

/**
 * Diagnostics as people read them, in the order of places: `path:line:column: error CODE (kind): message`, the line with
 * carets under the place, and a way out: the particular one, or else the code's. Ends with a line end unless there is nothing to say.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  const most = options.most ?? 50;
  const seen: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  const blocks: string[] = [];
  for (const diagnostic of sortDiagnostics(diagnostics)) {
    seen[diagnostic.severity] += 1;
    if (seen[diagnostic.severity] <= most) blocks.push(formatDiagnostic(diagnostic, options));
  }
  for (const severity of ["error", "warning", "info"] as const) {
    const hidden = seen[severity] - most;
    if (hidden > 0) blocks.push(`… and ${hidden} more ${plurals[severity]}.\n`);
  }
  return blocks.join("");
}

/** One diagnostic with its excerpt and help. */
function formatDiagnostic(diagnostic: Diagnostic, options: FormatOptions): string {
  const { code, severity, span } = diagnostic;
  const paint = (text: string, style: string) => (options.colour ? `\u001b[${style}m${text}\u001b[0m` : text);
  const { line, column } = positionOf(span.source, span.start);
  const path = printable(options.pathOf?.(span.source) ?? span.source.path);
  const label = paint(`${severity} ${code}`, `1;${colours[severity]}`);
  const lines = [`${path}:${line}:${column}: ${label} (${catalogue[code].kind}): ${printable(diagnostic.message)}`];
  const excerpt = excerptOf(span);
  if (excerpt !== undefined) {
    const gutter = String(excerpt.line);
    const carets = paint("^".repeat(excerpt.caretLength), colours[severity]);
    lines.push(`  ${gutter} | ${excerpt.text}`);
    lines.push(`  ${" ".repeat(gutter.length)} | ${" ".repeat(excerpt.caretStart)}${carets}`);
  }
  lines.push(`  help: ${printable(diagnostic.help ?? catalogue[code].fix)}`);
  return `${lines.join("\n")}\n`;
}

const width = 120;
const before = 40;
/** Characters around the part shown in which credentials may begin or end. */
const margin = 4_096;

/** The line where a span starts, made fit to print, and the columns of the span in it. */
interface Excerpt {
  readonly line: number;
  readonly text: string;
  readonly caretStart: number;
  readonly caretLength: number;
}

/** What is shown of a source under a diagnostic; undefined where the source has no text there. */
function excerptOf(span: Span): Excerpt | undefined {
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
function printable(text: string): string {
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
