import { XmlError } from "@bothends/xml/error";
import { describe, expect, test } from "vitest";
import { describeUnreadable } from "../../src/observe/unreadable-messages.js";
import { type ServerIncident, soapRoutes } from "../../src/server/index.js";
import { LimitError, serverLimits } from "../../src/server-limits.js";
import * as xs from "../../src/xs.js";
import { envelopes, find, findBody, message, namespace, posted, requestOf, served, service } from "./fixture.js";

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
      what: "a number outside its range",
      body: findBody.replace("<Count>1", "<Count>12345678901"),
      path: "/Find/Count",
      message: "The text is not a valid xs:int: it is outside the range of the type.",
    },
    {
      what: "a missing member",
      body: find(`<Key>${secret}</Key><username>u</username>`),
      path: "/Find/Count",
      message: "The element is required.",
    },
    {
      what: "a member under another name",
      body: find(`<Key>${secret}</Key><CountOf>${secret}</CountOf><username>u</username>`),
      path: "/Find/Count",
      message:
        "The element is required. The message has other elements or attributes, which the WSDL does not declare: CountOf. The client may use another version of the WSDL.",
    },
    {
      what: "a member without text",
      body: findBody.replace("<Count>1", "<Count>"),
      path: "/Find/Count",
      message: "The text is not a valid xs:int. It is empty.",
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

  test.each([
    ["an empty body", "", / is empty, but no operation has an empty body/],
    ["a text", secret, / contains text instead of the element/],
    ["an escaped message", findBody.replaceAll("<", "&lt;"), / is XML that was escaped/],
    ["a message in a CDATA section", `<![CDATA[${findBody}]]>\n`, / is XML that was escaped/],
    [
      "an element in lower case",
      findBody.replaceAll("Find", "find"),
      / differs in upper and lower case: \{.*\}Find\. /,
    ],
    [
      "an encrypted element",
      '<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"/>',
      / is encrypted with WS-Security, which this server does not support/,
    ],
    [
      "a fault",
      `<x:Fault xmlns:x="${envelopes.soap12}"><x:Code/></x:Fault>`,
      / is a fault: the client, or a proxy, has sent an answer as a request/,
    ],
    [
      "the answer of an operation",
      `<FindResponse xmlns="${namespace}"/>`,
      / is that of the answer to \{.*\}Find: the client, or a proxy, has sent an answer/,
    ],
  ])("for %s instead of the element of an operation", async (_, body, cause) => {
    const incidents = await reported(message("soap12", body));
    expect(incidents).toMatchObject([{ kind: "request", protocol: "soap12" }]);
    expect(incidents[0]?.message).toMatch(cause);
    expect(incidents[0]?.message).not.toContain("version of SOAP");
  });

  test("for a comment inside a value", async () => {
    const incidents = await reported(message("soap11", findBody.replace("k<", `${secret}<!-- x -->k<`)));
    expect(incidents).toMatchObject([{ kind: "request", operation: "Find", protocol: "soap11" }]);
  });

  test.each([
    {
      what: "an unclosed envelope",
      text: `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>`,
      cause:
        " The message ends after 81 bytes, before all elements are closed: a proxy or the client may have cut it off.",
    },
    { what: "no XML", text: secret, cause: " The body does not begin like XML." },
    {
      what: "an & in a text",
      text: `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>a & b</soap:Body></soap:Envelope>`,
      cause: " An & is not escaped as &amp;: the client may have inserted text without escaping it.",
    },
    ...[
      { what: "a forbidden character", body: "<a>\v</a>", cause: " XML forbids the character U+000B." },
      { what: "a noncharacter", body: "<a>\ufffe</a>", cause: " XML forbids the character U+FFFE." },
      {
        what: "a reference to a forbidden character",
        body: "<a>&#0;</a>",
        cause: " This reference denotes a character that XML forbids; remove it.",
      },
      {
        what: "a repeated attribute",
        body: `<a ${secret}="" ${secret}=""/>`,
        cause: " A tag has the same attribute twice.",
      },
      {
        what: "an open comment",
        body: `<a><!-- ${secret}</a>`,
        cause: " The comment is not closed; end it with -->.",
      },
      {
        what: "two hyphens in a comment",
        body: `<!-- ${secret} -- -->`,
        cause: " A comment must not contain two hyphens in a row (--).",
      },
      {
        what: "an open CDATA section",
        body: "<a><![CDATA[</a>",
        cause: " The CDATA section is not closed; end it with ]]>.",
      },
      { what: "]]> in a text", body: "<a>]]></a>", cause: " Text must not contain ]]>; write ]]&gt;." },
      {
        what: "an attribute without a value",
        body: `<a ${secret}/>`,
        cause: " The attribute must have = and a value.",
      },
      {
        what: "< in an attribute",
        body: `<a b="<${secret}"/>`,
        cause: " An attribute value must not contain <; write &lt;.",
      },
      { what: "a space before a name", body: `< ${secret}/>`, cause: " The name of an element is expected here." },
    ].map(({ what, body, cause }) => ({
      what,
      text: `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${body}</soap:Body></soap:Envelope>`,
      cause,
    })),
    {
      what: "a zero byte at the end",
      text: `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>\0`,
      cause: " The body ends with a byte of the value 0, with which C ends a text: the client must not send this byte.",
    },
  ])("for $what", async ({ text, cause }) => {
    const incidents = await reported(posted("soap11", text));
    expect(incidents).toMatchObject([{ kind: "request", protocol: "soap11" }]);
    expect(incidents[0]?.message).toMatch(/^The message is not well-formed \(line 1, column \d+\)\./);
    expect(incidents[0]?.message.replace(/^.*?\)\./, "")).toBe(cause);
  });

  test("for a prefix that is not declared", async () => {
    const incidents = await reported(message("soap11", findBody.replace("<Count>1", `<${secret}:Count>1`)));
    expect(incidents[0]?.message).toMatch(/^The message has a namespace prefix .*\. A prefix is not declared\.$/);
  });

  const declaration = '<?xml version="1.0" encoding="utf-8"?>';
  const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}"><soap:Body>${findBody}</soap:Body></soap:Envelope>`;
  const escapedText = text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  test.each([
    {
      what: "a blank line before the declaration",
      body: `\n${declaration}${text}`,
      cause: /A blank line, .* precedes the XML/,
    },
    {
      what: "a space before the declaration",
      body: ` ${declaration}${text}`,
      cause: /A blank line, .* precedes the XML/,
    },
    { what: "two byte-order marks", body: `\ufeff\ufeff${declaration}${text}`, cause: /two byte-order marks/ },
    { what: "JSON", body: '{"Key":"k"}', cause: /The body is JSON instead of XML\.$/ },
    { what: "a list in JSON", body: ' [{"Key":"k"}]', cause: /The body is JSON instead of XML\.$/ },
    { what: "a JSON string", body: JSON.stringify(text), cause: /JSON string that contains XML/ },
    { what: "escaped XML", body: escapedText, cause: /escaped once more, so < is written as &lt;/ },
    { what: "escaped XML after a blank line", body: `\r\n${escapedText}`, cause: /escaped once more/ },
    { what: "typographic quotation marks", body: text.replaceAll('"', "\u201d"), cause: /typographic quotation marks/ },
    { what: "opening quotation marks", body: text.replaceAll('"', "\u2018"), cause: /typographic quotation marks/ },
    {
      what: "a declaration with such marks",
      body: `${declaration.replaceAll('"', "\u201c")}${text}`,
      cause: /typographic quotation marks/,
    },
    {
      what: "a declaration that is not valid",
      body: `<?xml version=2?>${text}`,
      cause: /The XML declaration is not valid/,
    },
    { what: "a form", body: "Key=k&Count=1", cause: /The body is a form/ },
    {
      what: "a warning of PHP before the message",
      body: `Warning: Undefined variable in /a.php on line 3\n${text}`,
      cause: /A message of PHP, such as a warning, precedes the message/,
    },
    { what: "Base64", body: Buffer.from(text).toString("base64"), cause: /XML in Base64/ },
    {
      what: "a value without quotation marks",
      body: text.replace("<Key>", "<Key a=b>"),
      cause: /no quotation marks\.$/,
    },
    { what: "another end tag", body: text.replace("</Key>", "</key>"), cause: /The name of an end tag differs/ },
    { what: "text after the message", body: `${text}x`, cause: /Other text follows the last element/ },
    { what: "two messages", body: text + text, cause: /A second element follows/ },
    {
      what: "two messages with declarations",
      body: declaration + text + declaration + text,
      cause: /precedes the XML declaration/,
    },
    { what: "no element", body: declaration, cause: /The body contains no element/ },
  ])("with what was found instead of XML: $what", async ({ body, cause }) => {
    const incidents = await reported(posted("soap11", body));
    expect(incidents).toMatchObject([{ kind: "request", protocol: "soap11" }]);
    expect(incidents[0]?.message).toMatch(/^The message is not well-formed \(line \d+, column \d+\)\. /);
    expect(incidents[0]?.message).toMatch(cause);
    expect(incidents[0]?.message).not.toMatch(/Key|http/);
  });
});

