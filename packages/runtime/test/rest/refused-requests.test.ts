import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { RestError } from "../../src/answer-errors.js";
import { formatCallLine } from "../../src/observe/call-lines.js";
import { type CallEvent, createRouter, type ServerIncident } from "../../src/server/index.js";
import { requestOf } from "../server/fixture.js";
import { send, site } from "./site.js";

const secret = "s3cret";
const list = { operation: "core.items.list", route: "/core/v2/items" };
const create = { operation: "core.items.create", route: "/core/v2/items" };
const cut = { operation: "core.items.parts.create", route: "/core/v2/items/(?P<id>[\\d]+)/parts" };
const json = { "Content-Type": "application/json" };
const urlForm = { "Content-Type": "application/x-www-form-urlencoded" };

async function reported(request: string, sent: Parameters<typeof send>[2], status: number) {
  const incidents: ServerIncident[] = [];
  const answer = await send(site({ onError: (incident) => incidents.push(incident) }), request, sent);
  expect(answer.status).toBe(status);
  expect(JSON.stringify(incidents)).not.toContain(secret);
  expect(incidents.map(({ kind, protocol, error }) => [kind, protocol, error])).toEqual(
    incidents.map(() => ["request", "rest", undefined]),
  );
  return incidents.map(({ operation, route, path, message }) => ({ operation, route, path, message }));
}

const reportedOnce = "The client may use another version of the index. This is reported once a minute for each path.";

test.each([
  ["has a path of no route", "GET /core/v2/nope", undefined, `No route of content has this path. ${reportedOnce}`],
  [
    "has a method that the route does not accept",
    "DELETE /core/v2/items",
    "/core/v2/items",
    `The route accepts only GET, POST. ${reportedOnce}`,
  ],
])("a request that %s is reported once a minute", async (_, request, route, message) => {
  const incidents: ServerIncident[] = [];
  const routes = site({ onError: (incident) => void incidents.push(incident) });
  for (let count = 0; count < 3; count += 1) {
    expect((await send(routes, request)).status).toBe(404);
  }
  expect(incidents).toEqual([expect.objectContaining({ kind: "request", protocol: "rest", message })]);
  expect(incidents[0]?.route).toBe(route);
});

test.each([
  ["has no Content-Type", {}, "it has no Content-Type, which a proxy may have removed"],
  [
    "has two lines with the Content-Type of JSON",
    { "Content-Type": "application/json", "content-type": "application/json" },
    "it has several Content-Type headers, of which a proxy may have added one",
  ],
  ["has the Content-Type of text", { "Content-Type": "text/plain;charset=UTF-8" }, "of its Content-Type text/plain"],
  ["has a Content-Type of its own", { "Content-Type": "application/x-secret" }, "of its Content-Type another type"],
  ["has no media type", { "Content-Type": "json" }, "of its Content-Type, which is not valid"],
  [
    "has a doubled Content-Type",
    { "Content-Type": "application/json, application/json" },
    "it has several Content-Type headers, of which a proxy may have added one",
  ],
  [
    "has the Content-Type of a form",
    { "Content-Type": "application/x-www-form-urlencoded" },
    "it begins like JSON, but its Content-Type is that of a form",
  ],
])("JSON that %s is reported once a minute if the call needs no argument", async (_, headers, cause) => {
  const incidents: ServerIncident[] = [];
  const routes = site({ onError: (incident) => void incidents.push(incident) });
  for (let count = 0; count < 3; count += 1) {
    const answer = await send(routes, "POST /core/v2/items", { headers, body: `{"author":"${secret}"}` });
    expect(answer.status).toBe(200);
  }
  const message = `The body was not read, because ${cause}. Arguments are read from JSON and forms. The call has no arguments from its body. This is reported once a minute.`;
  expect(incidents).toEqual([expect.objectContaining({ kind: "request", protocol: "rest", message, ...create })]);
});

