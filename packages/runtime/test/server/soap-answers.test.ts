import { describe, expect, test } from "vitest";
import { SoapFault } from "../../src/index.js";
import { callHandler } from "../../src/server/calls/call-handler.js";
import { LimitError } from "../../src/server-limits.js";
import { bodyOf, findBody, gist, headerOf, LimitFault, message, namespace, served, type Version } from "./fixture.js";

const contentType = { soap11: "text/xml; charset=utf-8", soap12: "application/soap+xml; charset=utf-8" };
const versions: readonly Version[] = ["soap11", "soap12"];

describe.each(versions)("an operation over %s", (version) => {
  test("answers its result on one line", async () => {
    const { send, calls } = served();
    const answer = await send(message(version, findBody));
    expect(answer.status).toBe(200);
    expect(headerOf(answer, "content-type")).toBe(contentType[version]);
    expect(headerOf(answer, "cache-control")).toBe("private, max-age=0");
    expect(bodyOf(answer)).toContain(
      `<soap:Body><FindResponse xmlns="${namespace}"><FindResult><Name>a &amp; b</Name>` +
        '<Pair><Code xsi:nil="true" /><Text /></Pair></FindResult></FindResponse></soap:Body></soap:Envelope>',
    );
    expect(calls[0]?.input).toEqual({ Key: "k", Count: 1, username: "u" });
  });

  test("omits a null result", async () => {
    const answer = await served({ find: () => null }).send(message(version, findBody));
    expect(bodyOf(answer)).toContain(`<soap:Body><FindResponse xmlns="${namespace}" /></soap:Body>`);
  });

  test("passes the origin of the call to its handler", async () => {
    const { send, calls } = served();
    await send({ ...message(version, findBody), remoteAddress: "10.0.0.1" });
    expect(calls[0]?.context).toMatchObject({
      operation: "Find",
      protocol: version,
      method: "POST",
      ambient: { username: "u" },
      address: "http://127.0.0.1:8080/api/things.asmx",
      remoteAddress: "10.0.0.1",
    });
    expect(calls[0]?.context.headers.get("host")).toBe("127.0.0.1:8080");
  });

  test("answers nothing when it is one-way", async () => {
    const { send, calls, incidents } = served();
    const body = `<Notify xmlns="${namespace}"><Text>t</Text></Notify>`;
    const headers: [string, string][] = [["Content-Type", contentType[version]]];
    expect(gist(await send(message(version, body, { headers })))).toBe("202 empty");
    expect(calls[0]?.input).toEqual({ Text: "t" });
    expect(incidents).toEqual([]);
  });

  test("answers only a status when it is one-way and fails", async () => {
    const notify = () => {
      throw new SoapFault({ reason: "no" });
    };
    const body = `<Notify xmlns="${namespace}"><Text>t</Text></Notify>`;
    const headers: [string, string][] = [["Content-Type", contentType[version]]];
    expect(gist(await served({ notify }).send(message(version, body, { headers })))).toBe("500 empty");
  });

  test("reads its header blocks", async () => {
    const { send, calls } = served();
    const body = `<Notify xmlns="${namespace}"><Text>t</Text></Notify>`;
    const header = `<Session xmlns="${namespace}" soap:mustUnderstand="1">s1</Session>`;
    const headers: [string, string][] = [["Content-Type", contentType[version]]];
    expect(gist(await send(message(version, body, { header, headers })))).toBe("202 empty");
    expect(calls[0]?.context.soapHeaders).toEqual({ Session: "s1" });
  });

  test("reads and writes parts side by side, with header blocks in the answer", async () => {
    const ping = (input: { Number: number }, context: { sendSoapHeaders(blocks: object): void }) => {
      context.sendSoapHeaders({ Session: "s2", other: 1 });
      return { Number: input.Number + 1 };
    };
    const { send } = served({ ping });
    const headers: [string, string][] = [["Content-Type", contentType[version]]];
    const answer = await send(message(version, `<Number xmlns="${namespace}">6</Number>`, { headers }));
    expect(bodyOf(answer)).toContain(`<soap:Header><Session xmlns="${namespace}">s2</Session></soap:Header>`);
    expect(bodyOf(answer)).toContain(`<soap:Body><Number xmlns="${namespace}">7</Number></soap:Body>`);
  });
});

