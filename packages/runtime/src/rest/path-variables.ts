import type { PathPiece, PathVariable } from "../descriptor.js";

/** A variable of a path, and whether it is always there. */
export interface VariableInPath extends PathVariable {
  readonly required: boolean;
}

/** The variables of a path in their order, those of optional parts too. */
export function variablesOf(path: readonly PathPiece[], required = true): readonly VariableInPath[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string") return [];
    return "optional" in piece ? variablesOf(piece.optional, false) : [{ ...piece, required }];
  });
}
