/**
 * The part of `xs` for descriptors whose types are records of elements: the built-in types, derivations, and all facets
 * except `pattern`. A program without a bundler loads less code if it imports this module in place of `xs`, which
 * includes patterns and all kinds of types.
 */
export * from "@bothends/datatypes/xs-basic";
export { settings } from "./client/soap/interface-settings.js";
