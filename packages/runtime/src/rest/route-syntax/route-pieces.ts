import {
  buildAutomaton,
  type CaptureNode,
  type ClassNode,
  Matcher,
  PatternError,
  type PatternLimits,
  type PatternNode,
  patternLimits,
  type RepeatNode,
} from "@bothends/datatypes/pattern";
import { findShortestText, parseRoute } from "./compile-route.js";

/** A piece of a route, from which the route's paths are written. */
export type RoutePiece =
  | { readonly kind: "text"; readonly text: string }
  /** A named group of the route, whose value the caller provides. */
  | { readonly kind: "variable"; readonly variable: string; readonly pattern: string }
  /** A part of the route that is neither a literal nor a named group. `text` is the shortest string that it matches. */
  | { readonly kind: "filler"; readonly text: string }
  /** Pieces that can only be left out together. */
  | { readonly kind: "optional"; readonly pieces: readonly RoutePiece[] };

/**
 * Splits a route into the pieces from which its paths are written. Returns undefined if no path matches the route.
 * Throws `PatternError`.
 */
export function splitRoute(text: string, limits: PatternLimits = patternLimits): readonly RoutePiece[] | undefined {
  const tree = parseRoute(text, limits);
  if (tree === undefined) {
    return undefined;
  }
  const matcher = new Matcher(buildAutomaton(tree, limits.patternStates));
  const drafts = createDraftPieces(tree, text);
  const optionalPieces = expandOptionalsIn(drafts);
  const matchesWithout = (omittedPieces: readonly DraftPiece[]) => {
    const path = writePath(drafts, new Set(omittedPieces));
    // Servers ignore a slash at the end of an address, so that slash is removed here. Servers often merge two
    // consecutive slashes into one, so a path must not contain two.
    return !path.includes("//") && matcher.test(path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);
  };
  const neededPieces = new Set(
    optionalPieces.filter((piece) => !matchesWithout([piece]) && !matchesWithout(optionalPieces)),
  );
  return finishPieces(drafts, neededPieces);
}

function expandOptionalsIn(drafts: readonly DraftPiece[]): readonly DraftPiece[] {
  return drafts.flatMap((draft) => (draft.kind === "optional" ? [draft, ...expandOptionalsIn(draft.pieces)] : []));
}

/** Writes a path with the shortest value for each variable, without the optional pieces in `omittedPieces`. */
function writePath(drafts: readonly DraftPiece[], omittedPieces: ReadonlySet<DraftPiece>): string {
  return drafts
    .map((draft) => {
      if (draft.kind !== "optional") {
        return draft.text;
      }
      return omittedPieces.has(draft) ? "" : writePath(draft.pieces, omittedPieces);
    })
    .join("");
}

/**
 * Finishes the pieces of a route. Removes empty fillers, joins adjacent literals, and makes the optional pieces in
 * `neededPieces` required, because the route does not match without them.
 */
function finishPieces(drafts: readonly DraftPiece[], neededPieces: ReadonlySet<DraftPiece>): readonly RoutePiece[] {
  const pieces: RoutePiece[] = [];
  for (const piece of drafts.flatMap((draft) => finishPiece(draft, neededPieces))) {
    const lastPiece = pieces.at(-1);
    if (piece.kind !== "text" || lastPiece?.kind !== "text") {
      pieces.push(piece);
    } else {
      pieces.splice(-1, 1, { kind: "text", text: lastPiece.text + piece.text });
    }
  }
  return pieces;
}

function finishPiece(draft: DraftPiece, neededPieces: ReadonlySet<DraftPiece>): readonly RoutePiece[] {
  switch (draft.kind) {
    case "text":
      return [{ kind: "text", text: draft.text }];
    case "filler":
      return draft.text === "" ? [] : [{ kind: "filler", text: draft.text }];
    case "variable":
      return [{ kind: "variable", variable: draft.variable, pattern: draft.pattern }];
    case "optional": {
      const pieces = finishPieces(draft.pieces, neededPieces);
      return neededPieces.has(draft) ? pieces : [{ kind: "optional", pieces }];
    }
  }
}

/** A piece of a route before it is finished. `text` is the shortest string that the piece matches. */
type DraftPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly variable: string; readonly pattern: string; readonly text: string }
  /**
   * `nonEmptyText` is the shortest matching string that is not empty. `isSlash` is true if the piece is an optional
   * slash.
   */
  | { readonly kind: "filler"; readonly text: string; readonly nonEmptyText: string; readonly isSlash: boolean }
  | { readonly kind: "optional"; readonly pieces: readonly DraftPiece[] };

type Variable = Extract<DraftPiece, { kind: "variable" }>;

/**
 * Splits a route into unfinished pieces, in order. Throws `PatternError` if the paths of the route cannot be written
 * from pieces.
 */
function createDraftPieces(tree: PatternNode, route: string): readonly DraftPiece[] {
  return withSlashes(fillEmptySegments(listPieces(tree, route)));
}

