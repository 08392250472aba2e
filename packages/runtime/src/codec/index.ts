export { Decoder } from "./decoder.js";
export { Encoder } from "./encoder.js";
export type { CodecOptions, DecodeFacts, EncodeFacts } from "./options.js";
