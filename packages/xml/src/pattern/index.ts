export { judgedPatternLimits, type PatternLimits, patternLimits } from "./limits.js";
export {
  checkPattern,
  checkRoutePattern,
  compilePattern,
  compileRoutePattern,
  compileValuePattern,
  type Pattern,
  type PatternProblem,
} from "./pattern.js";
export { PatternError, type PatternLimit } from "./pattern-error.js";
