import { XmlReader } from "@bothends/xml/reader";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ConfigError } from "../../src/errors.js";
import {
  asmxConventions,
  type ServerAnswer,
  type ServerIncident,
  type ServerRequest,
  soapRoutes,
  standardConventions,
} from "../../src/server/index.js";
import {
  bodyOf,
  envelopes,
  find,
  findBody,
  gist,
  headerOf,
  message,
  namespace,
  notify,
  ping,
  posted,
  requestOf,
  served,
  service,
  settings,
  type Version,
  wsdl,
} from "./fixture.js";

const action = `${namespace}/Find`;
const text11 = "text/xml; charset=utf-8";
const text12 = "application/soap+xml; charset=utf-8";

describe("a SOAPAction", () => {
  test.each([
    { value: undefined, want: "200 FindResponse" },
    { value: `"${action}"`, want: "200 FindResponse" },
    { value: action, want: "200 FindResponse" },
    { value: `  "${action}"  `, want: "200 FindResponse" },
    { value: `"${namespace}%2FFind"`, want: "200 FindResponse" },
    { value: `'${action}'`, want: "500 soap:Client +detail" },
    { value: `"${action}`, want: "500 soap:Client +detail" },
    { value: `""${action}""`, want: "500 soap:Client +detail" },
    { value: `"${action}%"`, want: "500 soap:Client +detail" },
    { value: `"${namespace}//Find"`, want: "500 soap:Client +detail" },
    { value: `"${namespace}/find"`, want: "500 soap:Client +detail" },
    { value: '"Find"', want: "500 soap:Client +detail" },
    { value: `"${namespace}/Notify"`, want: "500 soap:Client +detail" },
    { value: '""', want: "500 soap:Client +detail" },
    { value: `"http://other.example/Find"`, want: "500 soap:Client +detail" },
  ])("of $value", async ({ value, want }) => {
    const headers: [string, string][] = [["Content-Type", text11]];
    if (value !== undefined) {
      headers.push(["SOAPAction", value]);
    }
    const { send, calls } = served();
    expect(gist(await send(message("soap11", findBody, { headers })))).toBe(want);
    expect(calls.length).toBe(want.startsWith("200") ? 1 : 0);
  });

  test("that is sent twice is refused", async () => {
    const headers: [string, string][] = [
      ["Content-Type", text11],
      ["SOAPAction", action],
      ["SOAPAction", action],
    ];
    expect(gist(await served().send(message("soap11", findBody, { headers })))).toBe("500 soap:Client +detail");
  });

  test.each([action, `${namespace}/Notify`, "nonsense", '""'])("%s is ignored in SOAP 1.2", async (value) => {
    const headers: [string, string][] = [
      ["Content-Type", text12],
      ["SOAPAction", value],
    ];
    expect(gist(await served().send(message("soap12", findBody, { headers })))).toBe("200 FindResponse");
  });
});

describe("an action parameter of SOAP 1.2", () => {
  test.each([
    { value: action, want: "200 FindResponse" },
    { value: "urn:unknown", want: "200 FindResponse" },
    { value: "", want: "200 FindResponse" },
    { value: `${namespace}/Notify`, want: "500 soap:Sender +detail" },
  ])("of '$value'", async ({ value, want }) => {
    const { send, calls } = served();
    const headers: [string, string][] = [["Content-Type", `${text12};action="${value}"`]];
    expect(gist(await send(message("soap12", findBody, { headers })))).toBe(want);
    expect(calls.length).toBe(want.startsWith("200") ? 1 : 0);
  });
});

