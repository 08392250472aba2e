import type { Code } from "./catalogue/index.js";
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

/** Collects what is wrong with the sources, so that all of it is reported at once. */
export class Diagnostics {
  readonly #list: Diagnostic[] = [];

  error(code: Code, span: Span, text: { readonly message: string; readonly help?: string | undefined }): void {
    this.#list.push({ code, severity: "error", span, message: text.message, help: text.help });
  }

  warning(code: Code, span: Span, text: { readonly message: string; readonly help?: string | undefined }): void {
    this.#list.push({ code, severity: "warning", span, message: text.message, help: text.help });
  }

  info(code: Code, span: Span, text: { readonly message: string; readonly help?: string | undefined }): void {
    this.#list.push({ code, severity: "info", span, message: text.message, help: text.help });
  }

  get hasErrors(): boolean {
    return this.#list.some((diagnostic) => diagnostic.severity === "error");
  }

  /** In the order they were found; `sortDiagnostics` puts them in the order of places. */
  get all(): readonly Diagnostic[] {
    return this.#list;
  }
}
