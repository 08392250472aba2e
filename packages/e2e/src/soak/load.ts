import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "@bothends/dynamic/random";
import { type FuzzRequest, MemoryServer, recordExchanges, restCalls, soapCalls } from "../fuzz/exchanges.js";
import { type RawAnswer, RawConnection } from "./raw-connection.js";

/** A request that may be repeated any number of times, with its only correct answer. */
export interface GoodCall {
  readonly text: string;
  readonly status: number;
  readonly body: string;
}

/** Counts the outcomes of the requests. */
export class Outcomes {
  rightAnswers = 0;
  /** The number of requests that were refused with a complete error answer. */
  refusedRequests = 0;
  sentFaults = 0;
  /** Descriptions of wrong answers, and of valid requests without an answer. */
  readonly wrongAnswers: string[] = [];

  count(call: GoodCall, answer: RawAnswer | undefined, situation: string): void {
    if (answer === undefined) {
      this.wrongAnswers.push(`${situation}: no answer to ${call.text.slice(0, 120)}`);
    } else if (answer.status === call.status && answer.body === call.body) {
      this.rightAnswers += 1;
    } else if (refusalStatuses.includes(answer.status)) {
      this.refusedRequests += 1;
    } else {
      this.wrongAnswers.push(
        `${situation}: ${answer.status} ${answer.body.slice(0, 200)} to ${call.text.slice(0, 120)}`,
      );
    }
  }
}

const refusalStatuses = [408, 413, 429, 503];

/** Records the SOAP calls, and the GET calls of the content site that have no side effects. */
export async function listGoodCalls(): Promise<readonly GoodCall[]> {
  const exchanges = [...(await recordExchanges(soapCalls)), ...(await recordExchanges(restCalls))];
  const server = new MemoryServer();
  const calls: GoodCall[] = [];
  for (const { request } of exchanges) {
    const isRest = request.target.includes("/pt-pt/");
    if (isRest && request.method !== "GET") {
      continue;
    }
    const { status, body } = await server.send(request);
    const secondAnswer = await server.send(request);
    if (secondAnswer.body === body) {
      calls.push({ text: getText(request), status, body });
    }
  }
  return calls;
}

function getText({ method, target, headers, body }: FuzzRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const length = body === "" && method === "GET" ? [] : [`content-length: ${body.length}`];
  return [`${method} ${target} HTTP/1.1`, ...lines, ...length, "", body].join("\r\n");
}

interface Load {
  readonly port: number;
  readonly calls: readonly GoodCall[];
  readonly outcomes: Outcomes;
  readonly random: Random;
  /** Whether new requests are sent. */
  isRunning(): boolean;
}

/**
 * Runs one client until the load ends. It sends requests one after another on persistent connections, with occasional
 * faults.
 */
export async function runClient(load: Load): Promise<void> {
  const { port, outcomes, random } = load;
  let connection: RawConnection | undefined;
  while (load.isRunning()) {
    if (random.drawBoolean(8)) {
      outcomes.sentFaults += 1;
      await sendFault(load);
      continue;
    }
    if (connection === undefined || !(await connection.isUsable())) {
      connection?.destroy();
      connection = new RawConnection(port);
    }
    const call = pickCall(load);
    connection.write(call.text);
    const answer = await connection.readNextAnswer();
    outcomes.count(call, answer, answer === undefined ? `kept connection (${connection.history})` : "kept connection");
    if (answer === undefined || answer.isLast) {
      connection.destroy();
      connection = undefined;
    }
  }
  connection?.destroy();
}

function pickCall({ calls, random }: Load): GoodCall {
  return random.pick(calls) ?? { text: "", status: 0, body: "" };
}

