import { describe, expect, test } from "vitest";
import { envelopes, findBody, message, namespace, posted, served } from "./fixture.js";

const secret = "s3cret";

async function reported(request: Parameters<ReturnType<typeof served>["send"]>[0]) {
  const { send, incidents, calls } = served();
  await send(request);
  expect(calls).toEqual([]);
  expect(JSON.stringify(incidents)).not.toContain(secret);
  expect(incidents.map(({ error }) => error)).toEqual(incidents.map(() => undefined));
  return incidents;
}

describe("a message that does not fit the schema is reported", () => {
  const find = (members: string) => `<Find xmlns="${namespace}">${members}</Find>`;
  test.each([
    {
      what: "a text outside its type",
      body: findBody.replace("<Count>1", `<Count>${secret}`),
      path: "/Find/Count",
      message: "The text is not a valid xs:int.",
    },
    {
      what: "a missing member",
      body: find(`<Key>${secret}</Key><username>u</username>`),
      path: "/Find/Count",
      message: "The element is required.",
    },
    {
      what: "an element inside a text",
      body: findBody.replace("k</Key>", `<${secret.slice(0, 2)}/></Key>`),
      path: "/Find/Key",
    },
  ])("for $what, with its place and without its value", async ({ body, path, message: reason }) => {
    for (const version of ["soap11", "soap12"] as const) {
      const [incident, ...others] = await reported(message(version, body));
      expect(others).toEqual([]);
      expect(incident).toMatchObject({ kind: "request", operation: "Find", protocol: version, path });
      if (reason !== undefined) {
        expect(incident?.message).toBe(reason);
      }
    }
  });

  test("for an empty body", async () => {
    const headers: [string, string][] = [["Content-Type", "application/soap+xml"]];
    const incidents = await reported(message("soap12", "", { headers }));
    expect(incidents).toMatchObject([{ kind: "request", protocol: "soap12" }]);
  });

  test.each([
    { what: "a charset", line: ["Content-Type", "text/xml; charset=utf-7"], reason: /charset/ },
    { what: "a compressed body", line: ["Content-Encoding", "gzip"], reason: /compressedRequests/ },
  ] as const)("for $what that the server does not accept", async ({ line, reason }) => {
    const { headers = [], ...request } = message("soap11", findBody);
    const others = headers.filter(([name]) => name !== line[0]);
    const incidents = await reported({ ...request, headers: [...others, line] });
    expect(incidents).toMatchObject([{ kind: "request", protocol: "soap11", message: expect.stringMatching(reason) }]);
  });

  test("for a body that no operation has", async () => {
    const incidents = await reported(message("soap12", `<${secret.slice(0, 1)}/>`));
    expect(incidents).toMatchObject([{ kind: "request", protocol: "soap12" }]);
    expect(incidents[0]?.operation).toBeUndefined();
  });

  test("for a comment inside a value", async () => {
    const incidents = await reported(message("soap11", findBody.replace("k<", `${secret}<!-- x -->k<`)));
    expect(incidents).toMatchObject([{ kind: "request", operation: "Find", protocol: "soap11" }]);
  });

  test.each([
    { what: "an unclosed envelope", text: `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>` },
    { what: "no XML", text: secret },
  ])("for $what", async ({ text }) => {
    const incidents = await reported(posted("soap11", text));
    expect(incidents).toMatchObject([{ kind: "request", protocol: "soap11" }]);
    expect(incidents[0]?.message).toMatch(/^The message is not well-formed \(line 1, column \d+\)\.$/);
  });
});

describe("parameters that do not fit the schema are reported", () => {
  const form = (text: string) => ({
    target: "/api/things.asmx/Find",
    headers: [["Content-Type", "application/x-www-form-urlencoded"]] as [string, string][],
    body: new TextEncoder().encode(text),
  });
  test.each([
    { what: "missing", text: `Key=${secret}&username=u`, path: "Count", message: "The parameter is missing." },
    {
      what: "outside its type",
      text: `Key=k&Count=${secret}&username=u`,
      path: "Count",
      message: "The text is not a valid xs:int.",
    },
  ])("when one is $what", async ({ text, path, message: reason }) => {
    const expected = { kind: "request", operation: "Find", path, message: reason };
    expect(await reported(form(text))).toMatchObject([{ ...expected, protocol: "httpPost" }]);
    const get = { method: "GET", target: `/api/things.asmx/Find?${text}` };
    expect(await reported(get)).toMatchObject([{ ...expected, protocol: "httpGet" }]);
  });

  test("when they are compressed, with the option that allows it", async () => {
    const { headers, ...request } = form(`Key=${secret}`);
    const compressed: [string, string] = ["Content-Encoding", "br"];
    const message = "The body is compressed. The option compressedRequests allows gzip and deflate.";
    expect(await reported({ ...request, headers: [...headers, compressed] })).toMatchObject([{ message }]);
  });
});
