import { request } from "node:http";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { isBytes } from "../../src/http/bytes.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import { site } from "../rest/site.js";
import { envelopes, findBody, namespace, served } from "./fixture.js";

// In test environments such as jsdom, the global Uint8Array is that of another realm than Node's buffers.

function send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method: "POST", headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end(body);
  });
}

test("a server answers while the global Uint8Array is that of another realm", async () => {
  vi.stubGlobal("Uint8Array", runInNewContext("Uint8Array"));
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(Buffer.from("a")).not.toBeInstanceOf(Uint8Array);
  const server = await listen([served().routes, site()], { port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close().then(() => {}));
  const message = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
  const soapHeaders = { "Content-Type": "text/xml", SOAPAction: `${namespace}/Find` };
  expect(await send(`${server.url}/api/things.asmx`, soapHeaders, message)).toBe(200);
  expect(await send(`${server.url}/en/api/core/v2/items`, { "Content-Type": "application/json" }, "{}")).toBe(200);
});

test.each([
  ["bytes", new Uint8Array(1), true],
  ["a buffer", Buffer.from("a"), true],
  ["bytes of another realm", runInNewContext("new Uint8Array(1)"), true],
  ["other numbers", new Uint16Array(1), false],
  ["a view", new DataView(new ArrayBuffer(1)), false],
  ["a text", "a", false],
  ["null", null, false],
])("%s: bytes are recognized, whatever their realm", (_, value, want) => {
  expect(isBytes(value)).toBe(want);
});