/** A multipart body with one part. */
const withPart = (head: string): string => `--B\r\n${head}\r\n\r\nx\r\n--B--\r\n`;
const unread = (type: string) =>
  `The body was not read, because of its Content-Type ${type}. Arguments are read from JSON and forms. The call has no arguments from its body. This is reported once a minute.`;
const unnamed =
  "A part of the form was ignored, because it has no Content-Disposition with a name. This is reported once a minute.";

test.each([
  ["is XML", "application/xml", "<a/>", unread("application/xml")],
  ["is XML of another kind", "text/xml; charset=utf-8", "<a/>", unread("text/xml")],
  [
    "is a form of another kind",
    "multipart/mixed; boundary=B",
    withPart('Content-Disposition: form-data; name="title"'),
    unread("multipart/mixed"),
  ],
  ["is a multipart message", "multipart/mixed; boundary=B", withPart("Content-Type: text/plain"), undefined],
  ["is a picture", "image/png", "x", undefined],
  ["has a part without a name", "multipart/form-data; boundary=B", withPart("Content-Disposition: form-data"), unnamed],
  ["has a part without a head", "multipart/form-data; boundary=B", withPart("Content-Type: text/plain"), unnamed],
  [
    "has an encoded file name",
    "multipart/form-data; boundary=B",
    withPart("Content-Disposition: form-data; name=\"file\"; filename*=UTF-8''M%C3%BCller.png"),
    "A file of the form was read as text, because its Content-Disposition has filename* in place of filename: forms must not use it (RFC 7578 §4.2), but old HTTP libraries do for names that are not ASCII. This is reported once a minute.",
  ],
  [
    "has both file names",
    "multipart/form-data; boundary=B",
    withPart('Content-Disposition: form-data; name="file"; filename="M.png"; filename*=UTF-8\'\'M%C3%BCller.png'),
    undefined,
  ],
  [
    "has no file",
    "multipart/form-data; boundary=B",
    withPart('Content-Disposition: form-data; name="file"; filename=""'),
    undefined,
  ],
])("a body that %s is reported once a minute if something of it is lost", async (_, type, body, message) => {
  const incidents: ServerIncident[] = [];
  const routes = site({ onError: (incident) => void incidents.push(incident) });
  for (let count = 0; count < 3; count += 1) {
    expect((await send(routes, "POST /core/v2/items", { headers: { "Content-Type": type }, body })).status).toBe(200);
  }
  expect(incidents.map((incident) => incident.message)).toEqual(message === undefined ? [] : [message]);
});

const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`n${index}`, 1]));

test.each<[string, string, Record<string, string>, string, readonly string[] | undefined]>([
  ["JSON", "", json, '{"title":"x","caption":"s3cret","titel_":1}', ["caption", "titel_"]],
  ["a form", "", urlForm, "title=x&caption=s3cret", ["caption"]],
  ["JSON without others", "", json, '{"title":"x"}', undefined],
  ["a query", "?caption=x", json, '{"title":"x"}', undefined],
  ["JSON that controls the answer", "", json, '{"title":"x","_fields":"id"}', undefined],
  ["a form that is JSON", "", urlForm, '{"caption":"s3cret"}', undefined],
  ["many", "", json, JSON.stringify({ title: "x", ...many }), Object.keys(many).slice(0, 8)],
])("the event of a call has the ignored arguments of %s", async (_, query, headers, body, ignoredArguments) => {
  const events: CallEvent[] = [];
  const router = createRouter([site({ onError() {} })], { onCall: (event) => void events.push(event) });
  const sent = { method: "POST", target: `/en/api/core/v2/items${query}`, headers: Object.entries(headers) };
  const answer = await router({ ...sent, body: new TextEncoder().encode(body), signal: new AbortController().signal });
  expect(answer.status).toBe(200);
  expect(events).toMatchObject([{ ignoredArguments }]);
  const line = formatCallLine(events[0] as CallEvent, "text");
  expect(line.includes(" ignoredArguments=")).toBe(ignoredArguments !== undefined);
  expect(line).toContain(ignoredArguments === undefined ? " total=" : ` ignoredArguments=${ignoredArguments.join()} `);
  expect(line).not.toContain("s3cret");
});

