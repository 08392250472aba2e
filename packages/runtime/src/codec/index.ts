/** Converts values to and from XML using descriptors, for programs without generated code. */

export type {
  CodecOptions,
  DeclaredElement,
  DeclaredElements,
  DecodeElementOptions,
  EncodeElementOptions,
} from "./codec-options.js";
export { Decoder } from "./decoder.js";
export { Encoder } from "./encoder.js";
export {
  type AnyReference,
  type ResolvedPolymorphic,
  type ResolvedRecord,
  type ResolvedType,
  resolveRecord,
  resolveType,
} from "./resolved-types.js";
