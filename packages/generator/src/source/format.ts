import { catalogue } from "./catalogue/index.js";
import type { Diagnostic, Severity } from "./diagnostics.js";
import { excerptOf, printable } from "./excerpt.js";
import { positionOf } from "./position.js";
import { sortDiagnostics } from "./sort-diagnostics.js";
import type { SourceText } from "./span.js";

/** How diagnostics are shown. */
export interface FormatOptions {
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
export function formatDiagnostic(diagnostic: Diagnostic, options: FormatOptions): string {
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
