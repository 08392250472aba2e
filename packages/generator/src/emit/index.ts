export type { FileTree } from "../plan/index.js";
export { type EmitInputs, emit, emitFiles } from "./emit.js";
export type { Document, Piece } from "./published-document.js";
