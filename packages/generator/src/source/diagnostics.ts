import { type Code, catalogue } from "./catalogue/index.js";
import { credentialsMask, hideCredentials, listCredentialsIn } from "./document-addresses.js";
import type { LimitRemedy } from "./source-limits.js";
import { compareSpans, findLineBounds, getPosition, type SourceText, type Span } from "./span.js";

// The parts of diagnostics, and the code that collects, sorts and formats diagnostics.

/** `error` stops generation, `warning` and `info` do not. */
export type Severity = "error" | "warning" | "info";

/** A problem in the sources, with its position and a way to solve it. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly span: Span;
  /** One sentence that describes the problem. */
  readonly message: string;
  /** One or more sentences that explain how to solve the problem; undefined if the `fix` in the catalogue is enough. */
  readonly help: string | undefined;
  /** A command-line option that would make the input acceptable; undefined if only the user can decide what to do. */
  readonly remedy: Remedy | undefined;
}

/** An option of the command line that makes refused input acceptable. */
export type Remedy =
  | LimitRemedy
  | { readonly kind: "lenient" }
  /** `folder`: a root that contains the document, relative to the current root. */
  | { readonly kind: "root"; readonly folder: string };

/**
 * How violations of a specification are reported. `strict`: every violation is an error. `default`: a violation with
 * only one sensible interpretation is a warning, because many real WSDLs contain violations. `lenient`: an unresolved
 * reference or a contradiction is a warning too, and a fallback is used.
 */
export type Strictness = "strict" | "default" | "lenient";

/** The text of a diagnostic. Without `help`, the `fix` in the catalogue is shown. */
export interface DiagnosticText {
  readonly message: string;
  readonly help?: string | undefined;
  readonly remedy?: Remedy | undefined;
}

/** The text of a diagnostic about a problem that has no sensible interpretation. */
export interface UnresolvedText {
  readonly message: string;
  readonly help?: string | undefined;
  /** A name that the user probably meant: `tns:Quote (quotes.xsd:3:4)`. It is shown instead of `help`. */
  readonly suggestion?: string | undefined;
  /** A sentence that says what happens in lenient mode, such as "The port is left out." */
  readonly fallback: string;
}

/** Formats allowed values for a message: `"one", "two"`. */
export function formatQuotedList(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(", ");
}

/** Returns the help for an unresolved problem, without the fallback. */
export function findUnresolvedHelp({
  help,
  suggestion,
}: Pick<UnresolvedText, "help" | "suggestion">): string | undefined {
  return suggestion === undefined ? help : `Did you mean ${suggestion}?`;
}

/** Collects the diagnostics of a run, so that all problems are reported at once. */
export class Diagnostics {
  readonly #diagnostics: Diagnostic[];
  readonly #strictness: Strictness;

  constructor(strictness: Strictness = "default", list: Diagnostic[] = []) {
    this.#strictness = strictness;
    this.#diagnostics = list;
  }

  /** Returns a collection that adds to the same diagnostics, but with another strictness. */
  withStrictness(strictness: Strictness): Diagnostics {
    return new Diagnostics(strictness, this.#diagnostics);
  }

  get strictness(): Strictness {
    return this.#strictness;
  }

  /** Reports a violation that has only one sensible interpretation. */
  violation(code: Code, span: Span, text: DiagnosticText): void {
    if (this.#strictness === "strict") {
      this.error(code, span, text);
    } else {
      this.warning(code, span, text);
    }
  }

  /**
   * Reports a problem that has no sensible interpretation. In lenient mode, it is a warning that describes the
   * fallback.
   */
  unresolved(code: Code, span: Span, text: UnresolvedText): void {
    const { message, suggestion, fallback } = text;
    const help = findUnresolvedHelp(text);
    if (this.#strictness === "lenient") {
      this.warning(code, span, { message: `${message} ${fallback}`, help });
      return;
    }
    this.error(code, span, {
      message,
      help: `${help ?? catalogue[code].fix} ${createLenientHelp(fallback)}`,
      // For a misspelled name, a correction is suggested instead of lenient mode.
      remedy: suggestion === undefined ? { kind: "lenient" } : undefined,
    });
  }

  error(code: Code, span: Span, text: DiagnosticText): void {
    this.#add("error", { code, span, text });
  }

  warning(code: Code, span: Span, text: DiagnosticText): void {
    this.#add("warning", { code, span, text });
  }

  info(code: Code, span: Span, text: DiagnosticText): void {
    this.#add("info", { code, span, text });
  }

  #add(
    severity: Severity,
    { code, span, text }: { readonly code: Code; readonly span: Span; readonly text: DiagnosticText },
  ): void {
    const { message, help, remedy } = text;
    this.#diagnostics.push({
      code,
      severity,
      span,
      message: hideCredentials(message),
      help: help === undefined ? undefined : hideCredentials(help),
      remedy,
    });
  }

  /** Adds the diagnostics that an earlier run of the same step reported. */
  addAll(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...diagnostics);
  }

  get hasErrors(): boolean {
    return this.#diagnostics.some((diagnostic) => diagnostic.severity === "error");
  }

  /** All diagnostics in order of discovery; `sortDiagnostics` sorts them by position. */
  get all(): readonly Diagnostic[] {
    return this.#diagnostics;
  }
}

