import { request } from "node:http";
import { brotliCompressSync, brotliDecompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chooseEncoding } from "../../src/http/server-answer.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import { webHandler } from "../../src/server/adapters/web-fetch.js";
import {
  type CallEvent,
  createRouter,
  type RouterOptions,
  type Routes,
  type ServerIncident,
} from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { envelopes, findBody, message, namespace, requestOf, served } from "./fixture.js";

const longText = `long ${"x".repeat(5_000)}`;
const long: Routes = {
  name: "long",
  answer: () => ({ status: 200, headers: [["Content-Type", "text/plain"]], body: longText }),
};

describe("the encoding of an answer", () => {
  test.each([
    { header: undefined, want: undefined },
    { header: "", want: undefined },
    { header: "gzip", want: "gzip" },
    { header: "GZIP;q=0.5", want: "gzip" },
    { header: "gzip;q=0", want: undefined },
    { header: "gzip; q=0.000", want: undefined },
    { header: "br", want: "br" },
    { header: "gzip, deflate, br", want: "gzip" },
    { header: "gzip;q=0.5, br", want: "br" },
    { header: "gzip;q=0, br;q=0.1", want: "br" },
    { header: "*", want: "gzip" },
    { header: "*, gzip;q=0", want: "br" },
    { header: "identity, *;q=0", want: undefined },
    { header: "x-gzip", want: "gzip" },
  ])("for $header is $want", ({ header, want }) => {
    expect(chooseEncoding(header, ["gzip", "br"])).toBe(want);
  });

  test.each([
    { accepted: "gzip", decode: gunzipSync },
    { accepted: "br", decode: brotliDecompressSync },
  ])("on Node may be $accepted", async ({ accepted, decode }) => {
    const server = await listen([long], { host: "127.0.0.1" });
    onTestFinished(async () => void (await server.close()));
    const headers = { "accept-encoding": accepted };
    const chunks: Buffer[] = [];
    const encoding = await new Promise((resolve, reject) => {
      request(server.url, { headers, agent: false }, (answer) => {
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => resolve(answer.headers["content-encoding"]));
      })
        .on("error", reject)
        .end();
    });
    expect(encoding).toBe(accepted);
    expect(Buffer.concat(chunks).length).toBeLessThan(200);
    expect(decode(Buffer.concat(chunks)).toString()).toBe(longText);
  });

  const requestFor = (accepted: string) => new Request("http://h/", { headers: { "accept-encoding": accepted } });

  test.each([
    { accepted: "gzip", decode: gunzipSync },
    { accepted: "br", decode: brotliDecompressSync },
  ])("of a web handler is $accepted with the option compress", async ({ accepted, decode }) => {
    const events: CallEvent[] = [];
    const options = { compress: true, onCall: (event: CallEvent) => void events.push(event) };
    const answer = await webHandler([long], options)(requestFor(accepted));
    expect([answer.headers.get("content-encoding"), answer.headers.get("vary")]).toEqual([accepted, "Accept-Encoding"]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(decode(bytes).toString()).toBe(longText);
    expect(events).toMatchObject([{ status: 200, completed: true, answerBytes: bytes.length }]);
  });

  test("of a web handler is gzip on platforms without node:zlib", async () => {
    // Replaces only this function, because other code, such as the test runner, needs `process` meanwhile.
    const getModule = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    onTestFinished(() => getModule.mockRestore());
    const answer = await webHandler([long], { compress: true })(requestFor("gzip, br"));
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const plain = await webHandler([long], { compress: true })(requestFor("br"));
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, longText]);
  });

  test("of a web handler is not compressed without the option, or if it is short", async () => {
    const off = await webHandler([long])(requestFor("gzip"));
    expect([off.headers.get("content-encoding"), await off.text()]).toEqual([null, longText]);
    const short: Routes = {
      ...long,
      answer: () => ({ status: 200, headers: [["Content-Type", "text/plain"]], body: "a" }),
    };
    expect((await webHandler([short], { compress: true })(requestFor("gzip"))).headers.has("content-encoding")).toBe(
      false,
    );
  });
});

const envelope = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;

/** Sends a SOAP message with a content encoding through a router. */
async function sent(encoding: string, body: Uint8Array, options: RouterOptions = { compressedRequests: true }) {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const { routes, calls } = served({}, { onError, ...(options.limits && { limits: options.limits }) });
  const { headers = [] } = message("soap11", findBody);
  const lines = headers.filter(([name]) => name.toLowerCase() !== "content-length");
  const router = createRouter([routes], { compressedRequests: options.compressedRequests, onError });
  const answer = await router(
    requestOf({ headers: [...lines, ["Content-Encoding", encoding]], body, target: "/api/things.asmx" }),
  );
  return { answer, calls, incidents };
}

