export {
  type Automaton,
  acceptState,
  buildAutomaton,
  type CaptureNode,
  type ClassNode,
  getMark,
  type PatternNode,
  type RepeatNode,
  readsNothing,
} from "./automaton.js";
export {
  anyCharacterOf,
  type CharacterClass,
  type CharacterEscape,
  character,
  complement,
  ignoringCase,
  range,
  ranges,
  union,
} from "./character-class.js";
export { compileTree, Matcher, type MatchResult, maxMatchSteps, maxMessageSteps, type Pattern } from "./matcher.js";
export {
  checkedPatternLimits,
  PatternError,
  type PatternFault,
  type PatternLimit,
  type PatternLimits,
  PatternSource,
  patternLimits,
} from "./pattern-source.js";
export {
  acceptAll,
  acceptAny,
  acceptList,
  acceptOthers,
  type ItemCounts,
  normalizeSpaces,
  type WhiteSpaceRule,
} from "./text-machines.js";
export {
  createAutomatonMachine,
  findText,
  type TextMachine,
  type TextSearch,
  type TextSearchResult,
} from "./text-search.js";
export { checkPattern, compilePattern, type PatternProblem } from "./xsd-pattern.js";
export { createXsdMachine, findTextOfMachines, findXsdText, type SearchedPattern } from "./xsd-text-search.js";
