export { type EmitInputs, emit, emitFiles } from "./emit.js";
