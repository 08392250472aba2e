import { checkRoutePattern, type PatternLimit } from "@bothends/xml/pattern";
import { patternLimitsOf, type SourceLimits } from "../../source/limits.js";
import type { PathVariable } from "./model.js";

/** What is wrong with a route pattern, by offset in it. */
export interface RouteProblem {
  readonly code: "IDX020" | "IDX021" | "IDX022" | "IDX023" | "LIM001" | "LIM002";
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** The limit that it passes, if it is that. */
  readonly limit?: PatternLimit;
}

/** The three spellings of a named group: `(?P<name>`, `(?<name>` and `(?'name'`. A look-behind is none of them. */
const groupStart = /\((?:\?P?<(?![=!])([^>]*)>|\?'([^']*)')/y;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Splits a route pattern into literal text and variables. Outside the groups only literal text is understood. */
export function readRoutePattern(
  key: string,
  limits: Pick<SourceLimits, PatternLimit>,
): readonly (string | PathVariable)[] | RouteProblem {
  if (key.length > limits.patternChars) {
    const message = `The route has more than ${limits.patternChars} characters.`;
    return { ...problem("LIM001", message, 0, key.length), limit: "patternChars" };
  }
  if (!key.startsWith("/")) return problem("IDX020", "A route begins with a slash.", 0, key.length);

  const pieces: (string | PathVariable)[] = [];
  let literal = "";
  for (let at = 0; at < key.length; ) {
    const char = key.charAt(at);
    if (char === "(") {
      const group = readGroup(key, at, { before: pieces, limits });
      if ("code" in group) return group;
      if (literal !== "") pieces.push(literal);
      literal = "";
      pieces.push(group.variable);
      at = group.end;
    } else if (char === "\\") {
      const escaped = key.charAt(at + 1);
      if (!/^[^A-Za-z0-9\s]$/.test(escaped)) return outside(at, at + 2);
      literal += escaped;
      at += 2;
    } else if (/[)[\]{}*+?^$|]/.test(char)) {
      return char === ")" ? problem("IDX020", 'A ")" closes no group.', at, at + 1) : outside(at, at + 1);
    } else {
      literal += char;
      at += 1;
    }
  }
  if (literal !== "") pieces.push(literal);
  return hasDotSegment(pieces)
    ? problem("IDX020", 'No address can have a segment "." or "..".', 0, key.length)
    : pieces;
}

/** RFC 3986 §5.2.4: such segments are removed before a request is sent. */
function hasDotSegment(pieces: readonly (string | PathVariable)[]): boolean {
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : "{}")).join("");
  return text.split("/").some((segment) => segment === "." || segment === "..");
}

function readGroup(
  key: string,
  start: number,
  {
    before,
    limits,
  }: { readonly before: readonly (string | PathVariable)[]; readonly limits: Pick<SourceLimits, PatternLimit> },
): { readonly variable: PathVariable; readonly end: number } | RouteProblem {
  groupStart.lastIndex = start;
  const opening = groupStart.exec(key);
  const end = groupEnd(key, start);
  if (end === undefined) return problem("IDX020", "A group is not closed.", start, key.length);
  if (opening === null) return outside(start, end);

  const variable = opening[1] ?? opening[2] ?? "";
  const nameEnd = start + opening[0].length;
  if (!variableName.test(variable) || variable === "__proto__") {
    return problem("IDX023", `"${variable}" cannot name a path variable.`, start, nameEnd);
  }
  if (before.some((piece) => typeof piece !== "string" && piece.variable === variable)) {
    return problem("IDX023", `Two path variables are called "${variable}".`, start, nameEnd);
  }
  const pattern = key.slice(nameEnd, end - 1);
  const wrong = checkRoutePattern(pattern, patternLimitsOf(limits));
  if (wrong !== undefined) {
    const { offset, message, limit } = wrong;
    const code = limit === undefined ? "IDX022" : limit === "patternChars" ? "LIM001" : "LIM002";
    const refused = problem(code, message, nameEnd + offset, end - 1);
    return limit === undefined ? refused : { ...refused, limit };
  }
  return { variable: { variable, pattern }, end };
}

/** The offset behind the parenthesis that closes the one at `start`: escapes and classes are stepped over. */
function groupEnd(key: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < key.length; at += 1) {
    const char = key.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") at = classEnd(key, at);
    else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The offset of the `]` that closes a class; a `]` that stands first in it is a member. */
function classEnd(key: string, start: number): number {
  let at = start + 1;
  if (key.charAt(at) === "^") at += 1;
  if (key.charAt(at) === "]") at += 1;
  while (at < key.length && key.charAt(at) !== "]") {
    if (key.charAt(at) === "\\") at += 1;
    else if (key.startsWith("[:", at)) at = Math.max(at, key.indexOf(":]", at) + 1);
    at += 1;
  }
  return at;
}

function outside(start: number, end: number): RouteProblem {
  return problem("IDX021", "Outside its named groups, a route is literal text.", start, end);
}

function problem(code: RouteProblem["code"], message: string, start: number, end: number): RouteProblem {
  return { code, message, start, end };
}
