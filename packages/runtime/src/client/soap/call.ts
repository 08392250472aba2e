/** The way for small bundles: a connection of chosen protocols, and one function that calls any operation over it. */

export type { ProtocolBinding } from "../../protocol/client.js";
export type { CallOptions, SoapClientOptions } from "../options.js";
export { type Connection, type ConnectionInit, call, connect } from "./connection.js";
