/**
 * The entry point for small bundles: `connect` with the protocols that you import, and `call`, which calls any
 * operation.
 */

export type { ProtocolBinding } from "../../protocol/client.js";
export type { CallOptions, SoapClientOptions } from "../options.js";
export { type Connection, type ConnectionInit, call, connect } from "./connection.js";