describe.each([
  { version: "soap11", client: "soap:Client" },
  { version: "soap12", client: "soap:Sender" },
] as const)("the body's first element chooses the operation in $version", ({ version, client }) => {
  test.each([
    { what: "another namespace", body: findBody.replace(namespace, `${namespace}/`) },
    { what: "no namespace", body: "<Find><Key>k</Key><Count>1</Count></Find>" },
    { what: "another case", body: findBody.replaceAll("Find", "find") },
    { what: "nothing", body: "" },
    { what: "text alone", body: "Find" },
    { what: "unknown", body: `<Nope xmlns="${namespace}"/>` },
  ])("not where it is $what", async ({ body }) => {
    for (const headers of [
      undefined,
      [["Content-Type", version === "soap11" ? text11 : text12]] as [string, string][],
    ]) {
      const { send, calls } = served();
      expect(gist(await send(message(version, body, headers && { headers })))).toBe(`500 ${client} +detail`);
      expect(calls).toEqual([]);
    }
  });

  test.each([
    { what: "a second child", text: `<s:Body>${findBody}<Notify xmlns="${namespace}"/></s:Body>` },
    { what: "a second Body", text: `<s:Body>${findBody}</s:Body><s:Body>${findBody}</s:Body>` },
    { what: "a Header after Body", text: `<s:Body>${findBody}</s:Body><s:Header/>` },
    { what: "an empty Header", text: `<s:Header/><s:Body>${findBody}</s:Body>` },
    { what: "comments and instructions", text: `<!-- a --><s:Body><?p x?>${findBody}<!-- b --></s:Body>` },
  ])("once, whatever else there is: $what", async ({ text }) => {
    const { send, calls } = served();
    const xml = `<s:Envelope xmlns:s="${envelopes[version]}" s:encodingStyle="urn:e">${text}</s:Envelope>`;
    expect(gist(await send(posted(version, xml)))).toBe("200 FindResponse");
    expect(calls.length).toBe(1);
  });

  test("and an unknown header that must be understood stops it, for any actor", async () => {
    const role = version === "soap11" ? "actor" : "role";
    for (const header of [
      '<h xmlns="urn:h" soap:mustUnderstand="1"/>',
      '<h xmlns="urn:h" soap:mustUnderstand="true"/>',
      `<h xmlns="urn:h" soap:mustUnderstand="1" soap:${role}="urn:other"/>`,
      // Known to the service, but not to this operation.
      `<Session xmlns="${namespace}" soap:mustUnderstand="1">s</Session>`,
    ]) {
      const { send, calls } = served();
      const answer = await send(message(version, findBody, { header }));
      expect(gist(answer)).toBe("500 soap:MustUnderstand");
      expect(headerOf(answer, "cache-control")).toBe("private, max-age=0");
      expect(calls).toEqual([]);
    }
  });

  test("and one in the option `understands` is passed to the handler", async () => {
    const blocks: unknown[] = [];
    const { send, calls } = served(
      {},
      {
        understands: ["{urn:h}h"],
        authorize: ({ extraSoapHeaders }) => blocks.push(extraSoapHeaders) > 0,
      },
    );
    const header = '<h xmlns="urn:h" soap:mustUnderstand="1" kind="k">token</h>';
    expect(gist(await send(message(version, findBody, { header })))).toBe("200 FindResponse");
    const block = {
      name: "{urn:h}h",
      attributes: [
        { name: `{${envelopes[version]}}mustUnderstand`, value: "1" },
        { name: "kind", value: "k" },
      ],
      content: ["token"],
    };
    expect(calls.map(({ context }) => context.extraSoapHeaders)).toEqual([[block]]);
    expect(blocks).toEqual([[block]]);
    const other = '<i xmlns="urn:h" soap:mustUnderstand="1"/>';
    expect(gist(await send(message(version, findBody, { header: other })))).toBe("500 soap:MustUnderstand");
    expect(gist(await send(message(version, findBody)))).toBe("200 FindResponse");
    expect(calls.at(-1)?.context.extraSoapHeaders).toEqual([]);
  });

  test("and other headers do not", async () => {
    const header = '<h xmlns="urn:h" soap:mustUnderstand="0"/><i xmlns="urn:h">x</i>';
    expect(gist(await served().send(message(version, findBody, { header })))).toBe("200 FindResponse");
  });
});