test.each([
  ["a query", "GET /core/v2/items?search=Z%FCrich", undefined, "/search", list],
  ["a form", "POST /core/v2/items", { headers: urlForm, body: "title=Z%FCrich" }, "/title", create],
  ["an object in a form", "POST /core/v2/items", { headers: urlForm, body: "title[raw]=Z%FCrich" }, "/title", create],
])("bytes in %s that are not UTF-8 are reported once a minute", async (_, request, sent, path, source) => {
  const incidents: ServerIncident[] = [];
  const routes = site({ onError: (incident) => void incidents.push(incident) });
  for (let count = 0; count < 3; count += 1) {
    expect((await send(routes, request, sent)).status).toBe(200);
    expect((await send(routes, request.replace("%FC", "%C3%BC"), { json: { title: "\ufffd" } })).status).toBe(200);
  }
  const message =
    "Bytes in the query or the form that are not UTF-8 were read as U+FFFD, so texts may be wrong. The client probably sends another encoding, such as windows-1252 or ISO-8859-1. This is reported once a minute for each endpoint.";
  expect(incidents).toEqual([expect.objectContaining({ kind: "request", protocol: "rest", message, path, ...source })]);
});

test("a body of another type, which a handler may read itself, is not reported", async () => {
  expect(
    await reported("POST /core/v2/items", { headers: { "Content-Type": "image/png" }, body: secret }, 200),
  ).toEqual([]);
});

test("a scan of unknown paths has twenty lines a minute, and one with the number of the others", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const messages: string[] = [];
  const routes = site({ onError: ({ message }) => void messages.push(message) });
  const scan = async (count: number) => {
    for (let number = 0; number < count; number += 1) {
      await send(routes, `GET /core/v2/nope-${number}`);
    }
  };
  await scan(500);
  expect(messages).toHaveLength(20);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages.slice(20)).toEqual([
    "No route of content has this path. The client may use another version of the index. This is reported once a minute for each path. This occurred 480 more times within a minute. At most 20 incidents with the same cause are reported in a minute.",
  ]);
  await scan(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(messages).toHaveLength(24);
});

test("a request whose path begins with the base path twice is reported as such", async () => {
  const messages: string[] = [];
  const routes = site({ onError: ({ message }) => void messages.push(message) });
  expect((await send(routes, "GET /en/api/core/v2/items")).status).toBe(404);
  expect(messages[0]).toContain(
    "The path begins with the base path twice: a proxy or the address of the client may contain it already.",
  );
});

test("without a base path, requests for files that no route has are not reported", async () => {
  const incidents: ServerIncident[] = [];
  const routes = site({ base: "", onError: (incident) => void incidents.push(incident) });
  const answer = await routes.answer(requestOf({ method: "GET", target: "/favicon.ico" }));
  expect([answer?.status, incidents]).toEqual([404, []]);
});

