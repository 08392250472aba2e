import type { FileTree } from "./model/index.js";
import type { Code } from "./source/catalogue/index.js";
import type { Diagnostics } from "./source/diagnostics.js";
import { limitHelp, type SourceLimits } from "./source/source-limits.js";
import type { Span } from "./source/span.js";

type OutputLimit = "pathChars" | "pathSegment" | "outputFiles" | "outputBytes";

const codes: Readonly<Record<OutputLimit, Code>> = {
  pathChars: "LIM003",
  pathSegment: "LIM004",
  outputFiles: "LIM005",
  outputBytes: "LIM006",
};

/** Reports an output that exceeds a limit; `span` is the position of the configuration that asks for it. */
export function checkOutput(
  tree: FileTree,
  {
    limits,
    span,
    diagnostics,
  }: { readonly limits: SourceLimits; readonly span: Span; readonly diagnostics: Diagnostics },
): void {
  const refuse = (limit: OutputLimit, message: string): void =>
    diagnostics.error(codes[limit], span, { message, help: limitHelp(limit, limits) });
  const paths = [...tree.keys()];
  const long = paths.find((path) => path.length > limits.pathChars);
  if (long !== undefined) {
    refuse("pathChars", `The path ${shown(long)} has ${long.length} characters.`);
  }
  const step = paths.flatMap((path) => path.split("/")).find((segment) => segment.length > limits.pathSegment);
  if (step !== undefined) {
    refuse("pathSegment", `The name ${shown(step)} has ${step.length} characters.`);
  }
  if (tree.size > limits.outputFiles) {
    refuse("outputFiles", `There would be more than ${limits.outputFiles} files.`);
  }
  const bytes = [...tree.values()].reduce((sum, text) => sum + text.length, 0);
  if (bytes > limits.outputBytes) {
    refuse("outputBytes", `The files would have more than ${limits.outputBytes} characters.`);
  }
}

function shown(path: string): string {
  return path.length > 60 ? `"${path.slice(0, 60)}…"` : `"${path}"`;
}
