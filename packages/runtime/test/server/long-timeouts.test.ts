import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { fastifyPlugin } from "../../src/server/adapters/fastify.js";
import { type ListenOptions, listen } from "../../src/server/adapters/node/listen.js";
import { type ServerLimits, serverLimits } from "../../src/server-limits.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";
import { raw } from "./sockets.js";

// Times that are longer than the longest delay of a timer, with which a timer would fire at once.

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const head = `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: ${namespace}/Find\r\n`;
const good = `${head}Content-Length: ${text.length}\r\n\r\n${text}`;

const names = Object.keys(serverLimits).filter((name) => /Timeout$|Interval$|Period$/.test(name));
const longTimes = [2 ** 31 - 1, 2 ** 31, 30 * 86_400_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY];

/** Returns the warnings of Node about timers while a function runs. */
async function warningsDuring(run: () => Promise<unknown>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const record = (warning: Error) => void warnings.push(`${warning.name}: ${warning.message}`);
  process.on("warning", record);
  onTestFinished(() => void process.removeListener("warning", record));
  await run();
  await delay(10);
  return warnings.filter((warning) => warning.startsWith("Timeout"));
}

/** Calls an operation twice on one connection, and closes the server while the second call is being answered. */
async function callAndClose(options: ListenOptions): Promise<void> {
  let isWorking = false;
  const find = async () => {
    isWorking = true;
    await delay(60);
    return null;
  };
  const server = await listen([served({ find }, { limits: options.limits }).routes], { host: "127.0.0.1", ...options });
  const connection = raw(server.port);
  connection.send(good);
  await connection.until("Envelope>");
  isWorking = false;
  await delay(20);
  connection.send(good);
  while (!isWorking) {
    await delay(2);
  }
  const { unanswered } = await server.close();
  expect(unanswered).toBe(0);
  expect((await connection.all).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
}

test("the limits of time are listed", () => {
  expect(names).toEqual(
    expect.arrayContaining(["drainTimeout", "keepAliveTimeout", "checkInterval", "handlerTimeout"]),
  );
});

test.each(names as (keyof ServerLimits)[])("the limit %s can be longer than any timer", async (name) => {
  const warnings = await warningsDuring(() =>
    Promise.all(longTimes.map((time) => callAndClose({ limits: { [name]: time }, onError: () => {} }))),
  );
  expect(warnings).toEqual([]);
});

test("all limits of time can be infinite together", async () => {
  const limits = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY]));
  expect(await warningsDuring(() => callAndClose({ limits }))).toEqual([]);
});

test("an app of Fastify with pluginTimeout 0 and an infinite drainTimeout waits for its answers", async () => {
  const hooks: (() => Promise<void>)[] = [];
  const instance = {
    initialConfig: { pluginTimeout: 0 },
    addHook: (_name: string, hook: () => Promise<void>) => void hooks.push(hook),
    addContentTypeParser() {},
    removeAllContentTypeParsers() {},
    route() {},
    all() {},
    setNotFoundHandler() {},
  };
  const warnings = await warningsDuring(async () => {
    const options = { limits: { drainTimeout: Number.POSITIVE_INFINITY } };
    await fastifyPlugin([served().routes], options)(instance as never);
    await Promise.all(hooks.map((hook) => Promise.race([Promise.resolve(hook()).catch(() => {}), delay(50)])));
  });
  expect(warnings).toEqual([]);
});

test.each([false, true])("every limit of a server can be Infinity (HTTP/2: %s)", async (http2) => {
  const limits = Object.fromEntries(Object.keys(serverLimits).map((name) => [name, Number.POSITIVE_INFINITY]));
  const server = await listen([served().routes], { host: "127.0.0.1", http2, limits: { ...limits, drainTimeout: 50 } });
  await expect(server.close()).resolves.toMatchObject({ unanswered: 0 });
});
