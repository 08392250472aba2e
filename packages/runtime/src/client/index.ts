export type { WireNameOptions } from "../wire-names.js";
export { BodyCollector, BodyLimitError } from "./body-collector.js";
export type { HeaderOptions } from "./headers.js";
export type { ClientAnswer, ClientRequest, HookResult, Hooks } from "./hooks.js";
export { type ClientLimitOptions, type ClientLimits, clientLimits } from "./limits.js";
export type {
  AnswerFacts,
  CallOptions,
  ConnectionOptions,
  RestCallOptions,
  RestClientOptions,
  SharedOptions,
  SoapClientOptions,
  Supplied,
  Upload,
} from "./options.js";
export { type RestCallAnswer, RestClient } from "./rest/rest-client.js";
export { type Connection, type ConnectionInit, call, connect } from "./soap/connection.js";
export type { ProtocolBinding } from "./soap/protocol.js";
export { httpGet, httpPost, soap11, soap12 } from "./soap/protocols.js";
export { ServiceClient } from "./soap/service-client.js";
export type {
  TlsOptions,
  Transport,
  TransportAnswer,
  TransportHead,
  TransportOptions,
  TransportRequest,
} from "./transport.js";
