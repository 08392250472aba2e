export { type PatternLimits, patternLimits } from "./limits.js";
export {
  checkPattern,
  checkRoutePattern,
  compilePattern,
  compileRoutePattern,
  type Pattern,
  type PatternProblem,
} from "./pattern.js";
export { PatternError } from "./pattern-error.js";
