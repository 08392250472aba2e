export { type RestConventions, wordpressConventions } from "./conventions.js";
export { RestAnswer, type RestAnswerInit, type RestResult, restAnswer } from "./rest-answer.js";
