import { describe, expect, test } from "vitest";
import { SoapFault } from "../../src/index.js";
import { type ServerRequest, standardConventions } from "../../src/server/index.js";
import {
  bodyOf,
  envelopes,
  findBody,
  gist,
  type Handlers,
  headerOf,
  message,
  posted,
  served,
  type Version,
} from "./fixture.js";

const versions: readonly Version[] = ["soap11", "soap12"];
const text11: [string, string] = ["Content-Type", "text/xml; charset=utf-8"];

function answered(request: Partial<ServerRequest>, handlers: Partial<Handlers> = {}) {
  const fixture = served(handlers, {}, standardConventions);
  return { ...fixture, answer: fixture.send(request) };
}

const mediaTypeReason =
  "The server reads SOAP 1.1 with the Content-Type text/xml, and SOAP 1.2 with application/soap+xml.";

/** SOAP 1.1 §6.2: every fault has status 500. SOAP 1.2 Part 2 §7.5.2.2: a Sender fault has 400. */
const clientFault: Readonly<Record<Version, string>> = {
  soap11: "500 soap:Client +detail",
  soap12: "400 soap:Sender +detail",
};

describe("a SOAP server with the default conventions", () => {
  test.each([
    { what: "a text outside its type", body: findBody.replace(">1<", ">one<") },
    { what: "an element inside a value", body: findBody.replace(">k<", "><b/><") },
    { what: "a body that no operation has", body: "<Nope/>" },
    { what: "a document that is not well-formed", body: findBody.replace("</Key>", "</key>") },
  ])("answers a fault of the client for $what", async ({ body }) => {
    for (const version of versions) {
      const { answer, calls } = answered(message(version, body));
      expect(gist(await answer)).toBe(clientFault[version]);
      expect(calls).toEqual([]);
    }
  });

  test.each(["", "hello", "<!DOCTYPE x><x/>"])("answers a fault of the client for %j", async (text) => {
    for (const version of versions) {
      expect(gist(await answered(posted(version, text)).answer)).toBe(clientFault[version]);
    }
  });

  test("answers a fault of the server, or of a header block that must be understood, with 500", async () => {
    const find = () => Promise.reject(new Error("secret"));
    expect(gist(await answered(message("soap12", findBody), { find }).answer)).toBe("500 soap:Receiver +detail");
    const header = '<h xmlns="urn:h" soap:mustUnderstand="1"/>';
    expect(gist(await answered(message("soap12", findBody, { header })).answer)).toBe("500 soap:MustUnderstand");
  });

  test("answers a fault of the client that the handler throws by the version's status", async () => {
    const find = () => {
      throw new SoapFault({ code: "Client", reason: "no" });
    };
    expect((await answered(message("soap11", findBody), { find }).answer).status).toBe(500);
    expect((await answered(message("soap12", findBody), { find }).answer).status).toBe(400);
  });

  test.each([
    { what: "a comment", value: "a<!-- c -->b" },
    { what: "an instruction", value: "a<?p x?>b" },
    { what: "a comment and a CDATA section", value: "<![CDATA[a]]><!-- c -->b" },
  ])("joins the text around $what inside a value", async ({ value }) => {
    for (const version of versions) {
      const { answer, calls } = answered(message(version, findBody.replace(">k<", `>${value}<`)));
      expect(gist(await answer)).toBe("200 FindResponse");
      expect(calls[0]?.input).toMatchObject({ Key: "ab" });
    }
  });

  test("reads text/xml as SOAP 1.1, whether it has a SOAPAction or not", async () => {
    const { answer } = answered(message("soap11", findBody, { headers: [text11] }));
    expect(gist(await answer)).toBe("200 FindResponse");
    expect(gist(await answered(posted("soap11", "hello", [text11])).answer)).toBe(clientFault.soap11);
  });

  test.each([
    { version: "soap11", actor: "http://schemas.xmlsoap.org/soap/actor/next", want: "500 soap:MustUnderstand" },
    { version: "soap11", actor: "urn:other", want: "200 FindResponse" },
    { version: "soap12", actor: `${envelopes.soap12}/role/next`, want: "500 soap:MustUnderstand" },
    { version: "soap12", actor: `${envelopes.soap12}/role/ultimateReceiver`, want: "500 soap:MustUnderstand" },
    { version: "soap12", actor: `${envelopes.soap12}/role/none`, want: "200 FindResponse" },
  ] as const)("must understand header blocks for $actor: $want", async ({ version, actor, want }) => {
    const name = version === "soap11" ? "actor" : "role";
    const header = `<h xmlns="urn:h" soap:mustUnderstand="1" soap:${name}="${actor}"/>`;
    expect(gist(await answered(message(version, findBody, { header })).answer)).toBe(want);
  });

  test.each([
    { headers: [["Content-Type", "text/plain"]], want: mediaTypeReason },
    { headers: [["Content-Type", "application/json"]], want: mediaTypeReason },
    { headers: [], want: mediaTypeReason },
    {
      headers: [["Content-Type", "text/xml; charset=utf-7"]],
      want: "The server does not read this charset. Send utf-8.",
    },
    {
      headers: [
        ["Content-Type", "text/xml"],
        ["Content-Encoding", "br"],
      ],
      want: "The server does not read this Content-Encoding.",
    },
  ] as { headers: [string, string][]; want: string }[])(
    "refuses the headers $headers with a fault that explains them",
    async ({ headers, want }) => {
      const { answer, calls } = answered(message("soap11", findBody, { headers }));
      expect((await answer).status).toBe(415);
      expect(bodyOf(await answer)).toContain(`<faultstring>${want}</faultstring>`);
      expect(calls).toEqual([]);
    },
  );

  test.each([
    { what: "bytes that are not UTF-8", type: "text/xml; charset=utf-8", want: clientFault.soap11 },
    { what: "an unknown charset", type: "text/xml; charset=nope", want: "415 soap:Client +detail" },
    { what: "another media type", type: "text/plain", want: "415 soap:Client +detail" },
  ])("refuses $what", async ({ type, want }) => {
    const request = posted("soap11", "", [["Content-Type", type]]);
    const text = `<s:Envelope xmlns:s="${envelopes.soap11}"><s:Body>${findBody.replace(">k<", ">\u00e9<")}</s:Body></s:Envelope>`;
    const { answer, calls } = answered({ ...request, body: Buffer.from(text, "latin1") });
    expect(gist(await answer)).toBe(want);
    expect(calls).toEqual([]);
  });

  const supported = "Supported: UTF-8, UTF-16, ISO-8859-1, windows-1252 and US-ASCII.";
  test.each([
    ...["iso-8859-15", "windows-1250", "koi8-r", "shift_jis", "gb18030", "big5", "euc-kr", "macintosh", "hz-gb-2312"],
    ...["utf-7", "utf-32", "ebcdic-cp-us", "x"],
  ])("refuses the encoding %s by its name", async (encoding) => {
    const type = (name: string): [string, string] => ["Content-Type", name];
    for (const version of versions) {
      const mediaType = version === "soap11" ? "text/xml" : "application/soap+xml";
      const body = `<s:Envelope xmlns:s="${envelopes[version]}"><s:Body>${findBody}</s:Body></s:Envelope>`;
      const declaration = `<?xml version="1.0" encoding="${encoding}"?>`;
      const named = [
        {
          place: "charset of the Content-Type",
          request: posted(version, body, [type(`${mediaType}; charset=${encoding}`)]),
        },
        { place: "encoding in the XML declaration", request: posted(version, declaration + body, [type(mediaType)]) },
      ];
      for (const { place, request } of named) {
        const { answer, calls, incidents } = answered(request);
        expect((await answer).status).toBe(415);
        const reason = `The ${place} is not supported. ${supported}`;
        expect(incidents).toMatchObject([
          { kind: "request", protocol: version, message: `${reason} The request names ${encoding}.` },
        ]);
        expect(calls).toEqual([]);
      }
    }
  });

  test("does not log the name of an encoding that cannot be one", async () => {
    const declaration = `<?xml version="1.0" encoding="a b\n${"c".repeat(50)}"?>`;
    const { answer, incidents } = answered(posted("soap11", `${declaration}<a/>`, [["Content-Type", "text/xml"]]));
    expect((await answer).status).toBe(415);
    expect(incidents).toMatchObject([
      { message: `The encoding in the XML declaration is not supported. ${supported}` },
    ]);
  });

  test("answers a message over its limit with 413 and a fault", async () => {
    const { send } = served({}, { limits: { bodyBytes: 10 } }, standardConventions);
    const answer = await send(message("soap12", findBody));
    expect(gist(answer)).toBe("413 soap:Sender +detail");
    expect(answer.close).toBe(true);
  });
});