test("the cause of a message that cannot be read follows from the problem, not from the text of the error", () => {
  const init = { offset: 0, line: 1, column: 9, problem: "secondRoot" } as const;
  const error = new XmlError("xml.not-well-formed", "Remove the text before the attribute.", init);
  expect(describeUnreadable(error, new TextEncoder().encode("<a/><b/>"))?.reason).toMatch(
    / A second element follows the message: the client may have joined two messages\.$/,
  );
});

test("an empty text is reported as empty, whatever the name of its type", async () => {
  const number = { ...xs.int, name: "{urn:of a b}Number" };
  const countType = { kind: "record", name: "{urn:c}Count", namespace: "urn:c", fields: { Number: { type: number } } };
  const incidents: ServerIncident[] = [];
  const http = { parameters: { Number: { type: number } }, answer: { kind: "none" } } as const;
  const body = { element: "{urn:c}Count", type: () => countType } as const;
  const count = { ...find, name: "Count", input: { body }, http, faults: [] } as unknown as typeof find;
  const operations = { count: { ...count, bindings: { soap12: { action: "c" }, httpGet: { location: "/Count" } } } };
  const routes = soapRoutes(
    { service, operations, handlers: { count: () => null } },
    { onError: (incident) => incidents.push(incident) },
  );
  await routes.answer(requestOf(message("soap12", '<Count xmlns="urn:c"><Number/></Count>')));
  await routes.answer(requestOf({ method: "GET", target: "/api/things.asmx/Count?Number=" }));
  const reason = "The text is not a valid {urn:of a b}Number. It is empty.";
  expect(incidents.map(({ message: text, path }) => [text, path])).toEqual([
    [reason, "/Count/Number"],
    [reason, "/Number"],
  ]);
});

