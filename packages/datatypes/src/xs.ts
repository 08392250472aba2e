/** The built-in types of XSD 1.0 under their own names, functions that derive types from them, and the facets. */
export { pattern } from "./pattern-facet.js";
export * from "./xs-basic.js";
