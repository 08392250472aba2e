import { hideCredentials } from "./addresses.js";
import { type Code, catalogue } from "./catalogue/index.js";
import type { Span } from "./span.js";

/** `error` stops generation, `warning` and `info` do not. */
export type Severity = "error" | "warning" | "info";

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly span: Span;
  /** One sentence that describes the problem. */
  readonly message: string;
  /** One or more sentences that say how to solve it; undefined for the fix of the catalogue. */
  readonly help: string | undefined;
}

/**
 * How violations of a specification are reported. `strict`: all of them are errors. `usual`: a violation with only one sensible
 * interpretation is a warning, because descriptions of real services contain such violations. `lenient`: unresolved references
 * and contradictions are warnings too, and a fallback is used.
 */
export type Tolerance = "strict" | "usual" | "lenient";

export interface DiagnosticText {
  readonly message: string;
  readonly help?: string | undefined;
}

/** The text of a problem with no sensible interpretation, and the sentence that describes the fallback, such as "The port is left out." */
export interface UnresolvedText extends DiagnosticText {
  readonly fallback: string;
}

function lenientHelp(fallback: string): string {
  return `With --lenient, ${fallback.charAt(0).toLowerCase()}${fallback.slice(1)}`;
}

/** Collects the diagnostics of a run, so that all problems are reported at once. */
export class Diagnostics {
  readonly #list: Diagnostic[];
  readonly #tolerance: Tolerance;

  constructor(tolerance: Tolerance = "usual", list: Diagnostic[] = []) {
    this.#tolerance = tolerance;
    this.#list = list;
  }

  /** Returns the same collection with another tolerance. */
  withTolerance(tolerance: Tolerance): Diagnostics {
    return new Diagnostics(tolerance, this.#list);
  }

  get tolerance(): Tolerance {
    return this.#tolerance;
  }

  /** Reports a violation that has only one sensible interpretation. */
  violation(code: Code, span: Span, text: DiagnosticText): void {
    if (this.#tolerance === "strict") {
      this.error(code, span, text);
    } else {
      this.warning(code, span, text);
    }
  }

  /** Reports a problem that has no sensible interpretation; in lenient mode, a fallback is used. */
  unresolved(code: Code, span: Span, { message, help, fallback: instead }: UnresolvedText): void {
    if (this.#tolerance === "lenient") {
      this.warning(code, span, { message: `${message} ${instead}`, help });
    } else {
      this.error(code, span, { message, help: `${help ?? catalogue[code].fix} ${lenientHelp(instead)}` });
    }
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

  /** In the order of their discovery; `sortDiagnostics` sorts them by position. */
  get all(): readonly Diagnostic[] {
    return this.#list;
  }
}

/** Reports each problem only once, even if its position is processed several times. */
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

/** Sorts by path, then by position; diagnostics of one position stay in the order of their discovery. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareText(a.span.source.path, b.span.source.path) || a.span.start - b.span.start || a.span.end - b.span.end,
  );
}

/** Compares by code units, so that the order is the same in every locale. */
function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

/**
 * Removes unknown names if a document is missing or unreadable. The document may declare these names, so that they would be
 * reported at the wrong positions.
 */
export function withoutFollowUps(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unread = diagnostics.some(({ code, severity }) => severity === "error" && /^(?:SRC|XML)/.test(code));
  if (!unread) {
    return diagnostics;
  }
  return diagnostics.filter(({ code }) => !/^(?:wsdl|xsd)\.unknown-/.test(catalogue[code].kind));
}