function listPieces(node: PatternNode, route: string): readonly DraftPiece[] {
  switch (node.kind) {
    case "sequence":
      return node.parts.flatMap((part) => listPieces(part, route));
    case "capture":
      return listVariablePieces(node, route);
    case "class":
      return [createPieceOfClass(node)];
    case "repeat":
      return listPiecesOfRepetition(node, route);
    case "choice": {
      const group = findFirstCapture(node);
      if (group === undefined) {
        return [createFiller(node)];
      }
      const message = `The group ${group.name} is in one of several alternatives: each alternative needs its own route.`;
      throw new PatternError(message, group.start, { fault: "route" });
    }
  }
}

/**
 * Returns the piece for a character class. A dot, which matches any character, becomes a literal dot, because authors
 * often forget to escape the dot.
 */
function createPieceOfClass(node: ClassNode): DraftPiece {
  const text = node.character ?? (node.isDot ? "." : undefined);
  return text === undefined ? createFiller(node) : { kind: "text", text };
}

function listPiecesOfRepetition(node: RepeatNode, route: string): readonly DraftPiece[] {
  const group = findFirstCapture(node.part);
  if (group === undefined) {
    return [createFiller(node)];
  }
  if (node.max === 1) {
    const pieces = listPieces(node.part, route);
    return node.min === 1 ? pieces : [{ kind: "optional", pieces: withSlashes(unwrapOptional(pieces)) }];
  }
  const message = `The group ${group.name} can repeat, but a path variable has only one value.`;
  throw new PatternError(message, group.start, { fault: "route" });
}

/**
 * If the only piece is optional, returns the pieces inside it, so that an optional part with an optional variable is
 * not optional twice.
 */
function unwrapOptional(pieces: readonly DraftPiece[]): readonly DraftPiece[] {
  const [single] = pieces;
  return single?.kind === "optional" && pieces.length === 1 ? single.pieces : pieces;
}

function listVariablePieces(node: CaptureNode, route: string): readonly DraftPiece[] {
  const text = findShortestText(node.part, false);
  const variable: Variable = {
    kind: "variable",
    variable: node.name,
    pattern: route.slice(node.from, node.to),
    text: text ?? "",
  };
  return findShortestText(node.part) === "" && text !== undefined
    ? [{ kind: "optional", pieces: [variable] }]
    : [variable];
}

function createFiller(node: PatternNode): DraftPiece {
  const text = findShortestText(node);
  if (text === undefined) {
    throw new PatternError("No text matches this part of the route.", 0, { fault: "route" });
  }
  return { kind: "filler", text, nonEmptyText: findShortestText(node, false) ?? "", isSlash: mayBeSlash(node) };
}

/** Whether a node is an optional slash: `\/?` or `(?:\/)?`. */
function mayBeSlash(node: PatternNode): boolean {
  return node.kind === "repeat" && node.min === 0 && findShortestText(node.part) === "/";
}

/**
 * Fills an empty filler between two slashes with the shortest string that is not empty, because an address has no empty
 * segments.
 */
function fillEmptySegments(drafts: readonly DraftPiece[]): readonly DraftPiece[] {
  return drafts.map((draft, index) => {
    const previousPiece = drafts[index - 1];
    const nextPiece = drafts[index + 1];
    if (draft.kind !== "filler" || draft.text !== "" || draft.isSlash) {
      return draft;
    }
    const startsSegment = previousPiece?.kind === "text" && previousPiece.text.endsWith("/");
    const endsSegment = nextPiece === undefined || (nextPiece.kind === "text" && nextPiece.text.startsWith("/"));
    return startsSegment && endsSegment ? { ...draft, text: draft.nonEmptyText } : draft;
  });
}

/** Makes each optional slash before a variable required. */
function withSlashes(drafts: readonly DraftPiece[]): readonly DraftPiece[] {
  return drafts.map((draft, index): DraftPiece => {
    const nextPiece = drafts[index + 1];
    const previousPiece = drafts[index - 1];
    if (draft.kind === "filler" && draft.isSlash && nextPiece?.kind === "variable") {
      return { kind: "text", text: "/" };
    }
    if (draft.kind !== "optional" || previousPiece?.kind !== "filler" || !previousPiece.isSlash) {
      return draft;
    }
    const [firstPiece] = draft.pieces;
    return firstPiece?.kind === "variable"
      ? { kind: "optional", pieces: [{ kind: "text", text: "/" }, ...draft.pieces] }
      : draft;
  });
}

function findFirstCapture(node: PatternNode): CaptureNode | undefined {
  switch (node.kind) {
    case "capture":
      return node;
    case "repeat":
      return findFirstCapture(node.part);
    case "sequence":
      return findFirst(node.parts);
    case "choice":
      return findFirst(node.branches);
    default:
      return undefined;
  }
}

function findFirst(nodes: readonly PatternNode[]): CaptureNode | undefined {
  for (const node of nodes) {
    const capture = findFirstCapture(node);
    if (capture !== undefined) {
      return capture;
    }
  }
  return undefined;
}
