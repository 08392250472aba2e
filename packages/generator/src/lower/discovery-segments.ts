import type { PathPiece, PathVariable } from "../model/rest.js";
import { isVersion } from "./discovery-words.js";

/** A piece of a path between slashes: literal text, variables, or both. */
export interface Segment {
  readonly text: string;
  readonly variables: readonly PathVariable[];
}

/** A pattern that is one fixed text, as in `(?P<name>core/archives)`. */
const fixedText = /^[\w /-]+$/;

/**
 * The segments of a path with all its optional parts. A group whose pattern spans slashes stays in one segment; what
 * the route leaves open is in none.
 */
export function segmentsOf(path: readonly PathPiece[]): readonly Segment[] {
  const segments: { text: string; variables: PathVariable[] }[] = [];
  let current: { text: string; variables: PathVariable[] } = { text: "", variables: [] };
  for (const piece of path.flatMap(writtenOut)) {
    if (typeof piece !== "string") {
      current.variables.push(piece);
      continue;
    }
    for (const [position, text] of piece.split("/").entries()) {
      if (position > 0) {
        segments.push(current);
        current = { text: "", variables: [] };
      }
      current.text += text;
    }
  }
  segments.push(current);
  return segments.filter((segment) => segment.text !== "" || segment.variables.length > 0);
}

function writtenOut(piece: PathPiece): readonly (string | PathVariable)[] {
  if (typeof piece === "string" || "variable" in piece) return [piece];
  return "optional" in piece ? piece.optional.flatMap(writtenOut) : [piece.filler.replace(/[^/]/g, "")];
}

/** The variables of a path, and whether each is always given. */
export function variablesOf(
  path: readonly PathPiece[],
  required = true,
): readonly { readonly variable: PathVariable; readonly required: boolean }[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) return [];
    return "optional" in piece ? variablesOf(piece.optional, false) : [{ variable: piece, required }];
  });
}

/** The words of a path: literal segments, and variables that can be one text only. */
export function staticWords(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap((segment) => {
    if (segment.text !== "") return [segment.text];
    const [only, ...others] = segment.variables;
    return only !== undefined && others.length === 0 && fixedText.test(only.pattern) ? only.pattern.split("/") : [];
  });
}

/** How many segments the namespace takes at the beginning of a path; undefined when the path is not in it. */
export function namespaceLength(segments: readonly Segment[], namespace: string): number | undefined {
  const pieces = namespace.split("/").filter((piece) => piece !== "");
  const inside = pieces.every((piece, position) => {
    const segment = segments[position];
    return segment?.text === piece && segment.variables.length === 0;
  });
  return inside ? pieces.length : undefined;
}

/** The pieces of a namespace that say what it is; all of them where it is nothing but a version. */
export function namespaceWords(namespace: string): readonly string[] {
  const pieces = namespace.split("/").filter((piece) => piece !== "");
  const words = pieces.filter((piece) => !isVersion(piece));
  return words.length === 0 ? pieces : words;
}
