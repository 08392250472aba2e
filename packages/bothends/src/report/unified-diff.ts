import type { FileChange } from "@bothends/generator/disk";
import { createTwoFilesPatch } from "diff";

// A longer diff would not be useful, and would take quadratic time.
const maxEditLength = 2000;

/** The unified diff of a change. */
export function unifiedDiff({ path, before, after }: FileChange, color: boolean): string {
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  const patch = createTwoFilesPatch(from, to, textOf(before), textOf(after), undefined, undefined, {
    context: 3,
    maxEditLength,
  });
  if (patch === undefined) {
    return `--- ${from}\n+++ ${to}\n(more than ${maxEditLength} lines differ)\n`;
  }
  const lines = patch.replace(/^=+\n/, "").split("\n");
  return lines.map((line) => (color ? colored(line) : line)).join("\n");
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder("utf-8").decode(bytes).replaceAll(/\r\n?/g, "\n");
}

function colored(line: string): string {
  const code = line.startsWith("+") ? "32" : line.startsWith("-") ? "31" : line.startsWith("@@") ? "36" : undefined;
  return code === undefined ? line : `\u001b[${code}m${line}\u001b[0m`;
}
