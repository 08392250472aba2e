import type { FileTree } from "./model/index.js";
import type { Code } from "./source/catalogue/index.js";
import type { Diagnostics } from "./source/diagnostics.js";
import { raiseLimit, type SourceLimits } from "./source/source-limits.js";
import type { Span } from "./source/span.js";

type OutputLimit = "pathChars" | "pathSegment" | "outputFiles" | "outputBytes";

const limitCodes: Readonly<Record<OutputLimit, Code>> = {
  pathChars: "LIM003",
  pathSegment: "LIM004",
  outputFiles: "LIM005",
  outputBytes: "LIM006",
};

/** Reports an output that exceeds a limit. `span` is the position of the configuration in the report. */
export function checkOutput(
  tree: FileTree,
  {
    limits,
    span,
    diagnostics,
  }: { readonly limits: SourceLimits; readonly span: Span; readonly diagnostics: Diagnostics },
): void {
  const reportExceeded = (limit: OutputLimit, message: string): void =>
    diagnostics.error(limitCodes[limit], span, { message, ...raiseLimit(limit, limits) });
  const paths = [...tree.keys()];
  const longPath = paths.find((path) => path.length > limits.pathChars);
  if (longPath !== undefined) {
    reportExceeded(
      "pathChars",
      `The path ${shownText(longPath)} of a generated file has ${longPath.length} characters.`,
    );
  }
  const longName = paths.flatMap((path) => path.split("/")).find((segment) => segment.length > limits.pathSegment);
  if (longName !== undefined) {
    reportExceeded(
      "pathSegment",
      `The name ${shownText(longName)} of a generated file or folder has ${longName.length} characters.`,
    );
  }
  if (tree.size > limits.outputFiles) {
    reportExceeded("outputFiles", `The output would have more than ${limits.outputFiles} files.`);
  }
  const bytes = [...tree.values()].reduce((sum, text) => sum + text.length, 0);
  if (bytes > limits.outputBytes) {
    reportExceeded(
      "outputBytes",
      `The generated files would have more than ${limits.outputBytes} characters together.`,
    );
  }
}

function shownText(path: string): string {
  return path.length > 60 ? `"${path.slice(0, 60)}…"` : `"${path}"`;
}
