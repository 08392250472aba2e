// What the clients of all protocols load for messages that `QuickDecoder` does not read, and for what few programs send. One
// module, because a bundler that splits code makes a chunk for each set of modules that several such modules share.
export { HttpAnswerReader } from "./http/client-answer.js";
export { SoapAnswerReader } from "./soap/client/answer.js";
export { writeBlocks } from "./soap/extra-blocks.js";
