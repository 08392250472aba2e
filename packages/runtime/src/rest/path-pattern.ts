import { checkedPatternLimits } from "@bothends/datatypes/pattern";
import type { ImportedFeature } from "../descriptor.js";
import { compileRoutePattern } from "./route-syntax/index.js";

// This is a separate module, so that programs without patterns for path variables do not contain the parser of routes.

/**
 * Matches the pattern of a path variable. Descriptors import this feature only for variables whose pattern can match a
 * slash.
 */
export interface PathPatternFeature extends ImportedFeature<"pathPattern"> {
  /** Whether the pattern matches a string from start to end. */
  matches(pattern: string, text: string): boolean;
}

/** Matches the patterns of path variables whose values may contain slashes. Ignores case, as WordPress does. */
export const pathPattern: PathPatternFeature = {
  kind: "pathPattern",
  matches(pattern, text) {
    try {
      const compiledPattern = compileRoutePattern(pattern, checkedPatternLimits);
      return compiledPattern.test(text) || compiledPattern.test(text.toLowerCase());
    } catch {
      return false;
    }
  },
};
