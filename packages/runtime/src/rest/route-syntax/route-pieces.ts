import { buildAutomaton, Matcher, type PatternLimits, patternLimits } from "@bothends/datatypes/pattern";
import { parseRoute } from "./route.js";
import { type DraftPiece, draftPieces } from "./route-drafts.js";

/** What the paths of a route are written from. */
export type RoutePiece =
  | { readonly kind: "text"; readonly text: string }
  /** A named group. */
  | { readonly kind: "variable"; readonly variable: string; readonly pattern: string }
  /** Where the route leaves a choice: the shortest text that it takes there. */
  | { readonly kind: "filler"; readonly text: string }
  /** May be left out. */
  | { readonly kind: "optional"; readonly pieces: readonly RoutePiece[] };

/** Splits a route into the pieces that its paths are written from; undefined when no path matches. Throws `PatternError`. */
export function routePieces(text: string, limits: PatternLimits = patternLimits): readonly RoutePiece[] | undefined {
  const tree = parseRoute(text, limits);
  if (tree === undefined) return undefined;
  const matcher = new Matcher(buildAutomaton(tree, limits.patternStates));
  const drafts = draftPieces(tree, text);
  const all = optionals(drafts);
  const leads = (without: readonly DraftPiece[]) => {
    const path = written(drafts, new Set(without));
    // A slash at the end of an address says nothing, and two in a row often become one.
    return !path.includes("//") && matcher.test(path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);
  };
  const needed = new Set(all.filter((one) => !leads([one]) && !leads(all)));
  return finished(drafts, needed);
}

function optionals(drafts: readonly DraftPiece[]): readonly DraftPiece[] {
  return drafts.flatMap((draft) => (draft.kind === "optional" ? [draft, ...optionals(draft.pieces)] : []));
}

/** A path with the shortest text for each variable. */
function written(drafts: readonly DraftPiece[], without: ReadonlySet<DraftPiece>): string {
  return drafts
    .map((draft) => {
      if (draft.kind !== "optional") return draft.text;
      return without.has(draft) ? "" : written(draft.pieces, without);
    })
    .join("");
}

/** The pieces without what is never written; what cannot be left out is not optional, whatever the route says. */
function finished(drafts: readonly DraftPiece[], needed: ReadonlySet<DraftPiece>): readonly RoutePiece[] {
  const pieces: RoutePiece[] = [];
  for (const piece of drafts.flatMap((draft) => finishedPiece(draft, needed))) {
    const last = pieces.at(-1);
    if (piece.kind !== "text" || last?.kind !== "text") pieces.push(piece);
    else pieces.splice(-1, 1, { kind: "text", text: last.text + piece.text });
  }
  return pieces;
}

function finishedPiece(draft: DraftPiece, needed: ReadonlySet<DraftPiece>): readonly RoutePiece[] {
  switch (draft.kind) {
    case "text":
      return [{ kind: "text", text: draft.text }];
    case "filler":
      return draft.text === "" ? [] : [{ kind: "filler", text: draft.text }];
    case "variable":
      return [{ kind: "variable", variable: draft.variable, pattern: draft.pattern }];
    case "optional": {
      const pieces = finished(draft.pieces, needed);
      return needed.has(draft) ? pieces : [{ kind: "optional", pieces }];
    }
  }
}
