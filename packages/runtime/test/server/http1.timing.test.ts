import { expect, test } from "vitest";
import { envelopes, findBody, namespace, served } from "./fixture.js";
import { listening, raw } from "./sockets.js";

const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
const head = `POST /api/things.asmx HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: ${namespace}/Find\r\n`;

test("a server that closes waits no longer than drainTimeout for a call", async () => {
  let called = () => {};
  const isCalled = new Promise<void>((resolve) => {
    called = resolve;
  });
  const find = () => {
    called();
    return new Promise(() => {});
  };
  const { port, close } = await listening([served({ find }).routes], { drainTimeout: 50 });
  raw(port).send(`${head}Content-Length: ${text.length}\r\n\r\n${text}`);
  await isCalled;
  const started = performance.now();
  await Promise.all([close(), close()]);
  expect(performance.now() - started).toBeLessThan(1_000);
});
