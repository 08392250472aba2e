import { describe, expect, test } from "vitest";
import { envelopes, findBody, namespace, served } from "./fixture.js";
import { listening, raw, statusOf } from "./sockets.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const head = `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: ${namespace}/Find\r\n`;
const good = `${head}Content-Length: ${text.length}\r\n\r\n${text}`;

describe("close (S37)", () => {
  test("lets requests in flight finish, and ends their connections", async () => {
    let finish: (value: null) => void = () => {};
    let started: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      started = resolve;
    });
    const find = () => {
      started();
      return new Promise<null>((resolve) => {
        finish = resolve;
      });
    };
    const { port, close } = await listening([served({ find }).routes], { drainTimeout: 5_000 });
    const idle = raw(port);
    const connection = raw(port);
    connection.send(good);
    await working;
    const closed = close();
    await idle.all;
    finish(null);
    const answer = await connection.all;
    expect(statusOf(answer)).toBe(200);
    expect(answer).toMatch(/connection: close/i);
    await closed;
    const late = raw(port);
    expect(await late.all).toBe("");
  });

  test("answers the requests that wait behind one in flight", async () => {
    const finish: ((value: null) => void)[] = [];
    let started: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      started = resolve;
    });
    const find = () => {
      started();
      return finish.length > 0 ? null : new Promise<null>((resolve) => finish.push(resolve));
    };
    const { port, close } = await listening([served({ find }).routes], { drainTimeout: 5_000 });
    const connection = raw(port);
    connection.send(good + good + good);
    await working;
    await later(20); // Node runs the ticks of the first request before it parses the next.
    const closed = close();
    finish[0]?.(null);
    const answer = await connection.all;
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    expect(answer.match(/connection: close/gi)).toHaveLength(1);
    await closed;
  });

  test("ends requests that do not finish in time", async () => {
    let signal: AbortSignal | undefined;
    const find = (_: unknown, context: { signal: AbortSignal }) => {
      signal = context.signal;
      return new Promise(() => {});
    };
    const { port, close } = await listening([served({ find }).routes], { drainTimeout: 50 });
    const connection = raw(port);
    connection.send(good);
    await later(50);
    await Promise.all([close(), close()]);
    await later(20);
    expect(signal?.aborted).toBe(true);
  });
});

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