describe("parameters that do not fit the schema are reported", () => {
  const form = (text: string) => ({
    target: "/api/things.asmx/Find",
    headers: [["Content-Type", "application/x-www-form-urlencoded"]] as [string, string][],
    body: new TextEncoder().encode(text),
  });
  test.each([
    { what: "missing", text: `Key=${secret}&username=u`, path: "/Count", message: "The parameter is missing." },
    {
      what: "outside its type",
      text: `Key=k&Count=${secret}&username=u`,
      path: "/Count",
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
    const compressed: [string, string] = ["Content-Encoding", "gzip"];
    const message =
      'The body is compressed. To accept gzip and deflate, set the option "compressedRequests" of the server.';
    expect(await reported({ ...request, headers: [...headers, compressed] })).toMatchObject([{ message }]);
  });
});

describe("a refused request is reported with the operation that its head names", () => {
  const tooLong = `${findBody}${" ".repeat(2_000)}`;
  test.each([
    { what: "a SOAP 1.1 action", request: message("soap11", tooLong), protocol: "soap11" },
    {
      what: "the action parameter of SOAP 1.2",
      request: message("soap12", tooLong, {
        headers: [["Content-Type", `application/soap+xml; action="${namespace}/Find"`]],
      }),
      protocol: "soap12",
    },
    {
      what: "the location of HTTP POST",
      request: {
        ...posted("soap11", "Key=".padEnd(2_000), [["Content-Type", "application/x-www-form-urlencoded"]]),
        target: "/api/things.asmx/Find",
      },
      protocol: "httpPost",
    },
  ])("by $what, if its body exceeds a limit", async ({ request, protocol }) => {
    const { send, incidents } = served({}, { limits: { bodyBytes: 1_000 } });
    await send(request);
    expect(incidents).toMatchObject([{ kind: "limit.bodyBytes", operation: "Find", protocol }]);
  });

  test("if it exceeds a limit of XML or is not well-formed", async () => {
    const { send, incidents } = served({}, { limits: { depth: 5 } });
    await send(message("soap11", "<a>".repeat(10)));
    await send(posted("soap11", "<a"));
    expect(incidents).toMatchObject([
      { kind: "limit.depth", operation: "Find" },
      { kind: "request", operation: "Find" },
    ]);
  });

  test("but not if it may name another operation", async () => {
    const { send, incidents } = served();
    await send(message("soap11", `<Ping xmlns="${namespace}"/>`));
    expect(incidents).toMatchObject([{ kind: "request", operation: undefined }]);
  });
});

test.each([
  [["application/json"], "The Content-Type is application/json instead of text/xml"],
  [["application/soap+msbin1"], "The Content-Type is application/soap+msbin1 instead of text/xml"],
  [["application/x-s3cret"], "The Content-Type is another type instead of text/xml"],
  [[], "The Content-Type is missing. It must be text/xml"],
  [["text/xml", "text/xml"], "The Content-Type is repeated, as a proxy may have added one. It must be text/xml"],
  [["text"], "The Content-Type is not valid. It must be text/xml"],
  [['multipart/related; type="application/xop+xml"; boundary=b'], "The client uses MTOM (application/xop+xml), which"],
])("a message with the Content-Type %j is reported with this cause", async (types, text) => {
  const headers = types.map((type): [string, string] => ["Content-Type", type]);
  const incidents = await reported(posted("soap11", "{}", [["SOAPAction", `"${namespace}/Find"`], ...headers]));
  expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining(text) }]);
});

