export { compilePattern, type Pattern } from "./pattern.js";
export { PatternError } from "./pattern-error.js";