function createLenientHelp(fallback: string): string {
  return `With --lenient, ${fallback.charAt(0).toLowerCase()}${fallback.slice(1)}`;
}

/** Reports each code only once at each position, even if an element is processed several times. */
export class ReportOnce {
  readonly #diagnostics: Diagnostics;
  readonly #reportedKeys = new Set<string>();

  constructor(diagnostics: Diagnostics) {
    this.#diagnostics = diagnostics;
  }

  error(code: Code, span: Span, text: DiagnosticText): void {
    if (this.#isFirst(code, span)) {
      this.#diagnostics.error(code, span, text);
    }
  }

  warning(code: Code, span: Span, text: DiagnosticText): void {
    if (this.#isFirst(code, span)) {
      this.#diagnostics.warning(code, span, text);
    }
  }

  info(code: Code, span: Span, text: DiagnosticText): void {
    if (this.#isFirst(code, span)) {
      this.#diagnostics.info(code, span, text);
    }
  }

  violation(code: Code, span: Span, text: DiagnosticText): void {
    if (this.#isFirst(code, span)) {
      this.#diagnostics.violation(code, span, text);
    }
  }

  unresolved(code: Code, span: Span, text: UnresolvedText): void {
    if (this.#isFirst(code, span)) {
      this.#diagnostics.unresolved(code, span, text);
    }
  }

  get strictness(): Strictness {
    return this.#diagnostics.strictness;
  }

  #isFirst(code: Code, span: Span): boolean {
    const key = `${code} ${span.start} ${span.source.path}`;
    return this.#reportedKeys.size < this.#reportedKeys.add(key).size;
  }
}

/** Sorts diagnostics by path, then by position. Diagnostics at the same position stay in order of discovery. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((a, b) => compareSpans(a.span, b.span));
}

/**
 * Removes diagnostics about unknown names if a document is missing or unreadable, because that document may declare the
 * names.
 */
export function withoutFollowUps(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const hasUnreadDocument = diagnostics.some(({ code, severity }) => severity === "error" && /^(?:SRC|XML)/.test(code));
  if (!hasUnreadDocument) {
    return diagnostics;
  }
  return diagnostics.filter(({ code }) => !/^(?:wsdl|xsd)\.unknown-/.test(catalogue[code].kind));
}

/** Options for the output of diagnostics. */
interface FormatOptions {
  /** Whether to add terminal colors. */
  readonly color: boolean;
  /** Returns the path to show for a source; default: the source's path. */
  readonly formatPath?: (source: SourceText) => string;
  /**
   * The maximum number of diagnostics to show for each severity. For the remaining diagnostics, only their number is
   * shown. Default: 50.
   */
  readonly maxPerSeverity?: number;
}

const colors: Readonly<Record<Severity, string>> = { error: "31", warning: "33", info: "36" };
const plurals: Readonly<Record<Severity, string>> = { error: "errors", warning: "warnings", info: "notes" };

/**
 * Formats diagnostics for display, sorted by position: `path:line:column: error CODE (kind): message`, then the source
 * line with carets under the position, then the help or the catalogue's `fix`. The result is empty or ends with a line
 * break.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  const maxShown = options.maxPerSeverity ?? 50;
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  const blocks: string[] = [];
  for (const diagnostic of sortDiagnostics(diagnostics)) {
    counts[diagnostic.severity] += 1;
    if (counts[diagnostic.severity] <= maxShown) {
      blocks.push(formatDiagnostic(diagnostic, options));
    }
  }
  for (const severity of ["error", "warning", "info"] as const) {
    const hiddenCount = counts[severity] - maxShown;
    if (hiddenCount > 0) {
      blocks.push(`… and ${hiddenCount} more ${plurals[severity]}.\n`);
    }
  }
  return blocks.join("");
}

/** Formats one diagnostic with its excerpt and help. */
function formatDiagnostic(diagnostic: Diagnostic, options: FormatOptions): string {
  const { code, severity, span } = diagnostic;
  const paint = (text: string, style: string) => (options.color ? `\u001b[${style}m${text}\u001b[0m` : text);
  const { line, column } = getPosition(span.source, span.start);
  const path = makePrintable(options.formatPath?.(span.source) ?? span.source.path);
  const label = paint(`${severity} ${code}`, `1;${colors[severity]}`);
  const lines = [`${path}:${line}:${column}: ${label} (${catalogue[code].kind}): ${makePrintable(diagnostic.message)}`];
  const excerpt = readExcerpt(span);
  if (excerpt !== undefined) {
    const gutter = String(excerpt.line);
    const carets = paint("^".repeat(excerpt.caretLength), colors[severity]);
    lines.push(`  ${gutter} | ${excerpt.text}`);
    lines.push(`  ${" ".repeat(gutter.length)} | ${" ".repeat(excerpt.caretStart)}${carets}`);
  }
  lines.push(`  help: ${makePrintable(diagnostic.help ?? catalogue[code].fix)}`);
  return `${lines.join("\n")}\n`;
}