test.each([
  ["handlerTimeout", "The handler did not answer within 5 ms. Check what it waits for"],
  ["inFlight", "The server is already answering 5 requests."],
  ["bodyRate", 'To accept slower bodies, decrease the option "limits.bodyRate" of the server.'],
  [
    "bodyBytes",
    'The body of the request is larger than 5 bytes. To accept such requests, increase the option "limits.bodyBytes" of the routes.',
  ],
] as const)("the message for the limit %s names the cause", (limit, text) => {
  expect(new LimitError(limit, 5).message).toContain(text);
});

describe("bytes that the encoding does not allow, which ASMX replaces, are reported once a minute for each operation", () => {
  const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
  const text = (charset = "utf-8"): [string, string][] => [["Content-Type", `text/xml; charset=${charset}`]];
  const soap = posted("soap11", "").headers ?? [];
  const { body: envelope = new Uint8Array() } = message("soap11", findBody.replace(">k<", ">\u00e9<"));
  const wrong = latin1(Buffer.from(envelope as Uint8Array).toString("utf8"));

  test("in a SOAP message", async () => {
    const { send, incidents, calls } = served();
    for (let count = 0; count < 3; count += 1) {
      await send({ ...posted("soap11", ""), body: wrong });
    }
    expect(calls).toHaveLength(3);
    expect(incidents).toMatchObject([{ kind: "request", operation: "Find", protocol: "soap11" }]);
    expect(incidents[0]?.message).toMatch(
      /^Bytes that the encoding of the request does not allow were read as U\+FFFD/,
    );
  });

  test("in a message whose charset is US-ASCII", async () => {
    const headers = [...soap.filter(([name]) => name !== "Content-Type"), ...text("us-ascii")];
    const { send, incidents } = served();
    await send({ ...posted("soap11", ""), headers, body: wrong });
    expect(incidents).toHaveLength(1);
  });

  test("in a query", async () => {
    const { send, incidents, calls } = served();
    const target = "/api/things.asmx/Find?Key=%e9&Count=1&username=u";
    await send({ method: "GET", target, headers: [["Host", "h"]] });
    expect(calls).toHaveLength(1);
    expect(incidents).toMatchObject([{ kind: "request", operation: "Find", protocol: "httpGet" }]);
  });

  test("but valid bytes are not, also with a charset that is not supported", async () => {
    const { send, incidents, calls } = served();
    await send({ ...posted("soap11", ""), body: envelope });
    const headers = [...soap.filter(([name]) => name !== "Content-Type"), ...text("x-unknown")];
    await send({ ...message("soap11", findBody), headers });
    await send({
      method: "GET",
      target: "/api/things.asmx/Find?Key=%c3%a9&Count=1&username=u",
      headers: [["Host", "h"]],
    });
    expect([calls.length, incidents]).toEqual([3, []]);
  });
});