describe("the version is the envelope's", () => {
  test("so a 1.2 envelope in text/xml is answered as SOAP 1.2", async () => {
    const xml = bodyTextOf("soap12");
    for (const headers of [
      [["Content-Type", text11]],
      [
        ["Content-Type", text11],
        ["SOAPAction", action],
      ],
    ] as [string, string][][]) {
      const answer = await served().send(posted("soap12", xml, headers));
      expect(gist(answer)).toBe("200 FindResponse");
      expect(headerOf(answer, "content-type")).toBe(text12);
    }
  });

  test("but a 1.1 envelope in application/soap+xml is not a message", async () => {
    const answer = await served().send(posted("soap12", bodyTextOf("soap11")));
    expect(gist(answer)).toBe("415 empty");
    expect(headerOf(answer, "content-type")).toBe(text11);
  });

  test.each([
    `<soap:Envelope xmlns:soap="urn:other"><soap:Body>${findBody}</soap:Body></soap:Envelope>`,
    `<Envelope><Body>${findBody}</Body></Envelope>`,
    findBody,
  ])("and an unknown one is a mismatch, told in SOAP 1.1: %s", async (xml) => {
    for (const version of ["soap11", "soap12"] as const) {
      const answer = await served().send(posted(version, xml));
      expect(gist(answer)).toBe("500 soap:VersionMismatch +detail");
      expect(headerOf(answer, "content-type")).toBe(text11);
      expect(bodyOf(answer)).toContain(
        '<soap12:SupportedEnvelope qname="soap12:Envelope" xmlns:soap12="http://www.w3.org/2003/05/soap-envelope" />',
      );
    }
  });
});

describe("the media type", () => {
  test.each([
    { type: "text/xml", want: 200 },
    { type: "TEXT/XML; CHARSET=UTF-8", want: 200 },
    { type: 'text/xml; charset="utf-8"', want: 200 },
    { type: "text/xml\t; charset=utf-8", want: 200 },
    { type: "text/xml;", want: 200 },
    { type: "text/xml; charset=nope", want: 200 },
    { type: "text/xml; charset=utf-7", want: 415 },
    { type: undefined, want: 415 },
    { type: "", want: 415 },
    { type: "text/plain", want: 415 },
    { type: "application/xml", want: 415 },
    { type: "text/xmlx", want: 415 },
    { type: "text/xml, text/xml", want: 415 },
    { type: "text/xml; charset", want: 415 },
    { type: "multipart/related; type=text/xml; boundary=x", want: 415 },
    { type: "application/x-www-form-urlencoded", want: 415 },
    { type: "application/json", want: 415 },
    { type: "garbage", want: 415 },
  ])("$type is answered with $want", async ({ type, want }) => {
    const { send, calls } = served();
    const headers: [string, string][] = [["SOAPAction", action]];
    if (type !== undefined) {
      headers.push(["Content-Type", type]);
    }
    const answer = await send(message("soap11", findBody, { headers }));
    expect(answer.status).toBe(want);
    expect(calls.length).toBe(want === 200 ? 1 : 0);
    if (want !== 200) {
      expect(bodyOf(answer)).toBe("");
    }
  });

  test("given twice is refused", async () => {
    const headers: [string, string][] = [
      ["Content-Type", text11],
      ["Content-Type", text11],
      ["SOAPAction", action],
    ];
    expect(gist(await served().send(message("soap11", findBody, { headers })))).toBe("415 empty");
  });

  test("of a compressed message is refused", async () => {
    const headers: [string, string][] = [
      ["Content-Type", text11],
      ["SOAPAction", action],
      ["Content-Encoding", "gzip"],
    ];
    expect(gist(await served().send(message("soap11", findBody, { headers })))).toBe("415 empty");
  });
});

