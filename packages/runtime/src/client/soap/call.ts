/** The entry for small bundles: a connection with the protocols that you import, and one function that calls any operation. */

export type { ProtocolBinding } from "../../protocol/client.js";
export type { CallOptions, SoapClientOptions } from "../options.js";
export { type Connection, type ConnectionInit, call, connect } from "./connection.js";
