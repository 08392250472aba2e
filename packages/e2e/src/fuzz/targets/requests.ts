import { inspect, isDeepStrictEqual } from "node:util";
import type { Random } from "@bothends/dynamic/random";
import type { ServerIncident } from "@bothends/runtime/server";
import { SaxesParser } from "saxes";
import {
  type Exchange,
  type FuzzAnswer,
  type FuzzRequest,
  MemoryServer,
  recordExchanges,
  restCalls,
  soapCalls,
} from "../exchanges.js";
import { createProcessorTimeLimit, type Target } from "../fuzz.js";
import { mutate } from "../mutate.js";
import { respell } from "../respell.js";

const [soapExchanges, restExchanges] = [await recordExchanges(soapCalls), await recordExchanges(restCalls)];

/**
 * Corrupted requests, and valid requests that are rewritten with the same meaning: see `findProblemWith` and
 * `findMisreadProblem`.
 */
export const soapRequests: Target = createRequestTarget("soap-requests", soapExchanges);
export const restRequests: Target = createRequestTarget("rest-requests", restExchanges);

interface RequestCase {
  readonly request: FuzzRequest;
  /** The number of the recorded exchange, if the request has the meaning of its request. */
  readonly exchangeNumber?: number;
}

function createRequestTarget(name: string, exchanges: readonly Exchange[]): Target {
  return {
    name,
    make: (random) => JSON.stringify(createRequestCase(random, exchanges)),
    async judge(inputs) {
      const problems: (string | undefined)[] = [];
      for (const input of inputs) {
        const { request, exchangeNumber: same } = JSON.parse(input) as RequestCase;
        problems.push(await findProblem(request, same === undefined ? undefined : exchanges[same]));
      }
      return problems;
    },
  };
}

function createRequestCase(random: Random, exchanges: readonly Exchange[]): RequestCase {
  const index = random.drawIntegerBelow(exchanges.length);
  const { request } = exchanges[index] ?? throwMissingExchange();
  return random.drawBoolean(50)
    ? { request: respell(request, random), exchangeNumber: index }
    : { request: corruptRequest(request, random, exchanges) };
}

function corruptRequest(request: FuzzRequest, random: Random, exchanges: readonly Exchange[]): FuzzRequest {
  const otherRequest = random.pick(exchanges)?.request ?? request;
  const choice = random.drawIntegerBelow(11);
  if (choice < 6 && request.body !== "") {
    return { ...request, body: mutate(request.body, random, [otherRequest.body]) };
  }
  if (choice < 8) {
    return {
      ...request,
      target: `/${escapeInvisible(mutate(request.target.slice(1), random, [otherRequest.target]))}`,
    };
  }
  if (choice === 8) {
    return {
      ...request,
      method: random.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "X"]) ?? "GET",
    };
  }
  if (choice === 9) {
    return { ...request, headers: otherRequest.headers };
  }
  const changedIndex = random.drawIntegerBelow(request.headers.length);
  const headers = request.headers.map(([key, value], index): readonly [string, string] =>
    index === changedIndex ? [key, escapeInvisible(mutate(value, random))] : [key, value],
  );
  return { ...request, headers };
}

/** Escapes the characters that an HTTP parser would not accept. */
function escapeInvisible(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "?")
    .replace(/[^\x21-\x7e]/gu, (character) => (character === " " ? " " : encodeURIComponent(character)));
}

function throwMissingExchange(): never {
  throw new Error("No exchange was recorded.");
}

const maxMilliseconds = 2_000;

/** The number of requests to send to one server. Creating a server takes longer than a request. */
const requestsPerServer = 1_000;
let sharedServer: MemoryServer | undefined;
let answeredRequests = 0;

/**
 * Tests a request. If there is a problem, repeats the request with a new server, so that the result does not depend on
 * earlier requests.
 */
async function findProblem(request: FuzzRequest, exchange: Exchange | undefined): Promise<string | undefined> {
  if (sharedServer === undefined || answeredRequests >= requestsPerServer) {
    sharedServer = new MemoryServer();
    answeredRequests = 0;
  }
  answeredRequests += 1;
  const problem = await findProblemWith(sharedServer, request, exchange);
  if (problem === undefined) {
    return undefined;
  }
  sharedServer = undefined;
  return (
    (await findProblemWith(new MemoryServer(), request, exchange)) ??
    `The problem occurs only after other requests: ${problem}`
  );
}

