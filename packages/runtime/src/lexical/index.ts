export { simpleTypeOf } from "./derived.js";
export { emptyContext } from "./simple-type.js";
export { normalizeWhiteSpace } from "./white-space.js";
