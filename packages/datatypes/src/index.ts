export { type FacetKind, LexicalError } from "./lexical-error.js";
export {
  type Datatype,
  type Derivation,
  emptyContext,
  type Facet,
  type FacetCheck,
  type FacetUse,
  type FacetValue,
  literalValue,
  normalizeWhiteSpace,
  problemOf,
  type SimpleType,
  splitItems,
  type TextContext,
  valueSpaceOf,
} from "./simple-type.js";