test.each([
  { request: "GET /core/v2/items?Page=s3cret", ignored: [["/Page", "page"]] },
  {
    request: "GET /core/v2/items?perpage=s3cret&serach=s3cret",
    ignored: [
      ["/perpage", "per_page"],
      ["/serach", "search"],
    ],
  },
  { request: "GET /core/v2/items?page=1&amp;per_page=s3cret", ignored: [["/amp;per_page", "&amp; in place of &"]] },
  { request: "POST /core/v2/items?autor=s3cret", ignored: [["/autor", "author"]] },
  {
    request: "POST /core/v2/items",
    sent: { json: { titel: { raw: secret }, tags: [1] } },
    ignored: [["/titel", "title"]],
  },
  {
    request: "POST /core/v2/items",
    sent: { headers: urlForm, body: "Author=5&tag=4" },
    ignored: [
      ["/Author", "author"],
      ["/tag", "tags"],
    ],
  },
  // Names that are known, sent under the right name too, of the base path, of plug-ins, of WordPress or of caches.
  { request: "GET /core/v2/items?page=1&Page=2&per_page=3", ignored: [] },
  { request: "GET /core/v2/items?utm_source=1&foo=2&a=3&_=4&_page=5&_fields=id", ignored: [] },
  { request: "GET //?rest_route=/core/v2/items&lang=pt-pt", ignored: [] },
  { request: "POST /core/v2/items", sent: { json: { author: 1, tags: [], meta: null, unrelated: 5 } }, ignored: [] },
])("$request: ignored arguments with similar names are reported, each time", async ({ request, sent, ignored }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const incidents: ServerIncident[] = [];
  const routes = site({ onError: (incident) => void incidents.push(incident) });
  const want = ignored.map(([path, cause]) => ({
    kind: "request",
    path,
    message: expect.stringContaining(cause ?? ""),
  }));
  for (let minute = 0; minute < 4; minute += 1) {
    expect((await send(routes, request, sent)).status).toBeLessThan(300);
    expect(incidents.splice(0)).toMatchObject(want);
    await vi.advanceTimersByTimeAsync(61_000);
  }
});

const similarNameHint =
  " The request has another argument with a similar name: the client may have misspelled it, or used upper and lower case differently.";

