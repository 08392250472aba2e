export type * from "./config.js";
export type * from "./contract.js";
export type * from "./rest.js";
export type * from "./soap.js";
export type * from "./types.js";
