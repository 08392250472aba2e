import { describe, expect, test } from "vitest";
import { ServiceClient } from "../../src/client/index.js";
import { DecodeError, HttpStatusError, ProtocolError, SoapFault } from "../../src/index.js";
import { lineLogger } from "../../src/observe/index.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, find, found, item, lookup, MissingFault, ns, settings } from "./lookup.js";

const input = { Key: "A<1>", Count: 2, user: "u" };
const xml = "text/xml; charset=utf-8";

const fault11 = (code: string, detail = ""): string =>
  `<s:Fault><faultcode>${code}</faultcode><faultstring xml:lang="en">no <![CDATA[<x>]]></faultstring><faultactor>urn:a</faultactor>${detail}</s:Fault>`;

async function answering(status: number, contentType: string | undefined, body: string) {
  const server = await localServer(always(status, contentType, body));
  return { server, client: new ServiceClient(lookup, { baseUrl: server.url }, settings) };
}

describe("answers that the schema does not allow", () => {
  test.each([
    { name: "another operation's answer", body: `<PingResponse xmlns="${ns}"/>`, path: "/Envelope/Body/PingResponse" },
    { name: "another namespace", body: `<FindResponse xmlns="${ns}/"/>`, path: "/Envelope/Body/FindResponse" },
    { name: "an empty body", body: "", path: "/Envelope/Body" },
    {
      name: "a bad int",
      body: found("<Name>a</Name><Size>3.5</Size><Note/>"),
      path: "/Envelope/Body/FindResponse/FindResult/Size",
    },
    {
      name: "an empty int",
      body: found("<Name>a</Name><Size/><Note/>"),
      path: "/Envelope/Body/FindResponse/FindResult/Size",
    },
    {
      name: "an impossible date",
      body: found("<Name>a</Name><Size>1</Size><Until>2026-02-30T00:00:00</Until><Note/>"),
      path: "/Envelope/Body/FindResponse/FindResult/Until",
    },
    {
      name: "a boolean True",
      body: found("<Name>a</Name><Size>1</Size><Sold>True</Sold><Note/>"),
      path: "/Envelope/Body/FindResponse/FindResult/Sold",
    },
    {
      name: "a missing element",
      body: found("<Size>1</Size><Note/>"),
      path: "/Envelope/Body/FindResponse/FindResult/Name",
    },
    {
      name: "two of a single element",
      body: found("<Name>a</Name><Size>1</Size><Name>b</Name><Note/>"),
      path: "/Envelope/Body/FindResponse/FindResult/Name",
    },
    {
      name: "two results",
      body: found().replace(/<FindResult>.*<\/FindResult>/, "$&$&"),
      path: "/Envelope/Body/FindResponse/FindResult",
    },
    { name: "two answers", body: found() + found(), path: "/Envelope/Body/FindResponse" },
  ])("$name causes a DecodeError with the path $path", async ({ body, path }) => {
    const { client, server } = await answering(200, xml, envelope(body));
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ path, operation: "Find", address: `${server.url}/api/lookup.asmx` });
    expect((error as DecodeError).value?.length ?? 0).toBeLessThanOrEqual(64);
  });

  test.each([
    { name: "not well-formed", body: "<a><b></a>" },
    { name: "a DTD", body: `<!DOCTYPE a [<!ENTITY b "c">]>${envelope(found()).slice(21)}` },
    { name: "no envelope", body: "<a/>" },
    { name: "text after the envelope", body: `${envelope(found())}x` },
    { name: "malformed bytes", body: Buffer.from([0x3c, 0x61, 0xff, 0x3e]) },
  ])("an answer with $name causes a DecodeError", async ({ body }) => {
    const server = await localServer(always(200, xml, body));
    const client = new ServiceClient(lookup, { baseUrl: server.url });
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(DecodeError);
  });

  test("unknown elements are refused on request", async () => {
    const { server } = await answering(200, xml, envelope(found("<New/><Name>a</Name><Size>1</Size><Note/>")));
    const strict = new ServiceClient(lookup, { baseUrl: server.url, unknown: "error" });
    expect(await failureOf(strict.call(find, input))).toMatchObject({
      path: "/Envelope/Body/FindResponse/FindResult/New",
    });
  });
});