test.each([
  {
    what: "a value outside its type",
    request: `GET /core/v2/items?page=${secret}`,
    want: [{ ...list, path: "/page", message: "page is not of type integer." }],
  },
  {
    what: "an item outside its type",
    request: `GET /core/v2/items?include=1,${secret}`,
    want: [{ ...list, path: "/include/1", message: "include[1] is not of type integer." }],
  },
  {
    what: "a value of a format",
    request: "GET /core/v2/items?after=2024-01-01T00:00:00+01:00",
    want: [
      {
        ...list,
        path: "/after",
        message:
          "Invalid date. The text has a space where it would be valid with a plus sign: in queries and forms, the client must send this sign as %2B.",
      },
    ],
  },
  {
    what: "a date that is not valid",
    request: `GET /core/v2/items?after=${secret}`,
    want: [{ ...list, path: "/after", message: "Invalid date." }],
  },
  {
    what: "arguments that are refused in words of their own",
    request: `GET /core/v2/items?status=${secret}`,
    want: [{ ...list, path: "/status/0", message: "status[0] is not one of publish and draft." }],
  },
  {
    what: "several arguments",
    request: "POST /core/v2/items",
    sent: { json: { author: secret, tags: [secret] } },
    want: [
      { ...create, path: "/author", message: "author is not of type integer." },
      { ...create, path: "/tags/0", message: "tags[0] is not of type integer." },
    ],
  },
  {
    what: "missing arguments",
    request: "POST /core/v2/items/4/parts",
    sent: { json: { [secret]: secret } },
    want: [
      { ...cut, path: "/action", message: "The argument is required." },
      { ...cut, path: "/data", message: "The argument is required." },
    ],
  },
  ...[
    { name: "Action", hint: similarNameHint },
    { name: "acton", hint: similarNameHint },
    { name: "__action", hint: similarNameHint },
    { name: "a", hint: "" },
  ].map(({ name, hint }) => ({
    what: `a missing argument, and an argument ${name}`,
    request: "POST /core/v2/items/4/parts",
    sent: { json: { data: 1, [name]: secret } },
    want: [{ ...cut, path: "/action", message: `The argument is required.${hint}` }],
  })),
  {
    what: "a missing argument in a form, and an argument with a similar name",
    request: "POST /core/v2/items/4/parts?Data=1",
    sent: { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: `ACTION=${secret}` },
    want: ["/action", "/data"].map((path) => ({
      ...cut,
      path,
      message: `The argument is required.${similarNameHint}`,
    })),
  },
  {
    what: "arguments inside another object",
    request: "POST /core/v2/items/4/parts",
    sent: { json: { payload: { action: secret, data: 1 } } },
    want: ["/action", "/data"].map((path) => ({
      ...cut,
      path,
      message:
        "The argument is required. An object in the body has a member with this name: the arguments must be members of the body itself, not one level deeper.",
    })),
  },
  {
    what: "missing arguments, whose body has lost its Content-Type",
    request: "POST /core/v2/items/4/parts",
    sent: { headers: {}, body: secret },
    want: ["/action", "/data"].map((path) => ({
      ...cut,
      path,
      message:
        "The argument is required. The body was not read, because it has no Content-Type, which a proxy may have removed. Arguments are read from JSON and forms.",
    })),
  },
  {
    what: "missing arguments, whose body has another Content-Type",
    request: "POST /core/v2/items/4/parts",
    sent: { headers: { "Content-Type": "text/plain" }, body: secret },
    want: ["/action", "/data"].map((path) => ({
      ...cut,
      path,
      message:
        "The argument is required. The body was not read, because of its Content-Type text/plain. Arguments are read from JSON and forms.",
    })),
  },
  ...[json, urlForm].map((headers) => ({
    what: `missing arguments, whose body is empty, but has the type ${headers["Content-Type"]}`,
    request: "POST /core/v2/items/4/parts?data=1",
    sent: { headers, body: "" },
    want: [
      {
        ...cut,
        path: "/action",
        message:
          "The argument is required. The body is empty, although the request has a Content-Type: a proxy or a redirect may have dropped the body, or the client has not sent it.",
      },
    ],
  })),
  {
    what: "missing arguments in a request without a body",
    request: "POST /core/v2/items/4/parts?data=1",
    sent: { headers: {}, body: "" },
    want: [{ ...cut, path: "/action", message: "The argument is required." }],
  },
  {
    what: "missing arguments, whose body is a list",
    request: "POST /core/v2/items/4/parts",
    sent: { json: [secret] },
    want: ["/action", "/data"].map((path) => ({
      ...cut,
      path,
      message:
        "The argument is required. The body was not read, because it is JSON, but not an object. Arguments are read from JSON and forms.",
    })),
  },
  {
    what: "a body that is not JSON",
    request: "POST /core/v2/items",
    sent: { headers: json, body: `{"${secret}}` },
    want: [
      {
        ...create,
        path: undefined,
        message: "The body is not valid JSON: Syntax error (line 1, column 2). A text has no closing quotation mark.",
      },
    ],
  },
  {
    what: "a JSON body that was cut off",
    request: "POST /core/v2/items",
    sent: { headers: json, body: `{"${secret}` },
    want: [
      {
        ...create,
        path: undefined,
        message:
          "The body is not valid JSON: Syntax error (line 1, column 9). It ends after 8 bytes, before its last bracket: a proxy or the client may have cut it off.",
      },
    ],
  },
  ...[
    { body: `{"title":"${secret}"}<br />`, column: 19 },
    { body: `{"title":"${secret}"} {}`, column: 20 },
  ].map(({ body, column }) => ({
    what: "a JSON body with other text after it",
    request: "POST /core/v2/items",
    sent: { headers: json, body },
    want: [
      {
        ...create,
        path: undefined,
        message: `The body is not valid JSON: Syntax error (line 1, column ${column}). Other text follows its last bracket: the client may have joined two bodies, or written a warning after it.`,
      },
    ],
  })),
  ...[
    { body: `{title:"${secret}"} {}`, position: "line 1, column 2", cause: "A name is not in quotation marks." },
    {
      body: `{"title":"${secret}",\n}`,
      position: "line 2, column 1",
      cause: "A comma precedes a closing bracket, which JSON does not allow.",
    },
    {
      body: `title=${secret}`,
      position: "line 1, column 1",
      cause: "It is a form: the client must send JSON, or the Content-Type application/x-www-form-urlencoded.",
    },
    {
      body: `tags[]=${secret}&a=1`,
      position: "line 1, column 1",
      cause: "It is a form: the client must send JSON, or the Content-Type application/x-www-form-urlencoded.",
    },
    {
      body: "[object Object]",
      position: "line 1, column 2",
      cause: 'An object was converted to the text "[object Object]": it must be converted with JSON.stringify.',
    },
    {
      body: `{'title': '${secret}'}`,
      position: "line 1, column 2",
      cause:
        "A name or a text is in single quotation marks, which JSON does not have: JSON must be written with a function for it, such as json.dumps in Python.",
    },
    {
      body: '{"title": None}',
      position: "line 1, column 11",
      cause: "It contains None, True or False, as Python writes these values: JSON must be written with json.dumps.",
    },
    { body: `<title>${secret}</title>`, position: "line 1, column 1", cause: "It begins like XML or HTML." },
    { body: " ", position: "line 1, column 2", cause: "It contains only white space." },
    {
      body: `--b\r\n\r\n${secret}`,
      position: "line 1, column 1",
      cause: "It begins like a multipart form, whose Content-Type must be multipart/form-data.",
    },
    {
      body: btoa(`{"title":"${secret}"}`),
      position: "line 1, column 1",
      cause: "It seems to be JSON in Base64: the client must send it without this step.",
    },
  ].map(({ body, position, cause }) => ({
    what: `a JSON body with the mistake at ${position}: ${cause}`,
    request: "POST /core/v2/items",
    sent: { headers: json, body },
    want: [{ ...create, path: undefined, message: `The body is not valid JSON: Syntax error (${position}). ${cause}` }],
  })),
  ...[
    {
      body: '{"author":1e400}',
      message: "Inf and NaN cannot be JSON encoded. It contains a number that is too large:",
    },
    { body: '{"__proto__":1}', message: 'The decoded property name is invalid. It has a member "__proto__", or a' },
    { body: '{"title":"\\ud83d"}', message: "Single unpaired high surrogate in Unicode escape. It contains one half" },
  ].map(({ body, message }) => ({
    what: `a JSON body of which PHP says: ${message}`,
    request: "POST /core/v2/items",
    sent: { headers: json, body },
    want: [{ ...create, path: undefined, message: expect.stringContaining(`The body is not valid JSON: ${message}`) }],
  })),
  {
    what: "a list that was cut off between its members",
    request: "POST /core/v2/items",
    sent: { headers: json, body: '{"list":[{"a":1}' },
    want: [
      {
        ...create,
        path: undefined,
        message:
          "The body is not valid JSON: Syntax error (line 1, column 17). It ends after 16 bytes, before its last bracket: a proxy or the client may have cut it off.",
      },
    ],
  },
  {
    what: "a JSON body that is compressed",
    request: "POST /core/v2/items",
    sent: { headers: json, body: gzipSync("{}") },
    want: [
      {
        ...create,
        path: undefined,
        message:
          "The body is not valid JSON: Malformed UTF-8 characters, possibly incorrectly encoded. The body is compressed with gzip, but the header Content-Encoding is missing, or the body was compressed twice: a proxy may have removed the header, or compressed the body again.",
      },
    ],
  },
])("a request with $what is reported, without its values", async ({ request, sent, want }) => {
  expect(await reported(request, sent, 400)).toEqual(want);
});

