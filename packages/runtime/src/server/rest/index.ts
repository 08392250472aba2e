// The exports for a program that serves only REST interfaces. Without a bundler, the entry point
// `@bothends/runtime/server` would also load the code for SOAP.
export { RestError } from "../../answer-errors.js";
export { type AnswerCheck, type AnswerProblem, type AnswerToCheck, checkAnswers } from "../../rest/check-answers.js";
export type { UploadedFile } from "../../rest/php-form.js";
export {
  RestAnswer,
  type RestAnswerInit,
  type RestHeaders,
  type RestResult,
  restAnswer,
} from "../../rest/rest-answer.js";
export * from "../shared-exports.js";
export {
  type WordpressAuthentication,
  type WordpressUsers,
  wordpressAuthentication,
} from "./callers/wordpress-authentication.js";
export { restRoutes } from "./rest-routes.js";
export type {
  NamespaceHandlers,
  RestCallToAuthorize,
  RestContext,
  RestHandlers,
  RestServerOptions,
  RestService,
} from "./service.js";
