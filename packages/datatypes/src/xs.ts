/** The built-in types and facets of XSD 1.0 by name, and the functions that derive types. */
export { pattern } from "./pattern-facet.js";
export * from "./xs-basic.js";
