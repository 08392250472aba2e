import { ConfigError } from "../errors.js";
import type { HeaderLine } from "../http/headers.js";
import type { ServerAnswer } from "../http/server-answer.js";
import { type ParsedRequest, toParsedRequest } from "../http/server-request.js";
import type { OnError, ServerIncident } from "../observe/events.js";
import { report } from "../observe/incidents.js";
import { RepeatedProblem, RepeatedReports } from "../observe/repeated-incidents.js";
import { checkOptionsOf } from "../option-checks.js";
import {
  createRecord,
  functionType,
  type OptionType,
  type OptionTypes,
  positiveMillisecondsType,
} from "../option-types.js";
import { startTimer } from "./calls/call-handler.js";
import { healthChecks, type Routes } from "./routes.js";

/** Options for `healthRoutes`. */
export interface HealthOptions {
  /**
   * Checks of the resources that the server needs, such as a database, by name. A check fails if it returns false,
   * throws, rejects, or takes longer than `timeout`. The answers of `/ready` contain the name and the result of each
   * check, but no errors; these are reported to `onError`.
   */
  readonly checks?: Readonly<Record<string, () => unknown>> | undefined;
  /** The time limit for each check, in milliseconds. Default 5,000. */
  readonly timeout?: number | undefined;
  /** The path that shows whether the process is alive. Default `/health`. */
  readonly healthPath?: string | undefined;
  /** The path that shows whether the server is ready for requests. Default `/ready`. */
  readonly readyPath?: string | undefined;
  readonly onError?: OnError | undefined;
}

const pathType: OptionType = {
  accepts: (value) => typeof value === "string" && value.startsWith("/"),
  description: "a path that begins with a slash",
};

const healthTypes: OptionTypes<HealthOptions> = {
  checks: createRecord(
    functionType.accepts,
    "an object whose values are functions, such as { database: () => ping() }",
  ),
  timeout: positiveMillisecondsType,
  healthPath: pathType,
  readyPath: pathType,
  onError: functionType,
};

/**
 * Routes for orchestrators and load balancers. `/health` answers 200 as long as the process can respond; if it does not
 * answer, the process should be restarted. `/ready` answers 503 while a check fails or the server is stopping; no
 * requests should then be sent to the server.
 */
export function healthRoutes(options: HealthOptions = {}): Routes {
  checkOptionsOf("healthRoutes", options, healthTypes);
  const { healthPath = "/health", readyPath = "/ready" } = options;
  if (healthPath === readyPath) {
    throw new ConfigError(
      `The options "healthPath" and "readyPath" of healthRoutes must differ, and not both be ${healthPath}.`,
    );
  }
  const readiness = new Readiness(options);
  const isHealth = ({ path }: ParsedRequest): boolean => path === healthPath;
  const isReady = ({ path }: ParsedRequest): boolean => path === readyPath;
  /** Returns the answer that needs no checks. */
  const answerAtOnce = (request: ParsedRequest): ServerAnswer | undefined => {
    if (!isHealth(request) && !isReady(request)) {
      return undefined;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return createJsonAnswer(405, { status: "error" }, [["Allow", "GET, HEAD"]]);
    }
    return isHealth(request) ? createJsonAnswer(200, { status: "ok" }) : undefined;
  };
  return {
    name: "health",
    paths: [healthPath, readyPath],
    claims: [healthPath, readyPath].map((path) => ({ path, owner: healthChecks })),
    answer(receivedRequest) {
      const request = toParsedRequest(receivedRequest);
      return answerAtOnce(request) ?? (isReady(request) ? readiness.answer(request) : undefined);
    },
    answerBusy: (request) =>
      answerAtOnce(request) ??
      (isReady(request) ? createJsonAnswer(503, { status: request.draining ? "stopping" : "busy" }) : undefined),
  };
}

/**
 * The maximum number of requests that wait for checks. A higher number could block calls, because waiting requests also
 * count toward the limit `inFlight`.
 */
const maxWaitingRequests = 16;

/**
 * Runs the checks. Requests that arrive during the checks get the same result, so that many requests do not cause many
 * queries.
 */
class Readiness {
  readonly #options: HealthOptions;
  #runningChecks: Promise<ServerAnswer> | undefined;
  #waitingCount = 0;
  /** Limits how often each failing check is reported. The key is the name of the check. */
  readonly #failures = new RepeatedReports();
  /** The last result. It is used as the answer when too many requests wait. */
  #lastAnswer: ServerAnswer = createJsonAnswer(503, { status: "checking" });

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  async answer(request: ParsedRequest): Promise<ServerAnswer> {
    if (request.draining) {
      return createJsonAnswer(503, { status: "stopping" });
    }
    if (this.#waitingCount >= maxWaitingRequests) {
      return this.#lastAnswer;
    }
    this.#waitingCount += 1;
    try {
      this.#runningChecks ??= this.#runChecks(request);
      return await this.#runningChecks;
    } finally {
      this.#waitingCount -= 1;
    }
  }

  async #runChecks(request: ParsedRequest): Promise<ServerAnswer> {
    const options = this.#options;
    const checks = Object.entries(options.checks ?? {});
    const results = await Promise.all(
      checks.map(([name, check]) => runCheck(name, check, { request, options, failures: this.#failures })),
    );
    const isReady = results.every((hasPassed) => hasPassed);
    const resultsByName = Object.fromEntries(checks.map(([name], index) => [name, results[index] ? "ok" : "failed"]));
    this.#runningChecks = undefined;
    this.#lastAnswer = createJsonAnswer(isReady ? 200 : 503, {
      status: isReady ? "ok" : "failed",
      checks: resultsByName,
    });
    return this.#lastAnswer;
  }
}

interface CheckContext {
  readonly request: ParsedRequest;
  readonly options: HealthOptions;
  readonly failures: RepeatedReports;
}

async function runCheck(name: string, check: () => unknown, context: CheckContext): Promise<boolean> {
  const { timeout = 5_000 } = context.options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const timeoutRejection = new Promise<never>((_, reject) => {
      const rejectLate = () => reject(new Error(`The check did not end within ${timeout} ms.`));
      timer = startTimer(rejectLate, timeout);
    });
    if ((await Promise.race([check(), timeoutRejection])) !== false) {
      context.failures.end(name);
      return true;
    }
    reportFailure(name, { kind: "check", message: `The check "${name}" returned false.` }, context);
  } catch (error) {
    reportFailure(name, { kind: "check", message: `The check "${name}" failed.`, error }, context);
  } finally {
    clearTimeout(timer);
  }
  return false;
}

/**
 * Reports the first failure of a check, and then once a minute that the check still fails. Not every failure is
 * reported, because orchestrators send requests every few seconds.
 */
function reportFailure(name: string, incident: ServerIncident, { request, options, failures }: CheckContext): void {
  const message = `${incident.message} /ready answers 503 until it passes. A check that keeps failing is reported once a minute.`;
  report(options.onError, { ...incident, message }, request, { repeated: new RepeatedProblem(failures, name) });
}

function createJsonAnswer(status: number, body: object, headers: readonly HeaderLine[] = []): ServerAnswer {
  const lines: readonly HeaderLine[] = [
    ["Content-Type", "application/json"],
    ["Cache-Control", "no-store"],
  ];
  return { status, headers: [...lines, ...headers], body: JSON.stringify(body) };
}