const part = `--b\r\nContent-Disposition: form-data; name="title"\r\n\r\n${secret}\r\n`;

test.each<[string, string, string | Uint8Array, string]>([
  ["has no boundary in its Content-Type", "", `${part}--b--\r\n`, "The Content-Type has no boundary: if the client"],
  ["has an empty boundary", "; boundary=", `${part}--b--\r\n`, "The Content-Type has no boundary: if the client"],
  ["has a boundary that is not valid", '; boundary="é"', `${part}--b--\r\n`, "is missing or not valid."],
  ["is cut off", "; boundary=b", part, "is not complete: it ends after 61 bytes, before its last boundary."],
  ["has another boundary", "; boundary=c", `${part}--b--\r\n`, "the sender named another one"],
  ["has no empty line in a part", "; boundary=b", "--b\r\nX: a\r\n--b--\r\n", "has no empty line"],
  ["is other text", "; boundary=b", secret, "the sender named another one"],
  ["is JSON", "; boundary=b", `{"title":"${secret}"}`, "It begins like JSON: the client must"],
  ["is JSON, without a boundary", "", `{"title":"${secret}"}`, "It begins like JSON: the client must"],
  ["has pairs", "; boundary=b", `title=${secret}&a[]=1`, "It is a form of pairs: the client must"],
  ["is compressed", "; boundary=b", gzipSync(`${part}--b--\r\n`), "The body is compressed with gzip, but the header"],
  ["has a boundary with =, and is cut off", '; boundary="=b"', part.replaceAll("--b", "--=b"), "is not complete"],
])("a multipart form that %s is reported with its cause, without its values", async (_, parameter, body, cause) => {
  const sent = { headers: { "Content-Type": `multipart/form-data${parameter}` }, body };
  const incidents = await reported("POST /core/v2/items", sent, 400);
  expect(incidents).toEqual([{ ...create, path: undefined, message: expect.stringContaining(cause) }]);
  expect(JSON.stringify(incidents)).toContain("The body is not a valid multipart form. ");
  expect(JSON.stringify(incidents)).not.toContain(secret);
});

