// The code that clients of all protocols load for answers that `QuickDecoder` cannot read, and for inputs that
// `QuickEncoder` cannot write. Clients import this one module, because a code-splitting bundler would create further
// chunks for code that several modules share.

export { createTransportFailure } from "../client/errors/failures.js";
export { findTarget } from "../client/soap/find-target.js";
export { createTolerantReader } from "../codec/tolerant-reader.js";
export { HttpAnswerReader } from "./http/client-answer-reader.js";
export { fillLocation, writeCheckedPairs } from "./http/parameters.js";
export { writeDocument } from "./http-post/client-document.js";
export { SoapAnswerReader } from "./soap/client/answer-reader.js";
export { SoapRequestWriter } from "./soap/client/request-writer.js";
