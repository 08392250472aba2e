import type { AnyTypeDescriptor } from "./descriptor.js";

/**
 * The built-in types of XSD 1.0 under their own names, the ways to derive types from them, and the facets. Generated
 * descriptors refer to nothing else for simple types: `import * as xs from "@bothends/runtime/xs"`.
 */
export * from "@bothends/datatypes/xs";
export { inOrder } from "./codec/decode-in-order.js";

export const anyType: AnyTypeDescriptor = { kind: "anyType" };