describe("the message for each limit of requests is a sentence about the request", () => {
  const names = Object.keys(serverLimits) as (keyof typeof serverLimits)[];
  test.each(names.filter((name) => !/Timeout|Interval|Period|requestsPerSocket|reference/.test(name)))("%s", (name) => {
    const text = new LimitError(name, 5).message;
    expect(text).toMatch(/^The |^An? /);
    expect(text).not.toContain(`${name} =`);
    expect(text).toContain(`the option "limits.${name}"`);
  });
});

test.each([
  ["an HTML page", "<html><body>a</body></html>", "The body is an HTML page instead of a message"],
  [
    "a page with a declaration",
    '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"/>',
    "is an HTML page",
  ],
  ["a page with a document type", "<!DOCTYPE html>\n<html></html>", "The body is an HTML page instead of a message"],
  ["a notice of PHP in HTML", "<br />\n<b>Notice</b>: a", "The body begins with HTML"],
  ["a notice before a message", `<br />\n<b>Notice</b>: a<br />\n<?xml version="1.0"?><Envelope/>`, "begins with HTML"],
  ["a bold word", "<b>Notice</b>", "The body begins with HTML"],
  ["another document", "<a/>", undefined],
  ["an element whose name begins like HTML", "<htmlMessage/>", undefined],
])("a body that is %s is named", async (_, body, cause) => {
  const incidents = await reported(posted("soap11", body));
  expect(incidents).toHaveLength(1);
  if (cause === undefined) {
    expect(incidents[0]?.message).toBe("The root element is not in the namespace of SOAP 1.1 or 1.2.");
  } else {
    expect(incidents[0]?.message).toContain(cause);
  }
});

test.each([
  ["2024-01-01T00:00:00+01:00", "The text has a space where it would be valid with a plus sign"],
  ["2024-01-01T00:00:00%2B01:00", undefined],
  ["2024-01-01 00:00:00", ""],
])("a time %s in a query is read or explained", async (sent, cause) => {
  const at = { type: xs.dateTime };
  const incidents: ServerIncident[] = [];
  const http = { parameters: { At: at }, answer: { kind: "none" } } as const;
  const operation = { ...find, name: "Since", http, bindings: { httpGet: { location: "/Since" } } };
  const routes = soapRoutes(
    { service, operations: { since: operation as never }, handlers: { since: () => null } },
    { onError: (incident) => incidents.push(incident) },
  );
  await routes.answer(requestOf({ method: "GET", target: `/api/things.asmx/Since?At=${sent}` }));
  expect(incidents.map(({ message: text }) => text)).toEqual(
    cause === undefined
      ? []
      : [cause === "" ? expect.not.stringContaining("plus sign") : expect.stringContaining(cause)],
  );
});
