import {
  type CaptureNode,
  type ClassNode,
  PatternError,
  type PatternNode,
  type RepeatNode,
} from "@bothends/datatypes/pattern";
import { shortestText } from "./shortest-text.js";

/** A piece of a route with the shortest text for it. */
export type DraftPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly variable: string; readonly pattern: string; readonly text: string }
  /** `some`: the shortest text that is not empty. `slash`: it may be one. */
  | { readonly kind: "filler"; readonly text: string; readonly some: string; readonly slash: boolean }
  | { readonly kind: "optional"; readonly pieces: readonly DraftPiece[] };

type Variable = Extract<DraftPiece, { kind: "variable" }>;

/** The pieces of a route's tree as its text has them. Throws `PatternError` where paths cannot be written from pieces. */
export function draftPieces(tree: PatternNode, route: string): readonly DraftPiece[] {
  return withSlashes(withoutEmptySegments(piecesOf(tree, route)));
}

function piecesOf(node: PatternNode, route: string): readonly DraftPiece[] {
  switch (node.kind) {
    case "sequence":
      return node.parts.flatMap((part) => piecesOf(part, route));
    case "capture":
      return variableOf(node, route);
    case "class":
      return [pieceOfClass(node)];
    case "repeat":
      return repeated(node, route);
    case "choice": {
      const group = firstCapture(node);
      if (group === undefined) return [filler(node)];
      const message = `The group ${group.name} stands in one of several alternatives: each needs a route of its own.`;
      throw new PatternError(message, group.start, { fault: "route" });
    }
    case "edge":
      return [];
  }
}

/** A dot is meant as one, mostly: it is written where any character may stand. */
function pieceOfClass(node: ClassNode): DraftPiece {
  const text = node.character ?? (node.isDot ? "." : undefined);
  return text === undefined ? filler(node) : { kind: "text", text };
}

function repeated(node: RepeatNode, route: string): readonly DraftPiece[] {
  const group = firstCapture(node.part);
  if (group === undefined) return [filler(node)];
  if (node.max === 1) {
    const pieces = piecesOf(node.part, route);
    return node.min === 1 ? pieces : [{ kind: "optional", pieces: withSlashes(withoutOptional(pieces)) }];
  }
  const message = `The group ${group.name} is repeated: a path variable has one value.`;
  throw new PatternError(message, group.start, { fault: "route" });
}

/** A variable that may be empty, in a part that may be left out, is optional once. */
function withoutOptional(pieces: readonly DraftPiece[]): readonly DraftPiece[] {
  const [only, another] = pieces;
  return only?.kind === "optional" && another === undefined ? only.pieces : pieces;
}

function variableOf(node: CaptureNode, route: string): readonly DraftPiece[] {
  const text = shortestText(node.part, false);
  const variable: Variable = {
    kind: "variable",
    variable: node.name,
    pattern: route.slice(node.from, node.to),
    text: text ?? "",
  };
  return shortestText(node.part) === "" && text !== undefined ? [{ kind: "optional", pieces: [variable] }] : [variable];
}

function filler(node: PatternNode): DraftPiece {
  const text = shortestText(node);
  if (text === undefined) throw new PatternError("No address can hold what stands here.", 0, { fault: "route" });
  return { kind: "filler", text, some: shortestText(node, false) ?? "", slash: mayBeSlash(node) };
}

/** A slash that may be left out, `\/?` or `(?:\/)?`. */
function mayBeSlash(node: PatternNode): boolean {
  return node.kind === "repeat" && node.min === 0 && shortestText(node.part) === "/";
}

/** Between slashes something is written, as in no address a segment is empty. */
function withoutEmptySegments(drafts: readonly DraftPiece[]): readonly DraftPiece[] {
  return drafts.map((draft, index) => {
    const before = drafts[index - 1];
    const behind = drafts[index + 1];
    if (draft.kind !== "filler" || draft.text !== "" || draft.slash) return draft;
    const begins = before?.kind === "text" && before.text.endsWith("/");
    const ends = behind === undefined || (behind.kind === "text" && behind.text.startsWith("/"));
    return begins && ends ? { ...draft, text: draft.some } : draft;
  });
}

/** A slash that may be left out is written before a variable, where there is one. */
function withSlashes(drafts: readonly DraftPiece[]): readonly DraftPiece[] {
  return drafts.map((draft, index): DraftPiece => {
    const following = drafts[index + 1];
    const before = drafts[index - 1];
    if (draft.kind === "filler" && draft.slash && following?.kind === "variable") return { kind: "text", text: "/" };
    if (draft.kind !== "optional" || before?.kind !== "filler" || !before.slash) return draft;
    const [first] = draft.pieces;
    return first?.kind === "variable"
      ? { kind: "optional", pieces: [{ kind: "text", text: "/" }, ...draft.pieces] }
      : draft;
  });
}

function firstCapture(node: PatternNode): CaptureNode | undefined {
  switch (node.kind) {
    case "capture":
      return node;
    case "repeat":
      return firstCapture(node.part);
    case "sequence":
      return firstOf(node.parts);
    case "choice":
      return firstOf(node.branches);
    default:
      return undefined;
  }
}

function firstOf(nodes: readonly PatternNode[]): CaptureNode | undefined {
  for (const node of nodes) {
    const found = firstCapture(node);
    if (found !== undefined) return found;
  }
  return undefined;
}
