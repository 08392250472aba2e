import type { Random } from "@bothends/dynamic/random";
import { BothendsError } from "@bothends/runtime";
import {
  type FuzzAnswer,
  memoryTransport,
  type RecordedCall,
  recordExchanges,
  restCalls,
  soapCalls,
} from "../exchanges.js";
import type { Target } from "../fuzz.js";
import { mutated } from "../mutate.js";

/** A spoilt answer to one of the calls. */
interface AnswerCase {
  readonly call: number;
  readonly answer: FuzzAnswer;
}

/** Spoilt answers: each call gives a value, or one of the runtime's errors. */
export const soapAnswers: Target = await answerTarget("soap-answers", soapCalls);
export const restAnswers: Target = await answerTarget("rest-answers", restCalls);

async function answerTarget(name: string, calls: readonly RecordedCall[]): Promise<Target> {
  const answers = (await recordExchanges(calls)).map(({ answer }) => answer);
  return {
    name,
    make: (random) => JSON.stringify(spoiltAnswer(random, answers)),
    async judge(inputs) {
      const problems: (string | undefined)[] = [];
      for (const input of inputs) {
        const { call, answer } = JSON.parse(input) as AnswerCase;
        problems.push(await problemOf(calls[call], answer));
      }
      return problems;
    },
  };
}

const types = ["text/xml", "application/soap+xml", "application/json", "text/html", "multipart/related", "", "x"];

function spoiltAnswer(random: Random, answers: readonly FuzzAnswer[]): AnswerCase {
  const call = random.below(answers.length);
  const answer = answers[call] ?? { status: 200, headers: [], body: "" };
  const other = random.pick(answers)?.body ?? "";
  switch (random.below(8)) {
    case 0:
      return {
        call,
        answer: { ...answer, status: random.pick([200, 201, 204, 302, 304, 400, 401, 404, 429, 500, 503]) ?? 200 },
      };
    case 1: {
      const type = random.pick(types) ?? "";
      const headers = answer.headers.map(([name, value]) =>
        name.toLowerCase() === "content-type" ? ([name, type] as const) : ([name, value] as const),
      );
      return { call, answer: { ...answer, headers } };
    }
    case 2:
      return { call, answer: { ...answer, body: other } };
    default:
      return { call, answer: { ...answer, body: mutated(answer.body, random, [other]) } };
  }
}

const slowest = 2_000;

async function problemOf(call: RecordedCall | undefined, answer: FuzzAnswer): Promise<string | undefined> {
  const begin = process.cpuUsage();
  try {
    await call?.run(memoryTransport(() => answer));
  } catch (error) {
    if (!(error instanceof BothendsError)) {
      return `${call?.name} failed with ${error instanceof Error ? error.stack : String(error)}`;
    }
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000 > slowest ? `The call took ${(user + system) / 1000} ms of processor time.` : undefined;
}
