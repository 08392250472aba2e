/**
 * The part of `xs` that descriptors need whose types are records of elements: the built-in types, derivations and facets. Programs
 * that are not bundled load the code of all kinds of types with `xs`.
 */
export * from "@bothends/datatypes/xs";
export { facts } from "./client/soap/interface-facts.js";
