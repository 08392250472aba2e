import { dirname, resolve } from "node:path";
import type { Diagnostic } from "@bothends/generator/diagnostics";
import { commonFolder } from "@bothends/generator/disk";
import { shellWord, shownPath } from "./report/paths.js";

/** The folders of the sources and of the command line. */
interface AdviceFacts {
  readonly inputRoot: string;
  readonly workingFolder: string;
}

/** The options that would solve refused input: `--root onvif/ver10`. Undefined if a person must decide. */
export function adviceFor(diagnostics: readonly Diagnostic[], facts: AdviceFacts): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return widerRoot(errors, facts) ?? higherLimits(errors);
}

/** The nearest folder that contains the root and all documents that were refused because they are outside. */
function widerRoot(errors: readonly Diagnostic[], { inputRoot, workingFolder }: AdviceFacts): string | undefined {
  const outside = errors
    .filter(({ code }) => code === "SRC007")
    .flatMap(({ span }) => {
      const location = span.source.text.slice(span.start, span.end);
      return /^\.{1,2}\//.test(location) ? [resolve(inputRoot, dirname(span.source.path), location)] : [];
    });
  if (outside.length === 0) {
    return undefined;
  }
  const root = outside.map((path) => dirname(path)).reduce(commonFolder, inputRoot);
  return `--root ${shellWord(shownPath(workingFolder, root))}`;
}

/** Twice the value of each limit that is exceeded. */
function higherLimits(errors: readonly Diagnostic[]): string | undefined {
  const limits = new Map<string, number>();
  for (const { message, help = "" } of errors) {
    const [, name, value] = /limit (\w+), which is (\d+)/.exec(message) ?? /limit (\w+) is (\d+)\./.exec(help) ?? [];
    if (name === undefined || value === undefined) {
      return undefined;
    }
    limits.set(name, Math.max(1, Number(value)) * 2);
  }
  return [...limits].map(([name, value]) => `--limit ${name}=${value}`).join(" ") || undefined;
}
