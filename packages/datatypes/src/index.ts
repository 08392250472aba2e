export { type FacetKind, LexicalError } from "./lexical-error.js";
export {
  type Datatype,
  type Derivation,
  type Facet,
  type FacetCheck,
  type FacetUse,
  type FacetValue,
  normalizeWhiteSpace,
  type SimpleType,
  splitItems,
  type TextContext,
} from "./simple-type.js";
export { emptyContext, findProblem, getValueSpace, readLiteralValue } from "./value-space.js";