describe("a compressed request", () => {
  test.each([
    { encoding: "gzip", compress: gzipSync },
    { encoding: "X-GZip", compress: gzipSync },
    { encoding: "deflate", compress: deflateSync },
  ])("in $encoding is read with the option compressedRequests", async ({ encoding, compress }) => {
    const { answer, calls } = await sent(encoding, compress(envelope));
    expect(answer.status).toBe(200);
    expect(calls).toHaveLength(1);
  });

  test("is refused by default, and in other encodings", async () => {
    const gzip = gzipSync(envelope);
    expect((await sent("gzip", gzip, {})).calls).toEqual([]);
    expect((await sent("br", brotliCompressSync(envelope))).calls).toEqual([]);
    expect((await sent("gzip, gzip", gzipSync(gzip))).calls).toEqual([]);
  });

  test("is bounded by inflatedBytes, whatever it is compressed from", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 32));
    const before = process.memoryUsage().rss;
    const { answer, calls, incidents } = await sent("gzip", bomb);
    expect(answer).toMatchObject({ status: 500, close: true });
    expect(calls).toEqual([]);
    expect(incidents).toMatchObject([
      { kind: "limit.inflatedBytes", limit: { value: 4_194_304, option: "limits.inflatedBytes" } },
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test("is bounded by bodyBytes too, after decompression", async () => {
    const body = gzipSync(envelope.replace("</soap:Body>", `${" ".repeat(5_000)}</soap:Body>`));
    const sentWith = (limits: RouterOptions["limits"]) => sent("gzip", body, { compressedRequests: true, limits });
    const { answer, calls, incidents } = await sentWith({ bodyBytes: 2_000 });
    expect(answer.status).toBe(500);
    expect(calls).toEqual([]);
    expect(incidents).toMatchObject([{ kind: "limit.bodyBytes", limit: { value: 2_000, option: "limits.bodyBytes" } }]);
    expect((await sentWith({ bodyBytes: 2_000, inflatedBytes: 1_000 })).incidents).toMatchObject([
      { kind: "limit.inflatedBytes" },
    ]);
    expect((await sentWith({ bodyBytes: 10_000 })).calls).toHaveLength(1);
  });

  const gzipped = gzipSync(envelope);
  const changed = (data: Buffer, index: number) => data.map((byte, at) => (at === index ? byte ^ 1 : byte));
  const bytesChanged =
    "It begins like compressed data, but its bytes were changed: a proxy or the client may have handled them as text.";
  const trailing = /^Other bytes follow the compressed data/;
  const base64 = /^It seems to be compressed data in Base64/;

  test.each<[string, string, Uint8Array, string | RegExp]>([
    ["is not gzip", "gzip", Buffer.from("no gzip"), /^It does not begin like gzip/],
    ["is empty", "gzip", Buffer.alloc(0), "It is empty."],
    ["is not compressed", "deflate", Buffer.from(envelope), /^It is not compressed: a proxy may have decompressed/],
    [
      "ends too early",
      "gzip",
      gzipped.subarray(0, 60),
      "It ends after 60 bytes, before the end of the compressed data: a proxy or the client may have cut it off.",
    ],
    ["ends too early", "deflate", deflateSync(envelope).subarray(0, 60), /^It ends after 60 bytes/],
    [
      "is raw data",
      "deflate",
      deflateRawSync(envelope),
      /may have sent raw data of deflate, as DeflateStream of \.NET/,
    ],
    ["is zlib", "gzip", deflateSync(envelope), /^It begins like data of the Content-Encoding deflate, not gzip:/],
    ["is gzip", "deflate", gzipped, /^It begins like data of the Content-Encoding gzip, not deflate:/],
    ["has a line break at its end", "gzip", Buffer.concat([gzipped, Buffer.from("\r\n")]), trailing],
    ["has a wrong checksum", "gzip", changed(gzipped, gzipped.length - 6), bytesChanged],
    ["has a wrong length", "gzip", changed(gzipped, gzipped.length - 2), bytesChanged],
    ["has a wrong checksum", "deflate", changed(deflateSync(envelope), deflateSync(envelope).length - 2), bytesChanged],
    ["has a changed byte", "gzip", changed(gzipped, 30), bytesChanged],
    ["was decoded as UTF-8", "gzip", Buffer.from(gzipped.toString("utf8")), bytesChanged],
    ["was encoded as UTF-8", "gzip", Buffer.from(gzipped.toString("latin1"), "utf8"), bytesChanged],
    ["is in Base64", "gzip", Buffer.from(gzipped.toString("base64")), base64],
    ["is in Base64", "deflate", Buffer.from(deflateSync(envelope).toString("base64")), base64],
  ])("that %s, with the encoding %s, is refused, and reported with its cause", async (_, encoding, body, cause) => {
    const { answer, calls, incidents } = await sent(encoding, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(calls).toEqual([]);
    expect(incidents).toMatchObject([{ kind: "request" }]);
    const [start, reason] = incidents[0]?.message.split("The compressed body is not valid. ") ?? [];
    expect(start).toBe("");
    expect(reason).toEqual(typeof cause === "string" ? cause : expect.stringMatching(cause));
  });

  test("over REST is read, or refused with 400", async () => {
    const router = createRouter([site({ onError: () => {} })], { compressedRequests: true });
    const post = (body: Uint8Array) =>
      router(
        requestOf({
          target: "/en/api/core/v2/items",
          headers: [
            ["Host", "h"],
            ["Content-Type", "application/json"],
            ["Content-Encoding", "gzip"],
          ],
          body,
        }),
      );
    const good = await post(gzipSync('{"status":"draft"}'));
    expect(good.status).toBeLessThan(300);
    expect(await post(Buffer.from("{}"))).toMatchObject({ status: 400, faultCode: "rest_invalid_json" });
  });

  test("arrives over a socket in chunks", async () => {
    const { routes, calls } = served();
    const server = await listen([routes], { host: "127.0.0.1", compressedRequests: true });
    onTestFinished(async () => void (await server.close()));
    const answer = await fetch(`${server.url}/api/things.asmx`, {
      method: "POST",
      headers: { "content-type": "text/xml", soapaction: `${namespace}/Find`, "content-encoding": "gzip" },
      body: new Blob([new Uint8Array(gzipSync(envelope))]).stream(),
      ...{ duplex: "half" },
    });
    expect(answer.status).toBe(200);
    expect(calls).toHaveLength(1);
  });
});
