export { type AnswerCheck, type AnswerProblem, type AnswerToCheck, checkAnswers } from "./check-answers.js";
export { type RestConventions, wordpressConventions } from "./conventions.js";
export { RestAnswer, type RestAnswerInit, type RestResult, restAnswer } from "./rest-answer.js";
