export type { ToleratedDifference } from "../codec/tolerant-reader.js";
export { BodyCollector, type BodyCollectorOptions, BodyLimitError } from "../http/body-collector.js";
export type {
  BegunCall,
  CallDurations,
  CallEvent,
  CallObservation,
  CallObserver,
  CallObservers,
  ClientIncident,
  OnCall,
  OnClientError,
} from "../observe/events.js";
export type { RecordedMessage, RecordOptions } from "../observe/redact.js";
export type { ProtocolBinding } from "../protocol/client.js";
export { httpGet } from "../protocol/http-get/client.js";
export { httpPost } from "../protocol/http-post/client.js";
export { soap11 } from "../protocol/soap11/client.js";
export { soap12 } from "../protocol/soap12/client.js";
export { type AnswerCheck, type AnswerProblem, type AnswerToCheck, checkAnswers } from "../rest/check-answers.js";
export type { WireNameOptions } from "../wire-names.js";
export type { AuthorizationSource, Credentials } from "./address.js";
export type { ClientAnswer, ClientRequest, HookResult, Hooks, ReportProblem } from "./hooks.js";
export { cookies, type NonceOptions, recordMessages, restNonce } from "./hooks.js";
export type {
  AnswerHead,
  CallOptions,
  CallResult,
  ConnectionOptions,
  HeaderOptions,
  OutcomeOf,
  RestCallOptions,
  RestClientOptions,
  ResultOption,
  SharedOptions,
  SoapClientOptions,
  Supplied,
  Upload,
  UploadProgress,
} from "./options.js";
export { type ClientLimitOptions, type ClientLimits, clientLimits } from "./options.js";
export type { ListContexts, Selected } from "./rest/answer.js";
export type { Accepted } from "./rest/arguments.js";
export { type ItemOf, type ListOperation, type Page, type PageOptions, pages, paginate } from "./rest/paginate.js";
export { RestClient } from "./rest/rest-client.js";
export type { RestCallAnswer } from "./rest/rest-endpoint.js";
export { type Results, results } from "./results.js";
export { type Connection, type ConnectionInit, call, connect } from "./soap/connection.js";
export { ServiceClient } from "./soap/service-client.js";
export type {
  TlsOptions,
  Transport,
  TransportAnswer,
  TransportHead,
  TransportOptions,
  TransportRequest,
} from "./transport.js";

export {
  type Fetch,
  type FetchOptions,
  fetchTransport,
  type UploadStream,
  uploadStream,
} from "./transports/fetch-transport.js";
