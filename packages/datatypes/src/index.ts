export { type FacetKind, LexicalError } from "./lexical-error.js";
export {
  type Datatype,
  type Derivation,
  emptyContext,
  type Facet,
  type FacetCheck,
  type FacetUse,
  type FacetValue,
  findProblem,
  getValueSpace,
  normalizeWhiteSpace,
  readLiteralValue,
  type SimpleType,
  splitItems,
  type TextContext,
} from "./simple-type.js";
