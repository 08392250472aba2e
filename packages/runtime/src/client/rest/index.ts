// The entry point for clients of REST interfaces. If a program imports `@bothends/runtime/client` instead, a
// code-splitting bundler keeps parts of the SOAP client.
export { type AnswerCheck, type AnswerProblem, type AnswerToCheck, checkAnswers } from "../../rest/check-answers.js";
export { type NonceOptions, restNonce } from "../hooks.js";
export type {
  CallResult,
  OutcomeOf,
  RestCallOptions,
  RestClientOptions,
  ResultOption,
  Upload,
  UploadProgress,
} from "../options.js";
export type { ListContexts, Selected } from "./answer.js";
export type { Accepted } from "./arguments.js";
export { type ItemOf, type ListOperation, type Page, type PageOptions, pages, paginate } from "./paginate.js";
export { RestClient, restCalls } from "./rest-client.js";
export type { RestCallAnswer } from "./rest-endpoint.js";