describe("faults", () => {
  const fault12 = `<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:q="urn:q">q:Bad</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang="de">nein</s:Text><s:Text xml:lang="en">no</s:Text></s:Reason><s:Node>urn:n</s:Node><s:Role>urn:r</s:Role><s:Detail><x xmlns="u">1</x></s:Detail></s:Fault>`;

  test.each([200, 400, 500, 503])("a fault of 1.1 with status %d", async (status) => {
    const { client } = await answering(status, xml, envelope(fault11("s:Client")));
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(SoapFault);
    expect(error).toMatchObject({
      code: "Client",
      reason: "no <x>",
      actor: "urn:a",
      status,
      operation: "Find",
    });
  });

  test("a fault of 1.2 has subcodes and the English reason, whatever the request was", async () => {
    const { client } = await answering(500, "application/soap+xml", envelope(fault12, "soap12"));
    for (const protocol of ["soap11", "soap12"] as const) {
      expect(await failureOf(client.call(find, input, { protocol }))).toMatchObject({
        code: "Client",
        wireCode: "{http://www.w3.org/2003/05/soap-envelope}Sender",
        subcodes: ["{urn:q}Bad"],
        reason: "no",
        actor: "urn:n",
        role: "urn:r",
        detail: [{ name: "{u}x", content: ["1"] }],
      });
    }
  });

  test("a declared detail makes the declared error", async () => {
    const detail = `<detail><m:Missing xmlns:m="${ns}"><m:Reason>gone</m:Reason></m:Missing></detail>`;
    const { client } = await answering(500, xml, envelope(fault11("s:Server", detail)));
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(MissingFault);
    expect(error).toMatchObject({ name: "MissingFault", detail: { Reason: "gone" } });
  });

  test("a declared detail that does not match the schema is still a fault", async () => {
    const detail = `<detail><m:Missing xmlns:m="${ns}"><m:Else><m:x/></m:Else></m:Missing><y/></detail>`;
    const { client } = await answering(500, xml, envelope(fault11("s:Server", detail)));
    expect(await failureOf(client.call(find, input))).toMatchObject({
      name: "SoapFault",
      code: "Server",
      reason: "no <x>",
    });
  });

  test("a fault without a code is read as a fault", async () => {
    const { client } = await answering(500, xml, envelope("<s:Fault><faultstring>?</faultstring></s:Fault>"));
    expect(await failureOf(client.call(find, input))).toMatchObject({ name: "SoapFault", code: "Server", reason: "?" });
  });

  test("a detail of a megabyte is read", async () => {
    const { client } = await answering(
      500,
      xml,
      envelope(fault11("s:Server", `<detail><x>${"y".repeat(1_000_000)}</x></detail>`)),
    );
    expect(await failureOf(client.call(find, input))).toBeInstanceOf(SoapFault);
  });
});

describe("an answer that is not SOAP", () => {
  test.each([
    { status: 200, contentType: "text/html", body: "<html>login</html>", want: ProtocolError },
    { status: 200, contentType: undefined, body: "x", want: ProtocolError },
    { status: 200, contentType: xml, body: "", want: ProtocolError },
    { status: 204, contentType: undefined, body: "", want: ProtocolError },
    { status: 200, contentType: "multipart/related; type=text/xml", body: "--x", want: ProtocolError },
    { status: 500, contentType: "text/html", body: "<html>oops</html>", want: HttpStatusError },
    { status: 404, contentType: "application/json", body: "{}", want: HttpStatusError },
    { status: 500, contentType: xml, body: "<a", want: HttpStatusError },
    { status: 500, contentType: xml, body: envelope(found()), want: HttpStatusError },
    { status: 400, contentType: xml, body: "", want: HttpStatusError },
  ])(
    "with status $status, type $contentType and body $body causes an error",
    async ({ status, contentType, body, want }) => {
      const { client } = await answering(status, contentType, body);
      const error = await failureOf(client.call(find, input));
      expect(error).toBeInstanceOf(want);
      expect(error).toMatchObject({ status, body, operation: "Find" });
    },
  );

  test("an error keeps 64 KiB of the body, and no cookies", async () => {
    const server = await localServer(
      always(500, "text/html", "x".repeat(100_000), { "Set-Cookie": "id=1", "X-A": "b" }),
    );
    const client = new ServiceClient(lookup, { baseUrl: server.url });
    const error = (await failureOf(client.call(find, input))) as HttpStatusError;
    expect(error.body).toHaveLength(65_536);
    expect([...error.headers.keys()]).not.toContain("set-cookie");
    expect(error.headers.get("x-a")).toBe("b");
  });
});

