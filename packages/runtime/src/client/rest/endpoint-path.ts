import { judgedPatternLimits } from "@bothends/datatypes/pattern";
import type { JsonValue, PathPiece, PathVariable } from "../../descriptor.js";
import { EncodeError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import { compileRoutePattern } from "../../rest/route-syntax/index.js";

/** The path of an endpoint with the values of its variables, which are taken out of `values`. */
export function endpointPath(path: readonly PathPiece[], values: Map<string, JsonValue>): string {
  const used = new Set<string>();
  const text = writePath(path, { values, used, before: "" });
  // A variable whose neighbours are literal text cannot be judged alone.
  const bad = text
    .split("/")
    .slice(1)
    .find((segment) => segment === "." || segment === "..");
  if (bad !== undefined)
    throw new EncodeError('A segment of the path would be "." or "..", which no address can hold.', { path: "/" });
  for (const name of used) values.delete(name);
  return text;
}

interface Writing {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly used: Set<string>;
  /** What stands before. */
  readonly before: string;
}

function writePath(path: readonly PathPiece[], { values, used, before }: Writing): string {
  return path.reduce((text: string, piece) => {
    if (typeof piece === "string") return text + piece.split("/").map(encodePart).join("/");
    const here: Writing = { values, used, before: before + text };
    if ("variable" in piece) return text + variableText(piece, here);
    const part = piece.optional;
    return isGiven(part, here) ? text + writePath(part, here) : text;
  }, "");
}

/** Whether any variable of an optional part has a value; an empty text is none. */
function isGiven(part: readonly PathPiece[], { values, used, before }: Writing): boolean {
  return part.some((piece) => {
    if (typeof piece === "string") return false;
    if ("optional" in piece) return isGiven(piece.optional, { values, used, before });
    used.add(piece.variable);
    return (values.get(piece.variable) ?? "") !== "";
  });
}

function variableText({ variable, pattern }: PathVariable, { values, used, before }: Writing): string {
  used.add(variable);
  const path = `/${variable}`;
  const value = values.get(variable);
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "") {
    throw new EncodeError(`${path}: The path needs a text or number here.`, { path });
  }
  const parts = text.includes("/") && mayHoldSlashes(pattern, text) ? text.split("/") : [text];
  for (const [index, part] of parts.entries()) {
    // A slash that begins the text ends the segment before it.
    const begins = index === 0 && parts.length > 1 && !before.endsWith("/");
    if ((part === "" && !begins) || part === "." || part === "..") {
      throw new EncodeError(`${path}: No segment of a path can be empty, "." or "..".`, { path });
    }
  }
  return parts.map(encodePart).join("/");
}

/** Whether the group takes this text as it is, slashes and all. WordPress matches without regard to case. */
function mayHoldSlashes(pattern: string, text: string): boolean {
  try {
    const compiled = compileRoutePattern(pattern, judgedPatternLimits);
    return compiled.test(text) || compiled.test(text.toLowerCase());
  } catch {
    return false;
  }
}