describe.each([
  { version: "soap11", client: "soap:Client", server: "soap:Server" },
  { version: "soap12", client: "soap:Sender", server: "soap:Receiver" },
] as const)("a handler that fails over $version", ({ version, client, server }) => {
  test("can throw a SoapFault", async () => {
    const find = () => {
      throw new SoapFault({ code: "Client", reason: "bad <key>", actor: "urn:actor" });
    };
    const { send, incidents } = served({ find });
    const answer = await send(message(version, findBody));
    expect(gist(answer)).toBe(`500 ${client} +detail`);
    expect(bodyOf(answer)).toContain(">bad &lt;key&gt;<");
    expect(bodyOf(answer)).toContain(">urn:actor<");
    expect(headerOf(answer, "cache-control")).toBe("private, max-age=0");
    expect(incidents).toEqual([]);
  });

  test("can throw a declared fault, whose detail is its element", async () => {
    const find = () => {
      throw new LimitFault({ code: "Client", reason: "spent", detail: { Left: 0 } });
    };
    const answer = await served({ find }).send(message(version, findBody));
    expect(bodyOf(answer)).toMatch(
      /<(soap:D|d)etail><Limit xmlns="http:\/\/things.example\/ns"><Left>0<\/Left><\/Limit><\/\1etail>/,
    );
  });

  test("can throw a fault whose detail is elements and text", async () => {
    const find = () => {
      throw new SoapFault({ reason: "r", detail: [{ name: "{urn:f}code", content: ["4<2"] }] });
    };
    const answer = await served({ find }).send(message(version, findBody));
    expect(gist(answer)).toBe(`500 ${server} +detail`);
    expect(bodyOf(answer)).toContain('<code xmlns="urn:f">4&lt;2</code>');
  });

  test("is answered by a constant text if its detail cannot be written", async () => {
    const find = () => {
      throw new LimitFault({ reason: "secret reason", detail: { Left: Number.NaN } });
    };
    const { send, incidents } = served({ find });
    const answer = await send(message(version, findBody));
    expect(gist(answer)).toBe(`500 ${server} +detail`);
    expect(bodyOf(answer)).not.toContain("secret");
    expect(incidents).toMatchObject([{ kind: "encode", operation: "Find", protocol: version }]);
  });

  test.each([
    { thrown: new Error("secret boom") },
    { thrown: "secret" },
    { thrown: null },
    { thrown: undefined },
    { thrown: { reason: "secret" } },
  ])("answers without details of $thrown, and reports them to the hook", async ({ thrown }) => {
    for (const find of [throwing(thrown), () => Promise.reject(thrown)]) {
      const { send, incidents } = served({ find });
      const answer = await send(message(version, findBody));
      expect(gist(answer)).toBe(`500 ${server} +detail`);
      expect(bodyOf(answer)).not.toContain("secret");
      expect(incidents).toMatchObject([{ kind: "handler", error: thrown, operation: "Find" }]);
    }
  });

  test.each([
    { what: "undefined", value: undefined },
    { what: "a string", value: "x" },
    { what: "a number for a text", value: { Name: 5 } },
    { what: "an array", value: [{}] },
    { what: "a required nillable member as a number", value: { Pair: { Code: 1, Text: null } } },
    { what: "NUL in a text", value: { Name: "a\0b" } },
    { what: "a lone surrogate", value: { Name: "\uD800" } },
    { what: "a cycle", value: cyclic() },
  ])("that returns $what is answered with a Server fault, never with invalid XML", async ({ value }) => {
    const { send, incidents } = served({ find: () => value });
    expect(gist(await send(message(version, findBody)))).toBe(`500 ${server} +detail`);
    expect(incidents).toMatchObject([{ kind: "encode", operation: "Find" }]);
  });

  test("has its illegal characters replaced on request", async () => {
    const { send } = served({ find: () => ({ Name: "a\0b" }) }, { illegalCharacters: "replace" });
    expect(bodyOf(await send(message(version, findBody)))).toContain("<Name>a\uFFFDb</Name>");
  });

  test("that never answers is answered with a Server fault at the timeout, and its signal is aborted", async () => {
    let signal: AbortSignal | undefined;
    const find = (_: unknown, context: { signal: AbortSignal }) => {
      signal = context.signal;
      return new Promise(() => {});
    };
    const { send, incidents } = served({ find }, { limits: { handlerTimeout: 10 } });
    expect(gist(await send(message(version, findBody)))).toBe(`500 ${server} +detail`);
    expect(signal?.aborted).toBe(true);
    expect(incidents).toMatchObject([
      { kind: "limit.handlerTimeout", limit: { name: "handlerTimeout", value: 10, option: "limits.handlerTimeout" } },
    ]);
  });

  test("is not called if authenticate or authorize never answers, and the incident names the option", async () => {
    for (const option of ["authenticate", "authorize"] as const) {
      const { send, calls, incidents } = served(
        {},
        { [option]: () => new Promise<never>(() => {}), limits: { handlerTimeout: 10 } },
      );
      expect(gist(await send(message(version, findBody)))).toBe(`500 ${server} +detail`);
      expect(calls).toEqual([]);
      const text = expect.stringContaining(`The function in the option "${option}" did not answer within`);
      expect(incidents).toMatchObject([{ kind: "limit.handlerTimeout", message: text, operation: "Find" }]);
    }
  });

  test("is not called with a timeout of zero", async () => {
    const { send, calls } = served({}, { limits: { handlerTimeout: 0 } });
    expect(gist(await send(message(version, findBody)))).toBe(`500 ${server} +detail`);
    expect(calls).toEqual([]);
  });

  test("is not called if the call is not allowed", async () => {
    const { send, calls } = served({}, { authorize: ({ ambient }) => ambient["username"] !== "u" });
    expect(gist(await send(message(version, findBody)))).toBe(`500 ${client} +detail`);
    expect(calls).toEqual([]);
  });
});