/**
 * Checks that the server answers with a well-formed message and without an internal failure, and that handlers receive
 * only content of the request.
 */
async function findProblemWith(
  server: MemoryServer,
  request: FuzzRequest,
  exchange: Exchange | undefined,
): Promise<string | undefined> {
  server.incidents.length = 0;
  server.calls.length = 0;
  const timeProblem = createProcessorTimeLimit(maxMilliseconds, "The answer");
  let answer: FuzzAnswer;
  try {
    answer = await server.send(request);
  } catch (error) {
    return `The router threw ${String(error)}.`;
  }
  const slowness = timeProblem();
  if (slowness !== undefined) {
    return slowness;
  }
  const failure = server.incidents.find((incident) => !isExpected(incident));
  if (failure !== undefined) {
    return `${failure.kind}: ${failure.message} ${getStack(failure.error)}`;
  }
  const misreadText =
    exchange === undefined ? findAcceptedProblem(server.calls, request) : findMisreadProblem(server.calls, exchange);
  return misreadText ?? findMessageProblem(request, answer);
}

/** Checks that a rewritten request reaches the same handler with the same input. */
function findMisreadProblem(calls: MemoryServer["calls"], { calls: expected }: Exchange): string | undefined {
  return isDeepStrictEqual(calls, expected)
    ? undefined
    : `The handlers received ${inspect(calls, { depth: 9 })} instead of ${inspect(expected, { depth: 9 })}.`;
}

/**
 * Checks that no handler is called for a malformed message, or for a message whose SOAPAction names a different
 * operation.
 */
function findAcceptedProblem(calls: MemoryServer["calls"], { headers, body }: FuzzRequest): string | undefined {
  const [call] = calls;
  // The name of a form's first field may begin with "<" too.
  const isForm = headers.some(([, value]) => value.includes("application/x-www-form-urlencoded"));
  if (call === undefined || isForm || !/^\s*(?:\u00ef\u00bb\u00bf)?</.test(body)) {
    return undefined;
  }
  const reason = findMalformation(Buffer.from(body, "latin1").toString());
  if (reason !== undefined) {
    return `${call.operation} was called, but saxes refuses the document: ${reason}`;
  }
  const action =
    headers
      .find(([name]) => name.toLowerCase() === "soapaction")?.[1]
      .trim()
      .replaceAll('"', "") ?? "";
  const isOtherVersion = headers.some(([, value]) => value.includes("application/soap+xml"));
  return action === "" || isOtherVersion || action.endsWith(`/${call.operation}`)
    ? undefined
    : `${call.operation} was called with the SOAPAction ${action}.`;
}

/** Returns why a document is not well-formed; undefined if it is well-formed. */
function findMalformation(text: string): string | undefined {
  try {
    new SaxesParser({ xmlns: true }).write(text).close();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/**
 * Whether an incident was caused by the request, not by a bug. As in ASMX, a parameter may contain U+0000, which an
 * answer that repeats the parameter cannot contain.
 */
function isExpected({ kind, error }: ServerIncident): boolean {
  const repeatsCharacter = kind === "encode" && String(error).includes("XML forbids the character");
  const isOurs = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return kind === "request" || (kind === "handler" && !isOurs) || kind.startsWith("limit.") || repeatsCharacter;
}

function getStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : "";
}

function findMessageProblem({ method }: FuzzRequest, { headers, body }: FuzzAnswer): string | undefined {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (headers.some(([, value]) => /[\r\n\0]/.test(value))) {
    return "A header of the answer contains a line break.";
  }
  if (body === "" || method === "HEAD") {
    return undefined;
  }
  const text = Buffer.from(body, "latin1").toString();
  const reason = /\bxml\b/.test(type)
    ? findMalformation(text)
    : /\bjson\b/.test(type)
      ? findJsonMistake(text)
      : undefined;
  return reason === undefined ? undefined : `The answer is not well-formed: ${reason}\n${text.slice(0, 500)}`;
}

function findJsonMistake(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