test("a compressed body is reported", async () => {
  const sent = { headers: { "Content-Encoding": "gzip" }, body: secret };
  expect(await reported("POST /core/v2/items", sent, 415)).toEqual([
    {
      ...create,
      path: undefined,
      message: 'The body is compressed. To accept gzip and deflate, set the option "compressedRequests" of the server.',
    },
  ]);
});

test("refusals by a handler are not reported, those by authorize are", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const refuse = () => {
    throw new RestError({ code: "rest_invalid_param", message: "No.", status: 400 });
  };
  await send(site({ onError }, refuse), "GET /core/v2/items");
  expect(incidents).toEqual([]);
  await send(site({ onError, authorize: () => false }), "GET /core/v2/items");
  expect(incidents).toMatchObject([
    {
      kind: "request",
      message:
        'The function in the option "authorize" refused the call. The request has no Authorization header. If the credentials must be in it, the client has not sent it, or a proxy has removed it.',
    },
  ]);
});

const unfilled =
  "The route /core/v2/items/(?P<id>[\\d]+) differs only in the value of a variable, which the path does not have in the form of its pattern";

test.each([
  ["/core/v2/items/undefined", unfilled],
  ["/core/v2/items/{id}", unfilled],
  ["/core/v2/items/:id", unfilled],
  ["/core/v2/items/abc", unfilled],
  ["/core/v2/items/abc/parts", "The route /core/v2/items/(?P<id>[\\d]+)/parts differs only in the value"],
  ["/core%2Fv2/items", "It contains an escaped slash, backslash or zero byte (%2F, %5C or %00)"],
  ["/core/v2/itemz/5", "The client may use another version of the index."],
  ["/core/v2/items/5/other", "The client may use another version of the index."],
  ["/core/v2/items/", undefined],
])("an unknown path %s is explained", async (path, cause) => {
  const incidents: ServerIncident[] = [];
  await send(site({ onError: (incident) => void incidents.push(incident) }), `GET ${path}`);
  expect(incidents.map(({ message }) => message)).toEqual(
    cause === undefined ? [] : [expect.stringContaining(`No route of content has this path. ${cause}`)],
  );
});
