import { suggestNearest } from "@bothends/xml/nearest-name";
import { EncodeError } from "../../answer-errors.js";
import type { JsonValue } from "../../descriptor.js";
import { isBytes } from "../../http/bytes.js";
import { isPromise } from "../../is-promise.js";
import { nameAnswer, OptionError, ResultError } from "../../observe/incidents.js";
import type { AnswerCheck, AnswerProblem, AnswerToCheck } from "../../rest/check-answers.js";
import { answerMembers, otherMembers, RestAnswer } from "../../rest/rest-answer.js";
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
  const answer: RestAnswer =
    result instanceof RestAnswer ? checkMembers(result, call) : new RestAnswer({ body: result as JsonValue });
  if (isBytes(answer.body) && !Object.keys(answer.headers).some((name) => /^content-type$/i.test(name))) {
    const message = `${nameAnswer(call.request.record.answeredBy)} is bytes without the header Content-Type, so the client reads them as JSON. Set the header with restAnswer. This is reported once a minute.`;
    reportContinued(call, `${endpoint.descriptor.name} bytes`, { kind: "encode", message });
  }
  if (servedInterface.options.validate !== undefined) {
    validateAnswer(answer, call, servedInterface.options.validate);
  }
  return answer;
}

/** Headers that concern one connection, such as that from another server whose headers the handler copies. */
const connectionHeaders: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "transfer-encoding",
  "trailer",
  "te",
  "keep-alive",
  "proxy-connection",
  "upgrade",
]);

/**
 * Checks the members of an answer except its body. In JavaScript, they may be values of any type. Returns the answer
 * without headers that concern one connection.
 */
function checkMembers(answer: RestAnswer, call: RestCall): RestAnswer {
  const { status, headers, total, body } = answer;
  const { name: operation } = call.endpoint.descriptor;
  for (const name of otherMembers.get(answer) ?? []) {
    const suggestion = suggestNearest(name, answerMembers);
    // Programs can pass objects that have other members too, but the body cannot be in one of them.
    if (suggestion !== "" || body === null) {
      const advice = suggestion || ` Use ${answerMembers.join(", ")}.`;
      throw new EncodeError(`The function restAnswer has no member "${name}".${advice}`, { operation });
    }
  }
  // RFC 9110 §15: the status of a final answer.
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    const reason = `The status of the answer must be an integer from 200 to 599, not ${formatNumber(status)}.`;
    throw new EncodeError(reason, { operation });
  }
  if (total !== undefined && !(Number.isInteger(total) && total >= 0)) {
    const reason = `The total of the answer must be an integer from 0, not ${formatNumber(total)}.`;
    throw new EncodeError(reason, { operation });
  }
  if (typeof headers !== "object" || Symbol.iterator in headers) {
    const reason = `The headers of the answer must be an object, { name: value }, not ${describeValue(headers)}. Convert them with new Headers(headers).`;
    throw new EncodeError(reason, { operation });
  }
  if ((status === 204 || status === 304) && body !== null) {
    const message = `${nameAnswer(call.request.record.answeredBy)} has a body and the status ${status}, with which HTTP allows no body: the client does not receive the body. Return another status, or no body. This is reported once a minute.`;
    reportContinued(call, `${operation} ${status}`, { kind: "encode", message });
  }
  const names = Object.keys(headers);
  const encodings = names.filter((name) => name.toLowerCase() === "content-encoding" && headers[name] !== "identity");
  if (encodings.length > 0 && !isBytes(body)) {
    const reason =
      "The answer has the header Content-Encoding, but its body is not compressed: leave the header out, or return the compressed bytes. Headers of an answer of fetch belong to the compressed bytes.";
    throw new EncodeError(reason, { operation });
  }
  const omitted = names.filter((name) => connectionHeaders.has(name.toLowerCase()));
  if (omitted.length === 0) {
    return answer;
  }
  const message = `${nameAnswer(call.request.record.answeredBy)} has the header ${omitted.join(", ")}, which concerns one connection: the server left it out. If you copy headers of another answer, leave it out. This is reported once a minute.`;
  reportContinued(call, `${operation} ${omitted.join(" ")}`, { kind: "encode", message });
  const sentHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => !omitted.includes(name)));
  return new RestAnswer({ ...answer, headers: sentHeaders });
}

/** Returns a member for a message that must be a number. */
function formatNumber(value: unknown): string {
  return typeof value === "number" ? String(value) : describeValue(value);
}

/** Validates the answer of a handler. Must be called before `_fields` removes members from the answer. */
function validateAnswer({ status, body }: RestAnswer, call: RestCall, check: AnswerCheck): void {
  const { name: operation } = call.endpoint.descriptor;
  if (status >= 300 || isBytes(body)) {
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
    message: `${nameAnswer(call.request.record.answeredBy)} does not fit the schema. ${message} The client receives it nevertheless, because the option "invalidAnswers" is "report". This is reported once a minute.`,
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
      throw new ResultError("validate", "a promise", "It must not be async.");
    }
    const requirement =
      'an object with the strings "path" and "message" for an answer that does not fit, otherwise undefined';
    throw new ResultError("validate", describeValue(problem), `It must return ${requirement}.`);
  } catch (error) {
    throw new OptionError("validate", error);
  }
}

function isAnswerProblem(value: unknown): value is AnswerProblem {
  const { path, message } = (value ?? {}) as Partial<AnswerProblem>;
  return typeof path === "string" && typeof message === "string";
}
