import type { ImportedFeature, PathPiece } from "../descriptor.js";
import { wirePath, wireSegments } from "./route-paths.js";

// This module is a separate entry of the runtime (`./segment-names`), so that programs whose segments cannot be renamed do not
// load it.

/** Renames segments of paths. Descriptors import it only for interfaces whose segments can be renamed. */
export interface SegmentsFeature extends ImportedFeature<"segments"> {
  /** Returns a function that renames the segments of a path. Only the names in `allowedNames` can be renamed. */
  renaming(
    names: Readonly<Record<string, string | undefined>>,
    allowedNames: readonly string[],
  ): (path: readonly PathPiece[]) => readonly PathPiece[];
}

/** Renames segments of paths for a site whose names differ from those in the index. */
export const segmentNames: SegmentsFeature = {
  kind: "segments",
  renaming(names, allowedNames) {
    const renamedSegments = wireSegments(names, allowedNames);
    return (path) => wirePath(path, renamedSegments);
  },
};
