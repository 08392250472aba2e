export { type EmitInputs, emit, emitFiles } from "./emit.js";
export type { Document, Piece } from "./published-document.js";
