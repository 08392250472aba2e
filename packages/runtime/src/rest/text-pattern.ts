import { type Pattern, PatternError } from "@bothends/datatypes/pattern";
import { compileValuePattern } from "./route-syntax/index.js";

/** A pattern that texts of an argument match. */
export interface TextPattern {
  readonly text: string;
  /** Absent: it cannot be run in linear time, and is not checked. */
  readonly matcher: Pattern | undefined;
}

/** Prepares a pattern of JSON Schema. It matches anywhere in a text unless it is anchored; ours match a text whole. */
export function compileTextPattern(text: string): TextPattern {
  try {
    return { text, matcher: compileValuePattern(branchesOf(text).map(asWhole).join("|")) };
  } catch (error) {
    if (error instanceof PatternError) return { text, matcher: undefined };
    throw error;
  }
}

/** `^a|b$` is `a` at the beginning, or `b` at the end: each branch has its own anchors. */
function asWhole(branch: string): string {
  const start = branch.startsWith("^");
  const end = /(?:^|[^\\])(?:\\\\)*\$$/.test(branch);
  const inner = branch.slice(start ? 1 : 0, end ? -1 : undefined);
  return `${start ? "" : anything}(?:${inner})${end ? "" : anything}`;
}

const anything = "[\\s\\S]*";

/** The branches of a pattern that stand in no group. */
function branchesOf(text: string): readonly string[] {
  const branches: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") at = classEnd(text, at);
    else if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    else if (char === "|" && depth === 0) {
      branches.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...branches, text.slice(start)];
}

/** The offset of the bracket that closes a class; one that stands first in it is a member. */
function classEnd(text: string, start: number): number {
  let at = start + 1;
  if (text.charAt(at) === "^") at += 1;
  if (text.charAt(at) === "]") at += 1;
  while (at < text.length && text.charAt(at) !== "]") at += text.charAt(at) === "\\" ? 2 : 1;
  return at;
}