test("authorize receives the operation, the protocol, the input, the ambient arguments and the SOAP headers", async () => {
  const calls: unknown[] = [];
  const { send } = served({}, { authorize: (call) => calls.push(call) > 0 });
  await send(message("soap11", findBody));
  expect(calls).toMatchObject([
    {
      operation: "Find",
      protocol: "soap11",
      input: { Key: "k", Count: 1 },
      ambient: { username: "u" },
      soapHeaders: {},
    },
  ]);
});

test("only true allows a call", async () => {
  const authorize = () => JSON.parse('"yes"');
  expect(gist(await served({}, { authorize }).send(message("soap11", findBody)))).toBe("500 soap:Client +detail");
});

test("a handler's signal is aborted when the client disconnects", async () => {
  const client = new AbortController();
  let reason: unknown;
  const find = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        resolve(null);
      });
      client.abort(new Error("gone"));
    });
  await served({ find }).send({ ...message("soap11", findBody), signal: client.signal });
  expect(reason).toMatchObject({ message: "gone" });
});

test("a hook that throws does not change the answer", async () => {
  const find = throwing(new Error("boom"));
  for (const onError of [throwing(new Error("hook")), () => Promise.reject(new Error("late"))]) {
    expect(gist(await served({ find }, { onError }).send(message("soap11", findBody)))).toBe("500 soap:Server +detail");
  }
});

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

function cyclic(): object {
  const pair: Record<string, unknown> = { Text: null };
  pair["Code"] = pair;
  return { Pair: pair };
}

test("a client that disconnects after its call timed out is not reported when the handler ends", async () => {
  const messages: string[] = [];
  let finish = (): void => {};
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const request = { signal: new AbortController().signal, disconnectedAt: undefined as number | undefined };
  const reportLateEnd = ({ message }: { readonly message: string }) => void messages.push(message);
  const limits = { timeout: 5, request, reportLateEnd };
  await expect(callHandler(() => work, limits)).rejects.toBeInstanceOf(LimitError);
  request.disconnectedAt = performance.now();
  finish();
  await work;
  expect(messages).toEqual([]);
});
