import { hideCredentials } from "./addresses.js";
import { type Code, catalogue } from "./catalogue/index.js";
import type { Span } from "./span.js";

/** `error` stops generation, `warning` and `info` do not. */
export type Severity = "error" | "warning" | "info";

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly span: Span;
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** A way out, in a sentence. */
  readonly help: string | undefined;
}

/**
 * How sources that break rules are taken. `strict`: every breach is an error. `usual`: a breach that leaves one sensible reading is a
 * warning, because services that run are described so. `lenient`: what cannot be resolved is a warning too, and is left open.
 */
export type Tolerance = "strict" | "usual" | "lenient";

export interface DiagnosticText {
  readonly message: string;
  readonly help?: string | undefined;
}

/** What has no sensible reading, with what is done where it is let pass: "It is left out." */
export interface UnresolvedText extends DiagnosticText {
  readonly fallback: string;
}

function lenientHelp(fallback: string): string {
  return `With --lenient, ${fallback.charAt(0).toLowerCase()}${fallback.slice(1)}`;
}

/** Collects what is wrong with the sources, so that all of it is reported at once. */
export class Diagnostics {
  readonly #list: Diagnostic[];
  readonly #tolerance: Tolerance;

  constructor(tolerance: Tolerance = "usual", list: Diagnostic[] = []) {
    this.#tolerance = tolerance;
    this.#list = list;
  }

  /** The same collection, for sources that are taken another way. */
  withTolerance(tolerance: Tolerance): Diagnostics {
    return new Diagnostics(tolerance, this.#list);
  }

  get tolerance(): Tolerance {
    return this.#tolerance;
  }

  /** A breach of a rule that leaves one sensible reading. */
  violation(code: Code, span: Span, text: DiagnosticText): void {
    if (this.#tolerance === "strict") this.error(code, span, text);
    else this.warning(code, span, text);
  }

  /** What has no sensible reading, but can be left open or out. */
  unresolved(code: Code, span: Span, { message, help, fallback: instead }: UnresolvedText): void {
    if (this.#tolerance === "lenient") this.warning(code, span, { message: `${message} ${instead}`, help });
    else this.error(code, span, { message, help: `${help ?? catalogue[code].fix} ${lenientHelp(instead)}` });
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
    const { message, help } = text;
    this.#list.push({
      code,
      severity,
      span,
      message: hideCredentials(message),
      help: help === undefined ? undefined : hideCredentials(help),
    });
  }

  get hasErrors(): boolean {
    return this.#list.some((diagnostic) => diagnostic.severity === "error");
  }

  /** In the order they were found; `sortDiagnostics` puts them in the order of places. */
  get all(): readonly Diagnostic[] {
    return this.#list;
  }
}

/** Reports each problem of a position once, although the position may be read several times. */
export class ReportOnce {
  readonly #diagnostics: Diagnostics;
  readonly #reported = new Set<string>();

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

  get tolerance(): Tolerance {
    return this.#diagnostics.tolerance;
  }

  #isFirst(code: Code, span: Span): boolean {
    const key = `${code} ${span.start} ${span.source.path}`;
    return this.#reported.size < this.#reported.add(key).size;
  }
}

/** In the order of places: by path, then by offset; at one place in the order they were found. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareText(a.span.source.path, b.span.source.path) || a.span.start - b.span.start || a.span.end - b.span.end,
  );
}

/** By code units, so that the order is the same in every locale. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Leaves out what only follows: while a document is missing or cannot be read, the names that it would declare are
 * unknown everywhere, and to say so would blame the wrong places.
 */
export function withoutFollowUps(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unread = diagnostics.some(({ code, severity }) => severity === "error" && /^(?:SRC|XML)/.test(code));
  if (!unread) return diagnostics;
  return diagnostics.filter(({ code }) => !/^(?:wsdl|xsd)\.unknown-/.test(catalogue[code].kind));
}