describe("the character encoding", () => {
  const keyed = (key: string) =>
    `<s:Envelope xmlns:s="${envelopes.soap11}"><s:Body>${findBody.replace(">k<", `>${key}<`)}</s:Body></s:Envelope>`;
  const utf16 = (text: string) =>
    Uint8Array.from(text.split("").flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]));
  const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const utf8 = (text: string) => new TextEncoder().encode(text);

  test.each([
    { what: "UTF-8", type: text11, bytes: utf8(keyed("Łé")), want: "Łé" },
    { what: "no charset", type: "text/xml", bytes: utf8(keyed("Łé")), want: "Łé" },
    {
      what: "no charset but a declaration",
      type: "text/xml",
      bytes: latin1(`<?xml version="1.0" encoding="iso-8859-1"?>${keyed("é")}`),
      want: "é",
    },
    { what: "a mark before the charset", type: text11, bytes: utf16(`\uFEFF${keyed("Łé")}`), want: "Łé" },
    { what: "UTF-16 without a mark", type: "text/xml; charset=utf-16", bytes: utf16(keyed("Łé")), want: "Łé" },
    { what: "latin-1 by its charset", type: "text/xml; charset=iso-8859-1", bytes: latin1(keyed("é")), want: "é" },
    { what: "latin-1 called UTF-8", type: text11, bytes: latin1(keyed("é")), want: "\uFFFD" },
    { what: "UTF-8 called ASCII", type: "text/xml; charset=us-ascii", bytes: utf8(keyed("é")), want: "??" },
    {
      what: "UTF-8 that declares UTF-16",
      type: "text/xml",
      bytes: utf8(`<?xml version="1.0" encoding="utf-16"?>${keyed("Ł")}`),
      want: "Ł",
    },
  ])("of $what is recognized", async ({ type, bytes, want }) => {
    const { send, calls } = served();
    await send({ ...posted("soap11", "", [["Content-Type", type]]), body: bytes });
    expect(calls[0]?.input).toMatchObject({ Key: want });
  });

  // ASMX ignores the declaration of SOAP 1.1 messages, but not of SOAP 1.2 messages without a charset (XML 1.0 §4.3.3).
  test.each(["utf-7", "utf-16", "utf-32", "ebcdic-cp-us", "nope"])(
    "%s in the declaration of UTF-8 is refused in SOAP 1.2 without a charset",
    async (encoding) => {
      const text = `<?xml version="1.0" encoding="${encoding}"?>${keyed("Ł").replace(envelopes.soap11, envelopes.soap12)}`;
      const { send, calls, incidents } = served();
      const answer = await send({ ...posted("soap12", text, [["Content-Type", "application/soap+xml"]]) });
      expect(gist(answer)).toBe("500 soap:Receiver +detail");
      expect(incidents).toMatchObject([
        {
          message: expect.stringContaining(
            encoding === "utf-16" ? "not in its declared or default encoding" : `The request names ${encoding}.`,
          ),
        },
      ]);
      const withCharset = await send({ ...posted("soap12", text, [["Content-Type", text12]]) });
      expect(gist(withCharset)).toBe("200 FindResponse");
      expect(calls).toMatchObject([{ input: { Key: "Ł" } }]);
    },
  );

  test("that is unknown is refused if the bytes are not ASCII", async () => {
    const answer = await served().send(
      posted("soap11", keyed("é"), [
        ["Content-Type", "text/xml; charset=nope"],
        ["SOAPAction", action],
      ]),
    );
    expect(gist(answer)).toBe("415 empty");
  });
});

describe("missing or misplaced parts of an envelope", () => {
  test.each([
    { version: "soap11", xml: `<Message xmlns="${envelopes.soap11}"/>`, want: "500 soap:Client +detail" },
    { version: "soap11", xml: `<Envelope xmlns="${envelopes.soap11}"/>`, want: "500 soap:Client +detail" },
    { version: "soap12", xml: `<Message xmlns="${envelopes.soap12}"/>`, want: "500 soap:Receiver +detail" },
    {
      version: "soap12",
      xml: `<Envelope xmlns="${envelopes.soap12}"><Header/></Envelope>`,
      want: "500 soap:Receiver +detail",
    },
  ] as const)("$xml", async ({ version, xml, want }) => {
    expect(gist(await served().send(posted(version, xml)))).toBe(want);
  });
});