/** The maximum number of characters to show from one line. */
const excerptWidth = 120;
/** The number of characters to show before the position if the line is longer than `excerptWidth`. */
const charactersBefore = 40;
/**
 * The number of characters around an excerpt that are also searched, to find credentials that overlap its start or end.
 */
const credentialsMargin = 4_096;

/** The line of the source in which a span starts, in printable characters, and the columns of the span. */
interface Excerpt {
  readonly line: number;
  readonly text: string;
  readonly caretStart: number;
  readonly caretLength: number;
}

/** Returns the excerpt for a diagnostic; undefined if the source is empty. Credentials and their length are hidden. */
function readExcerpt(span: Span): Excerpt | undefined {
  const { text } = span.source;
  if (text === "") {
    return undefined;
  }
  const line = findLineBounds(span.source, span.start);
  const spanStart = Math.min(span.start, line.end);
  const spanEnd = Math.max(spanStart, Math.min(span.end, line.end));
  const windowStart = findExcerptStart(line, spanStart);
  const windowEnd = Math.min(line.end, windowStart + excerptWidth);
  const credentials = listCredentials(text, {
    start: Math.max(line.start, windowStart - credentialsMargin),
    end: Math.min(line.end, windowEnd + credentialsMargin),
  });
  // A range must not begin or end inside credentials, because one mask replaces them as a whole.
  const startOutsideCredentials = (offset: number) => findRangeAround(credentials, offset)?.start ?? offset;
  const endOutsideCredentials = (offset: number) => findRangeAround(credentials, offset)?.end ?? offset;
  const excerptBegin = startOutsideCredentials(windowStart);
  const excerptEnd = endOutsideCredentials(windowEnd);
  const caretBegin = startOutsideCredentials(spanStart);
  const caretEnd = endOutsideCredentials(Math.min(spanEnd, windowEnd));
  const maskText = (range: Range) => makePrintable(maskCredentials(text, range, credentials));

  const textBefore = (excerptBegin > line.start ? "…" : "") + maskText({ start: excerptBegin, end: caretBegin });
  const markedText = maskText({ start: caretBegin, end: caretEnd });
  const textAfter = maskText({ start: caretEnd, end: excerptEnd }) + (excerptEnd < line.end ? "…" : "");
  return {
    line: getPosition(span.source, span.start).line,
    text: (textBefore + markedText + textAfter).trimEnd(),
    caretStart: countCharacters(textBefore),
    caretLength: Math.max(1, countCharacters(markedText)),
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function listCredentials(text: string, { start, end }: Range): readonly Range[] {
  return listCredentialsIn(text.slice(start, end)).map((range) => ({
    start: start + range.start,
    end: start + range.end,
  }));
}

function findRangeAround(ranges: readonly Range[], offset: number): Range | undefined {
  return ranges.find(({ start, end }) => start < offset && offset < end);
}

function maskCredentials(text: string, { start, end }: Range, credentials: readonly Range[]): string {
  let maskedText = "";
  let position = start;
  for (const range of credentials) {
    if (range.start >= start && range.end <= end) {
      maskedText += text.slice(position, range.start) + credentialsMask;
      position = range.end;
    }
  }
  return maskedText + text.slice(position, end);
}

/** Replaces tabs with spaces, and control and formatting characters with their code points. */
function makePrintable(text: string): string {
  return text
    .replaceAll("\t", "  ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => formatCodePoint(character));
}

function formatCodePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/**
 * Returns the offset at which the excerpt begins: the start of the line or, if the line is too long to show,
 * `charactersBefore` characters before the span.
 */
function findExcerptStart(line: Range, spanStart: number): number {
  const isShort = line.end - line.start <= excerptWidth || spanStart - line.start <= charactersBefore;
  return isShort ? line.start : spanStart - charactersBefore;
}

function countCharacters(text: string): number {
  return [...text].length;
}