describe("HTTP GET and POST with the default conventions", () => {
  const form: [string, string] = ["Content-Type", "application/x-www-form-urlencoded"];
  const get = (rest: string) => ({ method: "GET", target: `/api/things.asmx${rest}` });
  test.each([
    { request: get("/Find?Key=k&username=u"), want: "400 The parameter Count is missing." },
    { request: get("/Find?Key=k&Count=one&username=u"), want: "400 A parameter does not fit its type." },
    { request: get("/Find?Key=A&Key=B&Count=1&username=u"), want: "400 A parameter does not fit its type." },
    { request: get("/find?Key=k"), want: "404 The service has no operation at this address." },
    { request: get("/Nope"), want: "404 The service has no operation at this address." },
    {
      request: { ...get("/Find"), method: "POST" },
      want: "415 The media type of the request is not supported. Send application/x-www-form-urlencoded.",
    },
    {
      request: { ...get("/Find"), method: "POST", headers: [form], body: new TextEncoder().encode("Key=k") },
      want: "400 The parameter Count is missing.",
    },
  ])("answer $request.method $request.target with $want", async ({ request, want }) => {
    const { answer, calls } = answered(request);
    expect(gist(await answer)).toBe(want);
    expect(calls).toEqual([]);
  });

  test.each(["PUT", "HEAD"])("do not allow %s", async (method) => {
    expect((await answered({ ...get("/Find"), method }).answer).status).toBe(405);
  });

  test("write the reason of a fault as it is, with 400 for a fault of the client", async () => {
    const find = () => {
      throw new SoapFault({ code: "Client", reason: `it's <b> & "é"` });
    };
    const { answer } = answered(get("/Find?Key=k&Count=1&username=u"), { find });
    expect(gist(await answer)).toBe(`400 it's <b> & "é"`);
    expect(headerOf(await answer, "content-type")).toBe("text/plain; charset=utf-8");
    expect(headerOf(await answer, "x-content-type-options")).toBe("nosniff");
  });

  test("show the HTML page for ?schema", async () => {
    const answer = await answered(get("?schema")).answer;
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toContain("Things");
  });
});

test.each(["%00", "a%01b", "%EF%BF%BF"])(
  "a parameter that XML cannot contain, %s, is refused by default, not in ASMX",
  async (text) => {
    const get = {
      method: "GET",
      target: `/api/things.asmx/Find?Key=${text}&Count=1&username=u`,
      headers: [["Host", "h"]],
    } as const;
    const { answer, calls, incidents } = answered(get);
    expect((await answer).status).toBe(400);
    expect(calls).toEqual([]);
    expect(incidents).toMatchObject([
      { kind: "request", path: "/Key", message: expect.stringContaining("XML does not allow") },
    ]);
    const asmx = served({ find: () => null });
    expect((await asmx.send(get)).status).toBe(200);
    expect(asmx.calls).toHaveLength(1);
  },
);

test("a parameter may contain tabs, line breaks and characters above U+FFFF", async () => {
  const target = "/api/things.asmx/Find?Key=%09%0A%0D%F0%9F%98%80&Count=1&username=u";
  const { answer, calls } = answered({ method: "GET", target, headers: [["Host", "h"]] });
  expect((await answer).status).toBe(200);
  expect(calls).toHaveLength(1);
});