function bodyTextOf(version: Version): string {
  return `<soap:Envelope xmlns:soap="${envelopes[version]}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
}

test("a service without handlers, or without one of them, is refused when it is made", () => {
  // A program in JavaScript could make this call, which no compiler has checked.
  const made = (handlers: object) => () => soapRoutes({ service, operations: { find }, handlers });
  expect(made(JSON.parse("null"))).toThrowError(
    new ConfigError("The handlers of the service Things are missing. Pass an object with its handlers."),
  );
  expect(made({})).toThrowError("There is no handler find for the operation");
});

describe("a handler of no operation", () => {
  const operations = { find, notify };
  const made = (handlers: object, onError: (incident: ServerIncident) => void = () => {}) =>
    soapRoutes({ service, operations, handlers }, { missing: "fault", onError });
  const handler = () => null;

  test.each([{ handlers: { fnid: handler } }, { handlers: { fnid: handler, notify: handler } }])(
    "is refused if an operation without a handler has a similar name: $handlers",
    ({ handlers }) => {
      expect(() => made(handlers)).toThrow(
        'The handler "fnid" belongs to no operation of Things. Did you mean "find"?',
      );
    },
  );

  test.each([
    { what: "the operation has a handler", handlers: { fnid: handler, find: handler } },
    { what: "no operation has a similar name", handlers: { connect: handler } },
    { what: "it is not a function", handlers: { fnid: 1 } },
  ])("is ignored if $what", ({ handlers }) => {
    const incidents: ServerIncident[] = [];
    made(handlers, (incident) => incidents.push(incident));
    expect(incidents).toEqual([]);
  });

  class Base {
    fnid() {}
  }
  class Things extends Base {
    notify = handler;
    get finds(): never {
      throw new Error("A getter must not be called.");
    }
  }
  const similar = "If the name fnid is a misspelling of find, correct it.";

  test.each([
    ["class", () => new Things()],
    ["module", () => Object.assign(Object.create(null), { fnid: handler })],
  ])("is named when the operation is called, if it is in a %s, which may have other functions", async (_, create) => {
    const incidents: ServerIncident[] = [];
    const routes = made(create(), (incident) => incidents.push(incident));
    expect(incidents).toEqual([]);
    await routes.answer(requestOf(posted("soap11", bodyTextOf("soap11"))));
    const message = `There is no handler find for the operation Find. ${similar}`;
    expect(incidents).toMatchObject([{ kind: "config", message: expect.stringContaining(message) }]);
  });

  test("is named if all operations must have a handler", () => {
    const mustHaveAll = () => soapRoutes({ service, operations, handlers: new Things() });
    expect(mustHaveAll).toThrow(`Add it, or set the option "missing". ${similar}`);
  });
});

describe("if two operations have the same body element", () => {
  const bindings = { soap11: { action: "urn:search" }, soap12: { action: "urn:search" } };
  const search = { ...find, name: "Search", bindings };
  const sent = async (version: Version, headers?: [string, string][]) => {
    const incidents: ServerIncident[] = [];
    const handlers = { find: () => ({ Name: "found" }), search: () => ({ Name: "searched" }) };
    const options = { onError: (incident: ServerIncident) => incidents.push(incident) };
    const routes = soapRoutes({ service, operations: { find, search }, handlers, wsdl, settings }, options);
    const answer = await routes.answer(requestOf(posted(version, bodyTextOf(version), headers)));
    return { answer: answer as ServerAnswer, reasons: incidents.map(({ message: reason }) => reason) };
  };

  test("the action chooses", async () => {
    const { answer } = await sent("soap12", [["Content-Type", `${text12};action="urn:search"`]]);
    expect(bodyOf(answer)).toContain("searched");
  });

  test.each([
    ["soap11", [["Content-Type", text11]]],
    ["soap12", [["Content-Type", text12]]],
  ] as const)("a request of %s without an action is refused, and the log names both", async (version, headers) => {
    const { answer, reasons } = await sent(version, headers as unknown as [string, string][]);
    expect(answer.status).toBe(version === "soap11" ? 500 : 400);
    expect(reasons).toEqual([
      expect.stringContaining("The operations Find and Search have this element as their body, and only the action"),
    ]);
  });
});

test.each(["toString", "constructor", "__proto__"])(
  "an inherited member %s of an object is not a handler",
  async (name) => {
    const routes = soapRoutes(
      { service, operations: Object.fromEntries([[name, find]]), handlers: {}, wsdl, settings },
      { missing: "fault", onError: () => {} },
    );
    const answer = await routes.answer(requestOf(posted("soap11", bodyTextOf("soap11"))));
    expect(bodyOf(answer as ServerAnswer)).toContain("The operation Find is not implemented.");
  },
);

describe('with `missing: "fault"`', () => {
  const operations = { find, ping };
  const partial = soapRoutes({ service, operations, handlers: {}, wsdl, settings }, { missing: "fault" });
  const answerTo = async (request: ServerRequest) => (await partial.answer(request)) ?? expect.unreachable();

  test.each(["soap11", "soap12"] as const)(
    "an operation without a handler is a Server fault in %s",
    async (version) => {
      const answer = await answerTo(requestOf(posted(version, bodyTextOf(version))));
      expect(answer.status).toBe(500);
      expect(bodyOf(answer)).toContain("The operation Find is not implemented.");
    },
  );

  test("a handler must still be a function", () => {
    const handlers = JSON.parse('{ "find": "a" }');
    const made = () => soapRoutes({ service, operations, handlers, settings }, { missing: "fault" });
    expect(made).toThrowError("The handler find of the operation Find must be a function, not a string.");
  });
});

test.each([
  { address: "http://things.example", path: "/" },
  { address: "http://things.example/", path: "/" },
  { address: "http://things.example?wsdl", path: "/" },
  { address: "/things", path: "/things" },
  { address: "", path: "/Things" },
])("a service with the address '$address' is served at $path", ({ address, path }) => {
  const [handlers, ports] = [{ find: () => ({}) }, { soap11: { name: "ThingsSoap", address } }];
  const routes = soapRoutes({ service: { ...service, ports }, operations: { find }, handlers, settings });
  expect(routes.claims?.map((claim) => claim.path)).toEqual([path]);
});

describe("a call whose body and handler's answer are complete", () => {
  test.each([
    { name: "SOAP 1.1", request: message("soap11", findBody) },
    { name: "SOAP 1.2", request: message("soap12", findBody) },
    { name: "HTTP GET", request: { method: "GET", target: "/api/things.asmx/Find?Key=k&Count=1&username=u" } },
    {
      name: "HTTP POST",
      request: {
        target: "/api/things.asmx/Find",
        headers: [["Content-Type", "application/x-www-form-urlencoded"]] as [string, string][],
        body: new TextEncoder().encode("Key=k&Count=1&username=u"),
      },
    },
    { name: "SOAP 1.1, refused", request: message("soap11", findBody.replace(">1<", ">one<")) },
  ])("is answered without a promise over $name", ({ request }) => {
    const answer = served().routes.answer(requestOf(request));
    expect(answer).not.toBeInstanceOf(Promise);
    expect(answer).toMatchObject({ status: expect.any(Number) });
  });
});

test.each(["asmx", "standard"] as const)("a message with a comment is read once by %s conventions", (conventions) => {
  const next = vi.spyOn(XmlReader.prototype, "next");
  onTestFinished(() => next.mockRestore());
  const countReads = (body: string): number => {
    next.mockClear();
    const conventionsOfServer = conventions === "asmx" ? asmxConventions : standardConventions;
    served({}, {}, conventionsOfServer).routes.answer(requestOf(message("soap11", body)));
    return next.mock.calls.length;
  };
  const reads = countReads(findBody);
  expect(reads).toBeGreaterThan(5);
  // Passing the comment takes two steps; reading the message again would double their number.
  expect(countReads(findBody.replace(">k<", ">k<!-- c --><"))).toBeLessThanOrEqual(reads + 2);
});
