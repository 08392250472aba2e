export type { RestEndpoint, RestIndexEndpoint } from "./client/rest/rest-client.js";
export type * from "./descriptor.js";
export {
  AbortError,
  type AnswerErrorInit,
  BothendsError,
  ConfigError,
  DecodeError,
  type DecodeErrorInit,
  EncodeError,
  type ErrorContext,
  HttpStatusError,
  isRestError,
  LexicalError,
  ProtocolError,
  RestError,
  type RestErrorInit,
  SoapFault,
  type SoapFaultInit,
  TimeoutError,
  type Tolerance,
  TransportError,
} from "./errors.js";
