/**
 * The part of `xs` for descriptors whose types are records of elements: the built-in types, derivations and facets. Without a
 * bundler, programs load the code of all kinds of types with `xs`.
 */
export * from "@bothends/datatypes/xs";
export { settings } from "./client/soap/interface-settings.js";
