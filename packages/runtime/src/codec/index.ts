/** What programs that run a schema without generated code need: values to XML and back, by descriptors. */
export { Decoder } from "./decoder.js";
export { Encoder } from "./encoder.js";
export type { CodecOptions, DecodeElementOptions, EncodeElementOptions } from "./options.js";
export {
  type AnyReference,
  type PolymorphicFacts,
  type RecordFacts,
  type ResolvedType,
  resolveRecord,
  resolveType,
} from "./types.js";
