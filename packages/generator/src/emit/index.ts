export { type EmitInputs, emit, emitFiles, type FileTree } from "./emit.js";
export type { Document, Piece } from "./published-document.js";
