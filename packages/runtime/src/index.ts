export type { RestEndpoint, RestIndexEndpoint } from "./client/rest/rest-calls.js";
export type * from "./descriptor.js";
export * from "./errors.js";
