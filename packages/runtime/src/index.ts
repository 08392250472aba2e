export type * from "./descriptor.js";
export * from "./errors.js";
