import type { ImportedFeature } from "../descriptor.js";
import { ConfigError } from "../errors.js";

// This module is a separate entry point of the runtime (`./segment-names`), so that programs whose segments cannot be
// renamed do not load it.

/**
 * Checks the option `wireNames.segments`. Descriptors import this feature only for interfaces whose segments can be
 * renamed.
 */
export interface SegmentsFeature extends ImportedFeature<"segments"> {
  /** Returns the names that replace segments on the wire. Only the segments in `allowedNames` can be renamed. */
  read(names: Readonly<Record<string, string | undefined>>, allowedNames: readonly string[]): WireSegments;
}

/** Renames the segments of paths for a site that uses names other than those in its index. */
export const segmentNames: SegmentsFeature = { kind: "segments", read: readSegmentNames };

/**
 * Consecutive segments in the index, such as `wp`, `v2`, and the name that replaces them on the wire, such as
 * `core/v2`.
 */
interface SegmentName {
  readonly segments: readonly string[];
  readonly name: string;
}

/** The names that replace segments of the index, sorted so that the longest sequence of segments is tried first. */
export type WireSegments = readonly SegmentName[];

/**
 * Checks the option `wireNames.segments`, and returns its names. Throws `ConfigError` for a segment that is not in
 * `allowedNames`.
 */
export function readSegmentNames(
  names: Readonly<Record<string, string | undefined>> | undefined,
  allowedNames: readonly string[],
): WireSegments {
  const readNames: SegmentName[] = [];
  for (const [indexName, name] of Object.entries(names ?? {})) {
    if (name === undefined || name === indexName) {
      continue;
    }
    if (!allowedNames.includes(indexName)) {
      throw new ConfigError(
        `The option "wireNames.segments" cannot rename the segment "${indexName}". It can rename ${allowedNames.join(", ")}.`,
      );
    }
    if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(name)) {
      throw new ConfigError(
        `The option "wireNames.segments" contains "${name}". A segment may contain only letters, digits and -._~.`,
      );
    }
    readNames.push({ segments: indexName.split("/"), name });
  }
  return readNames.sort((left, right) => right.segments.length - left.segments.length);
}
