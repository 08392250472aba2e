import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sendRaw } from "./raw.js";
import { chunkedBody, get, head, json, rest } from "./requests.js";
import { type Served, serveBattery } from "./served.js";

let served: Served;

beforeAll(async () => {
  served = await serveBattery();
});
beforeEach(() => served.calls.splice(0));
afterAll(() => served.server.close());

const behind = rest('{"title":"behind"}').map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
const project = "POST /en/api/core/v2/project";

describe("a request after an answer that ends the connection is not started", () => {
  test.each([
    { what: "two hosts", sent: head("GET /en/api", ["Host: i"]), status: 400 },
    { what: "an address that is no path", sent: get("http://h/en/api"), status: 400 },
    { what: "a long address", sent: get(`/${"a".repeat(9_000)}`), status: 414 },
    { what: "many headers", sent: get("/en/api", Array<string>(2_000).fill("a:b")), status: 431 },
    { what: "no host", sent: "GET /en/api HTTP/1.1\r\n\r\n", status: 400 },
    { what: "an unknown expectation", sent: head("GET /en/api", ["Expect: the-worst"]), status: 417 },
    {
      what: "chunks of HTTP/1.0",
      sent: `${head(project, [json, "Transfer-Encoding: chunked", "Connection: keep-alive"]).replace("HTTP/1.1", "HTTP/1.0")}2\r\n{x\r\n0\r\n\r\n`,
      status: 400,
    },
    { what: "another coding", sent: `${head(project, ["Transfer-Encoding: gzip, chunked"])}0\r\n\r\n`, status: 501 },
    {
      what: "a body over the limit",
      sent: `${head(project, [json, "Content-Length: 5000000"])}${" ".repeat(5e6)}`,
      status: 413,
    },
    {
      what: "chunks over the limit",
      sent: head(project, [json, "Transfer-Encoding: chunked"]) + chunkedBody,
      status: 413,
    },
  ])("$what", async ({ sent, status }) => {
    const answer = await sendRaw(served.server.port, [Buffer.concat([Buffer.from(sent, "latin1"), ...behind])]);
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/^connection: close$/im);
    // Waits for the answer to another request: until then, a started request would have reached its handler.
    await sendRaw(served.server.port, get("/en/api/core/v2/project/1"));
    expect(served.calls.map(([name]) => name)).not.toContain("core.project.create");
  });
});

test.each([
  { what: "too long", line: project, lines: [json, "Content-Length: 5000000"], status: 413 },
  { what: "compressed", line: project, lines: [json, "Content-Encoding: gzip", "Content-Length: 9"], status: 415 },
  { what: "for nobody", line: "POST /en/api/nothing", lines: ["Content-Length: 9"], status: 404 },
])("no 100 Continue is sent for a body that is $what", async ({ line, lines, status }) => {
  const answer = await sendRaw(served.server.port, head(line, [...lines, "Expect: 100-continue"]));
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain("100 Continue");
});
