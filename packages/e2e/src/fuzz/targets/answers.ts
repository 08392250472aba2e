import { inspect, isDeepStrictEqual } from "node:util";
import type { Random } from "@bothends/dynamic/random";
import { BothendsError } from "@bothends/runtime";
import {
  createMemoryTransport,
  type FuzzAnswer,
  type RecordedCall,
  recordExchanges,
  restCalls,
  soapCalls,
} from "../exchanges.js";
import { createProcessorTimeLimit, type Target } from "../fuzz.js";
import { mutate } from "../mutate.js";

/** A corrupted answer to one of the calls. */
interface AnswerCase {
  readonly callIndex: number;
  readonly answer: FuzzAnswer;
}

/** Corrupted answers. Each call must return a value, or throw an error of the runtime. */
export const soapAnswers: Target = await answerTarget("soap-answers", soapCalls);
export const restAnswers: Target = await answerTarget("rest-answers", restCalls);

async function answerTarget(name: string, calls: readonly RecordedCall[]): Promise<Target> {
  const answers = (await recordExchanges(calls)).map(({ answer }) => answer);
  return {
    name,
    make: (random) => JSON.stringify(corruptAnswer(random, answers)),
    async judge(inputs) {
      const problems: (string | undefined)[] = [];
      for (const input of inputs) {
        const { callIndex, answer } = JSON.parse(input) as AnswerCase;
        problems.push(await findProblem(calls[callIndex], answer));
      }
      return problems;
    },
  };
}

const types = ["text/xml", "application/soap+xml", "application/json", "text/html", "multipart/related", "", "x"];

const restErrors = [
  '{"code":"a","message":"b","data":{"status":400,"params":{"c":"d"}}}',
  '{"code":"a","message":"b"}',
  ...["null", "0", '"a"', "[]", "{}"],
];
const soapErrors = ["http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"].map(
  (namespace) =>
    `<s:Envelope xmlns:s="${namespace}"><s:Body><s:Fault><faultcode>s:Server</faultcode><faultstring>a</faultstring><detail><b/></detail></s:Fault></s:Body></s:Envelope>`,
);

function corruptAnswer(random: Random, answers: readonly FuzzAnswer[]): AnswerCase {
  const callIndex = random.drawIntegerBelow(answers.length);
  const answer = answers[callIndex] ?? { status: 200, headers: [], body: "" };
  const otherBody = random.pick(answers)?.body ?? "";
  switch (random.drawIntegerBelow(8)) {
    case 0:
      return {
        callIndex,
        answer: { ...answer, status: random.pick([200, 201, 204, 302, 304, 400, 401, 404, 429, 500, 503]) ?? 200 },
      };
    case 1: {
      const type = random.pick(types) ?? "";
      const headers = answer.headers.map(([name, value]) =>
        name.toLowerCase() === "content-type" ? ([name, type] as const) : ([name, value] as const),
      );
      return { callIndex, answer: { ...answer, headers } };
    }
    case 2:
      return { callIndex, answer: { ...answer, body: otherBody } };
    case 3: {
      const error = random.pick(answer.body.startsWith("<") ? soapErrors : restErrors) ?? "";
      return {
        callIndex,
        answer: {
          ...answer,
          status: random.pick([200, 400, 500]) ?? 500,
          body: random.drawBoolean(30) ? error : mutate(error, random),
        },
      };
    }
    default:
      return { callIndex, answer: { ...answer, body: mutate(answer.body, random, [otherBody]) } };
  }
}

const maxMilliseconds = 2_000;

async function findProblem(call: RecordedCall | undefined, answer: FuzzAnswer): Promise<string | undefined> {
  const timeProblem = createProcessorTimeLimit(maxMilliseconds, "The call");
  const outcome = await judgeOutcome(call, answer);
  const slowness = timeProblem();
  if (slowness !== undefined) {
    return slowness;
  }
  if (outcome.kind === "crash") {
    return `${call?.name} failed with ${outcome.text}`;
  }
  return answer.body.endsWith(">")
    ? findDecoderDifference(call, answer, outcome)
    : findJsonDifference(call, answer, outcome);
}

/** Compares the value of an answer with the result of `JSON.parse`. */
function findJsonDifference(
  call: RecordedCall | undefined,
  { headers, body }: FuzzAnswer,
  outcome: Outcome,
): string | undefined {
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (outcome.kind !== "value" || body === "" || !/^application\/json *(?:; *charset=utf-8)?$/i.test(type)) {
    return undefined;
  }
  const expected = parseJson(
    Buffer.from(body, "latin1")
      .toString()
      .replace(/^\ufeff/, ""),
  );
  return expected !== undefined && isDeepStrictEqual(expected.value, outcome.value)
    ? undefined
    : `${call?.name} gives ${inspect(outcome.value, { depth: 9 })}, but JSON.parse ${expected === undefined ? "refuses the answer" : `reads ${inspect(expected.value, { depth: 9 })}`}.`;
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The result of a call. `error` means an error that the runtime defines. */
type Outcome =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "error" | "crash"; readonly text: string };

async function judgeOutcome(call: RecordedCall | undefined, answer: FuzzAnswer): Promise<Outcome> {
  try {
    return { kind: "value", value: await call?.run(createMemoryTransport(() => answer)) };
  } catch (error) {
    return error instanceof BothendsError && !isMistake(error.cause)
      ? { kind: "error", text: error.name }
      : { kind: "crash", text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Whether an error comes from a bug. A TypeError with a code does not: `TextDecoder` throws it for malformed bytes. */
function isMistake(cause: unknown): boolean {
  return (
    ((cause instanceof TypeError || cause instanceof ReferenceError) && !("code" in cause)) ||
    (cause instanceof Error && isMistake(cause.cause))
  );
}

/**
 * Compares the two decoders of clients. `QuickDecoder` reads an answer; if a comment follows the document, `Decoder`
 * reads it instead.
 */
async function findDecoderDifference(
  call: RecordedCall | undefined,
  answer: FuzzAnswer,
  outcome: Outcome,
): Promise<string | undefined> {
  const fullOutcome = await judgeOutcome(call, { ...answer, body: `${answer.body}<!---->` });
  return isDeepStrictEqual(outcome, fullOutcome)
    ? undefined
    : `${call?.name} gives ${inspect(outcome, { depth: 9 })}, but with a comment after the document ${inspect(fullOutcome, { depth: 9 })}`;
}
