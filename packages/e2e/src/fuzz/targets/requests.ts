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
import type { Target } from "../fuzz.js";
import { mutated } from "../mutate.js";

const [soapExchanges, restExchanges] = [await recordExchanges(soapCalls), await recordExchanges(restCalls)];

/** Corrupted requests: servers must answer each with a well-formed message, without internal failures. */
export const soapRequests: Target = requestTarget("soap-requests", soapExchanges);
export const restRequests: Target = requestTarget("rest-requests", restExchanges);

function requestTarget(name: string, exchanges: readonly Exchange[]): Target {
  return {
    name,
    make: (random) => JSON.stringify(spoiltRequest(random, exchanges)),
    async judge(inputs) {
      const problems: (string | undefined)[] = [];
      for (const input of inputs) {
        problems.push(await problemOf(JSON.parse(input) as FuzzRequest));
      }
      return problems;
    },
  };
}

function spoiltRequest(random: Random, exchanges: readonly Exchange[]): FuzzRequest {
  const { request } = random.pick(exchanges) ?? exchanges[0] ?? fail();
  const other = random.pick(exchanges)?.request ?? request;
  const part = random.below(10);
  if (part < 6 && request.body !== "") {
    return { ...request, body: mutated(request.body, random, [other.body]) };
  }
  if (part < 8) {
    return { ...request, target: `/${visible(mutated(request.target.slice(1), random, [other.target]))}` };
  }
  if (part === 8) {
    return {
      ...request,
      method: random.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "X"]) ?? "GET",
    };
  }
  const at = random.below(request.headers.length);
  const headers = request.headers.map(([key, value], index): readonly [string, string] =>
    index === at ? [key, visible(mutated(value, random))] : [key, value],
  );
  return { ...request, headers };
}

/** The HTTP parser accepts no other characters. */
function visible(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "?")
    .replace(/[^\x21-\x7e]/gu, (each) => (each === " " ? " " : encodeURIComponent(each)));
}

function fail(): never {
  throw new Error("No exchange was recorded.");
}

const slowest = 2_000;

/** Creating a server takes longer than a request, so one server answers many. */
const requestsPerServer = 1_000;
let shared: MemoryServer | undefined;
let answered = 0;

/** Repeats a problem with a new server, so that the case is reproducible alone. */
async function problemOf(request: FuzzRequest): Promise<string | undefined> {
  if (shared === undefined || answered >= requestsPerServer) {
    shared = new MemoryServer();
    answered = 0;
  }
  answered += 1;
  const problem = await problemWith(shared, request);
  if (problem === undefined) {
    return undefined;
  }
  shared = undefined;
  return (await problemWith(new MemoryServer(), request)) ?? `Only after other requests: ${problem}`;
}

async function problemWith(server: MemoryServer, request: FuzzRequest): Promise<string | undefined> {
  server.incidents.length = 0;
  const begin = process.cpuUsage();
  let answer: FuzzAnswer;
  try {
    answer = await server.send(request);
  } catch (error) {
    return `The router threw ${String(error)}.`;
  }
  const { user, system } = process.cpuUsage(begin);
  if ((user + system) / 1000 > slowest) {
    return `The answer took ${(user + system) / 1000} ms of processor time.`;
  }
  const failure = server.incidents.find((incident) => !isExpected(incident));
  if (failure !== undefined) {
    return `${failure.kind}: ${failure.message} ${stackOf(failure.error)}`;
  }
  return messageProblem(request, answer);
}

/**
 * Whether an incident concerns the request. As in ASMX, parameters may contain U+0000, which an answer that repeats them cannot
 * contain.
 */
function isExpected({ kind, error }: ServerIncident): boolean {
  const repeatsCharacter = kind === "encode" && String(error).includes("XML forbids the character");
  const isOurs = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return kind === "request" || (kind === "handler" && !isOurs) || kind.startsWith("limit.") || repeatsCharacter;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : "";
}

function messageProblem({ method }: FuzzRequest, { headers, body }: FuzzAnswer): string | undefined {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (headers.some(([, value]) => /[\r\n\0]/.test(value))) {
    return "A header of the answer contains a line break.";
  }
  if (body === "" || method === "HEAD") {
    return undefined;
  }
  const text = Buffer.from(body, "latin1").toString();
  try {
    if (/\bxml\b/.test(type)) {
      new SaxesParser({ xmlns: true }).write(text).close();
    } else if (/\bjson\b/.test(type)) {
      JSON.parse(text);
    }
    return undefined;
  } catch (error) {
    return `The answer is not well-formed: ${String(error)}\n${text.slice(0, 500)}`;
  }
}
