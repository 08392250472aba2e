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
export { resolveRecord, resolveType } from "./resolve-type.js";
export type { AnyReference, ResolvedPolymorphic, ResolvedRecord, ResolvedType } from "./resolved-types.js";
