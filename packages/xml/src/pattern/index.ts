export { leavesNothing } from "./inclusion.js";
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
export { PatternError, type PatternFault, type PatternLimit } from "./pattern-error.js";
export { compileRoute, lowerCase, type Route } from "./route.js";
export { type RoutePiece, routePieces } from "./route-pieces.js";