describe("an answer with attachments that the WSDL does not declare", () => {
  const related = `multipart/related; type="text/xml"; boundary=b`;
  const packaged = (message: string, type = xml) =>
    `--b\r\nContent-Type: ${type}\r\n\r\n${message}\r\n--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--`;

  test("is read without them", async () => {
    const { client } = await answering(200, related, packaged(envelope(found())));
    expect(await client.call(find, input)).toEqual(item);
  });

  test("can be a fault", async () => {
    const { client } = await answering(500, related, packaged(envelope(fault11("s:Server"))));
    expect(await failureOf(client.call(find, input))).toMatchObject({ name: "SoapFault", reason: "no <x>" });
  });

  test.each([
    { name: "cut off", status: 200, body: "--b\r\n", want: ProtocolError, message: "not complete" },
    {
      name: "in XOP",
      status: 200,
      body: packaged(envelope(found()), "application/xop+xml"),
      want: ProtocolError,
      message: "XOP",
    },
    { name: "cut off with an error status", status: 502, body: "--b\r\n", want: HttpStatusError, message: "502" },
  ])("is refused if it is $name", async ({ status, body, want, message }) => {
    const { client } = await answering(status, related, body);
    const error = await failureOf(client.call(find, input));
    expect(error).toBeInstanceOf(want);
    expect(error).toMatchObject({ message: expect.stringContaining(message), status, operation: "Find" });
  });
});

describe("a fault that exceeds a limit", () => {
  const many = "<x/>".repeat(200);
  const fault12 = `<s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">no <![CDATA[<x>]]></s:Text></s:Reason><s:Detail>${many}</s:Detail></s:Fault>`;
  const advice = (limit: string) =>
    `A part of the answer was not read, because it exceeds a limit: to read it, increase the option "limits.${limit}".`;

  async function failed(status: number, body: string, limits: object, protocol: "soap11" | "soap12" = "soap11") {
    const server = await localServer(always(status, protocol === "soap11" ? xml : "application/soap+xml", body));
    const lines: string[] = [];
    const { onError } = lineLogger({ format: "text", write: (line) => void lines.push(line) });
    const client = new ServiceClient(lookup, { baseUrl: server.url, protocol, limits, onError }, settings);
    const error = await failureOf(client.call(find, input));
    return { error, line: lines.join("") };
  }

  test.each([
    ["nodes", { nodes: 50 }, many],
    ["children", { children: 50 }, many],
    ["depth", { depth: 6 }, "<x><x><x/></x></x>"],
    ["textChars", { textChars: 60 }, `<x>${"a".repeat(100)}</x>`],
    ["nodes", { nodes: 50 }, `<Missing xmlns="${ns}">${many}</Missing>`],
  ])(
    "in its detail is a SoapFault without its detail, and the log names the limit %s",
    async (name, limits, detail) => {
      for (const status of [500, 200]) {
        const body = envelope(fault11("s:Server", `<detail>${detail}</detail>`));
        const { error, line } = await failed(status, body, limits);
        expect(error).toBeInstanceOf(SoapFault);
        expect(error).toMatchObject({
          code: "Server",
          reason: "no <x>",
          detail: undefined,
          status,
          cause: { limit: { name } },
        });
        expect(line).toContain(`The server answered with a Server fault. ${advice(name)}`);
      }
    },
  );

  test("in the detail of SOAP 1.2 is a SoapFault too", async () => {
    const { error, line } = await failed(500, envelope(fault12, "soap12"), { nodes: 50 }, "soap12");
    expect(error).toMatchObject({ name: "SoapFault", code: "Server", reason: "no <x>", detail: undefined });
    expect(line).toContain(advice("nodes"));
  });

  test.each([
    ["before its code", envelope(`<s:Fault><x>${many}</x><faultcode>s:Server</faultcode></s:Fault>`)],
    ["in the header", envelope(fault11("s:Server"), "soap11", `<s:Header>${many}</s:Header>`)],
  ])("%s is an error about the status, and the log names the limit", async (_, body) => {
    const { error, line } = await failed(500, body, { nodes: 50 });
    expect(error).toBeInstanceOf(HttpStatusError);
    expect(line).toContain(`The server answered with status 500. ${advice("nodes")}`);
  });

  test("is not reported for a message that is not well-formed", async () => {
    const { error, line } = await failed(500, "<x>", { nodes: 50 });
    expect(error).toBeInstanceOf(HttpStatusError);
    expect(line).not.toContain("limit");
  });
});
