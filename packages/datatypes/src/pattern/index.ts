export { type Automaton, accepts, buildAutomaton, markOf, readsNothing } from "./automaton.js";
export {
  anyOf,
  type CharacterClass,
  type CharacterEscape,
  character,
  complement,
  ignoringCase,
  range,
  ranges,
  union,
} from "./character-class.js";
export { judgedPatternLimits, type PatternLimits, patternLimits } from "./limits.js";
export { Matcher } from "./matcher.js";
export { checkPattern, compilePattern, compileTree, type Pattern, type PatternProblem } from "./pattern.js";
export { PatternError, type PatternFault, type PatternLimit } from "./pattern-error.js";
export { PatternSource } from "./pattern-source.js";
export type { CaptureNode, ClassNode, EdgeNode, PatternNode, RepeatNode } from "./tree.js";
