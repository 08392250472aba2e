import { EncodeError } from "../../answer-errors.js";
import type { JsonValue } from "../../descriptor.js";
import { isPromise } from "../../is-promise.js";
import { OptionError } from "../../observe/incidents.js";
import type { AnswerCheck, AnswerProblem, AnswerToCheck } from "../../rest/check-answers.js";
import { RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { describeValue } from "../../value-problems.js";
import { type RestCall, reportContinued } from "./request.js";

/**
 * Converts the result of a handler to an answer. If the result is not a `RestAnswer`, it becomes the body of a new one.
 */
export function readHandlerResult(result: unknown, call: RestCall): RestAnswer {
  const { servedInterface, endpoint } = call;
  if (result === undefined) {
    const { name: operation } = endpoint.descriptor;
    throw new EncodeError("The answer is undefined. Return a JSON value, null, or restAnswer({ status: 204 }).", {
      operation,
    });
  }
  // The type is not checked here, because a result that is not a JSON value is refused when the answer is written.
  const answer: RestAnswer = result instanceof RestAnswer ? result : restAnswer({ body: result as JsonValue });
  checkStatus(answer, call);
  if (servedInterface.options.validate !== undefined) {
    validateAnswer(answer, call, servedInterface.options.validate);
  }
  return answer;
}

/** Throws for a status that is not that of a final answer (RFC 9110 §15). */
function checkStatus({ status }: RestAnswer, { endpoint }: RestCall): void {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    const { name: operation } = endpoint.descriptor;
    const reason = `The status of the answer must be an integer from 200 to 599, not ${formatStatus(status)}.`;
    throw new EncodeError(reason, { operation });
  }
}

/** Returns a status for a message. In JavaScript, it may be a value of any type. */
function formatStatus(status: unknown): string {
  return typeof status === "number" ? String(status) : describeValue(status);
}

/** Validates the answer of a handler. Must be called before `_fields` removes members from the answer. */
function validateAnswer({ status, body }: RestAnswer, call: RestCall, check: AnswerCheck): void {
  const { name: operation } = call.endpoint.descriptor;
  if (status >= 300 || body instanceof Uint8Array) {
    return;
  }
  const problem = findProblem({ operation, body, partial: false }, check);
  if (problem === undefined) {
    return;
  }
  if (call.servedInterface.options.invalidAnswers !== "report") {
    throw new EncodeError(problem.message, { path: problem.path, operation });
  }
  const { message, path } = problem;
  // The positions in lists are left out, so that an endpoint is not reported once for each item of a list.
  reportContinued(call, `${operation} ${path.replace(/\/\d+/g, "/0")} ${message}`, {
    kind: "encode",
    message: `The handler's answer does not fit the schema. ${message} The client receives it nevertheless, because the option "invalidAnswers" is "report". This is reported once a minute.`,
    path: path || undefined,
  });
}

/**
 * Calls the option `validate`. Throws an `OptionError` if it throws, or if its result is neither a problem nor
 * undefined.
 */
function findProblem(answer: AnswerToCheck, check: AnswerCheck): AnswerProblem | undefined {
  try {
    const problem: unknown = check(answer);
    if (problem === undefined || isAnswerProblem(problem)) {
      return problem;
    }
    if (isPromise(problem)) {
      problem.then(undefined, () => {});
      throw new TypeError('The function in the option "validate" returned a promise. It must not be async.');
    }
    const requirement =
      'an object with the strings "path" and "message" for an answer that does not fit, otherwise undefined';
    throw new TypeError(
      `The function in the option "validate" returned ${describeValue(problem)}. It must return ${requirement}.`,
    );
  } catch (error) {
    throw new OptionError("validate", error);
  }
}

function isAnswerProblem(value: unknown): value is AnswerProblem {
  const { path, message } = (value ?? {}) as Partial<AnswerProblem>;
  return typeof path === "string" && typeof message === "string";
}