async function sendFault(load: Load): Promise<void> {
  const { port, random, outcomes } = load;
  const connection = new RawConnection(port);
  const call = pickCall(load);
  const halfLength = Math.floor(call.text.length / 2);
  switch (random.drawIntegerBelow(10)) {
    case 0: // A body that arrives slowly.
      connection.write(call.text.slice(0, halfLength));
      await wait(50 + random.drawIntegerBelow(1_000));
      connection.write(call.text.slice(halfLength));
      outcomes.count(call, await connection.readNextAnswer(), "slow");
      break;
    case 1: // A reset in the middle of a request.
      connection.write(call.text.slice(0, halfLength));
      await wait(5);
      connection.socket.resetAndDestroy();
      break;
    case 2: // A body over the limit. SOAP 1.1 has its faults in answers with status 500.
      connection.write(
        `POST /api/reg.asmx HTTP/1.1\r\nhost: x\r\ncontent-type: text/xml\r\ncontent-length: 99999999\r\n\r\n`,
      );
      expectRefusal(await connection.readNextAnswer(), [413, 500], outcomes, "oversize");
      break;
    case 3: // Bytes that are not HTTP, or XML that is not well-formed.
      if (random.drawBoolean(50)) {
        connection.write(`${random.drawText(30)}\r\n\r\n`);
        expectRefusal(await connection.readNextAnswer(), [400], outcomes, "no HTTP");
      } else {
        connection.write(
          `POST /api/reg.asmx HTTP/1.1\r\nhost: x\r\ncontent-type: text/xml\r\nSOAPAction: ""\r\ncontent-length: 5\r\n\r\n<a><b`,
        );
        expectRefusal(await connection.readNextAnswer(), [400, 500], outcomes, "malformed XML");
      }
      break;
    case 4: {
      // This client closes its half of the connection. For Node, the client has then disconnected, unless the answer is
      // already being sent.
      const calls = [call, ...pickSeveralCalls(load, 2)];
      connection.write(calls.map(({ text }) => text).join(""));
      connection.socket.end();
      for (const call of calls) {
        const answer = await connection.readNextAnswer();
        if (answer !== undefined) {
          outcomes.count(call, answer, "half-closed");
        }
      }
      break;
    }
    case 5: {
      const calls = [call, pickCall(load), pickCall(load)];
      connection.write(calls.map(({ text }) => text).join(""));
      for (const call of calls) {
        outcomes.count(call, await connection.readNextAnswer(), "pipelined");
      }
      break;
    }
    case 6: // A client that disconnects after its request.
      connection.write(call.text);
      await wait(random.drawIntegerBelow(3));
      break;
    case 7: {
      // A client that disconnects while requests wait for the answer to an earlier one.
      const calls = [call, ...pickSeveralCalls(load, 3)];
      connection.write(requestSlowAnswer({ time: 30 }) + calls.map(({ text }) => text).join(""));
      await wait(random.drawIntegerBelow(40));
      if (random.drawBoolean(50)) {
        connection.socket.resetAndDestroy();
      }
      break;
    }
    case 8: // A client that does not read its answers, and disconnects.
      connection.socket.pause();
      connection.write(requestSlowAnswer({ time: 10, isLarge: true }).repeat(2 + random.drawIntegerBelow(2)));
      await wait(random.drawIntegerBelow(100));
      break;
    default: // A connection that stays silent.
      await wait(500);
  }
  connection.destroy();
}

function pickSeveralCalls(load: Load, maxCount: number): readonly GoodCall[] {
  return Array.from({ length: load.random.drawIntegerBelow(maxCount + 1) }, () => pickCall(load));
}

/** A request whose answer comes after a time in milliseconds. A large answer does not fit into the connection. */
export function requestSlowAnswer({ time, isLarge = false }: SlowRequest): string {
  return `GET /slow?${time}${isLarge ? "large" : ""} HTTP/1.1\r\nhost: x\r\n\r\n`;
}

interface SlowRequest {
  readonly time: number;
  readonly isLarge?: boolean;
}

function expectRefusal(
  answer: RawAnswer | undefined,
  statuses: readonly number[],
  outcomes: Outcomes,
  situation: string,
): void {
  if (answer === undefined || ![...statuses, ...refusalStatuses].includes(answer.status)) {
    outcomes.wrongAnswers.push(`${situation}: ${answer?.status ?? "no answer"}`);
  }
}
