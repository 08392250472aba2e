import type { ImportedFeature, PathPiece } from "../descriptor.js";
import { wirePath, wireSegments } from "./route-paths.js";

/** Renames the segments of paths. Imported only by interfaces whose segments can be renamed. */
export interface SegmentsFeature extends ImportedFeature<"segments"> {
  renaming(
    names: Readonly<Record<string, string | undefined>>,
    allowed: readonly string[],
  ): (path: readonly PathPiece[]) => readonly PathPiece[];
}

/** Renames the segments of an interface whose site uses other names. */
export const segmentNames: SegmentsFeature = {
  kind: "segments",
  renaming(names, allowed) {
    const renamed = wireSegments(names, allowed);
    return (path) => wirePath(path, renamed);
  },
};
