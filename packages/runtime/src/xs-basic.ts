/**
 * The part of `xs` for descriptors whose types are records of elements: the built-in types, derivations, and all facets but
 * `pattern`. Without a bundler, programs load the code of patterns and of all kinds of types with `xs`.
 */
export * from "@bothends/datatypes/xs-basic";
export { settings } from "./client/soap/interface-settings.js";
