export { type AnswerCheck, type AnswerProblem, type AnswerToCheck, checkAnswers } from "./check-answers.js";
export { pathPattern } from "./path-pattern.js";
export { RestAnswer, type RestAnswerInit, type RestHeaders, type RestResult, restAnswer } from "./rest-answer.js";
export { segmentNames } from "./segment-names.js";
export { type RestConventions, wordpressConventions } from "./wordpress-conventions.js";
