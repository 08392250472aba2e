export { LexicalError } from "./lexical-error.js";
export {
  type Derivation,
  emptyContext,
  type Facet,
  type FacetCheck,
  type FacetUse,
  type FacetValue,
  type SimpleType,
  type TextContext,
  traitsOf,
} from "./simple-type.js";
export { normalizeWhiteSpace } from "./white-space.js";
