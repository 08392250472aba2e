/**
 * The values that generated descriptors import with `import * as xs from "@bothends/runtime/xs"`: the built-in types of
 * XSD 1.0 under their own names, functions that derive types from them, the facets, and codecs for each kind of field,
 * type and body.
 */

export { pattern } from "@bothends/datatypes/pattern-facet";
export { any, anyAttribute, anyType } from "./codec/kinds/any.js";
export { attribute, text } from "./codec/kinds/attribute.js";
export { content, group } from "./codec/kinds/content-model.js";
export { identity } from "./codec/kinds/identity.js";
export { inOrder } from "./codec/kinds/in-order.js";
export { mixed } from "./codec/kinds/mixed.js";
export { polymorphic } from "./codec/kinds/polymorphic.js";
export { array, soapEncoding } from "./codec/kinds/soap-encoding.js";
export { addressing, attachments, fault, headerBlocks, parts } from "./protocol/soap/client/extensions.js";
export * from "./xs-basic.js";
