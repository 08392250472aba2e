import { describe, expect, test } from "vitest";
import { type OperationDescriptor, SoapFault } from "../../src/index.js";
import { createRouter, type ServerIncident, type SoapServerOptions, soapRoutes } from "../../src/server/index.js";
import * as xs from "../../src/xs.js";
import { bodyOf, gist, type Handlers, headerOf, namespace, requestOf, served, service } from "./fixture.js";

const host = ["Host", "127.0.0.1:8080"] as const;
const form = ["Content-Type", "application/x-www-form-urlencoded"] as const;

function get(query: string, handlers: Partial<Handlers> = {}, options: SoapServerOptions = {}) {
  const fixture = served(handlers, options);
  const answer = fixture.send({ method: "GET", target: `/api/things.asmx/Find${query}`, headers: [host] });
  return { ...fixture, answer };
}

function post(body: string, type: string | undefined = form[1], options: SoapServerOptions = {}) {
  const fixture = served({}, options);
  const headers = type === undefined ? [host] : [host, ["Content-Type", type] as const];
  const bytes = Buffer.from(body, "latin1");
  const answer = fixture.send({ target: "/api/things.asmx/Find", headers, body: bytes });
  return { ...fixture, answer };
}

const good = "Key=k&Count=1&username=u";

describe("an operation over HTTP GET and POST", () => {
  test("answers its record as an XML document", async () => {
    for (const { answer, calls } of [get(`?${good}`), post(good)]) {
      expect(headerOf(await answer, "content-type")).toBe("text/xml; charset=utf-8");
      expect(headerOf(await answer, "cache-control")).toBe("private, max-age=0");
      expect(bodyOf(await answer)).toBe(
        '<?xml version="1.0" encoding="utf-8"?>\n' +
          '<Thing xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://things.example/ns">\n' +
          '  <Name>a &amp; b</Name>\n  <Pair>\n    <Code xsi:nil="true" />\n    <Text />\n  </Pair>\n</Thing>',
      );
      expect(calls).toMatchObject([
        { input: { Key: "k", Count: 1, username: "u" }, context: { ambient: { username: "u" }, operation: "Find" } },
      ]);
    }
  });

  test("answers null as a nil document", async () => {
    const { answer } = get(`?${good}`, { find: () => null });
    const root = bodyOf(await answer).split("\n")[1];
    expect(root).toMatch(/^<Thing .*xsi:nil="true".* \/>$/);
    expect(root).toContain(`xmlns="${namespace}"`);
  });

  test("answers undefined with an error, and reports it", async () => {
    const { answer, incidents } = get(`?${good}`, { find: () => undefined });
    expect((await answer)?.status).toBe(500);
    expect(incidents).toMatchObject([{ kind: "encode", operation: "Find", path: undefined }]);
  });

  test("answers nothing when it is one-way", async () => {
    const { send, calls } = served();
    const answer = await send({ method: "GET", target: "/api/things.asmx/Notify?Text=t", headers: [host] });
    expect(gist(answer)).toBe("202 empty");
    expect(calls).toMatchObject([{ input: { Text: "t" }, context: { protocol: "httpGet", method: "GET" } }]);
  });
});

describe("a query (S25)", () => {
  test.each([
    { query: "?Key=A&Key=B&Count=1&username=u", Key: "A,B" },
    { query: "?username=u&Count=1&Key=k&more=1", Key: "k" },
    { query: "?&&Key=k&&Count=1&username=u&", Key: "k" },
    { query: "?Key=&Count=1&username=u", Key: "" },
    { query: "?Key=a+b%20c&Count=1&username=u", Key: "a b c" },
    { query: "?Key=%zz%4&Count=1&username=u", Key: "%zz%4" },
    { query: "?Key=%ff&Count=1&username=u", Key: "\uFFFD" },
    { query: "?Key=a%00b&Count=1&username=u", Key: "a\0b" },
    { query: "?Key=%u0141&Count=1&username=u", Key: "Ł" },
    { query: "?Key=k&Count=1&username=u&__proto__=x&constructor=y", Key: "k" },
    { query: "?Key=k&Key%5B%5D=x&Count=1&username=u", Key: "k" },
  ])("$query is served", async ({ query, Key }) => {
    const { answer, calls } = get(query);
    expect((await answer).status).toBe(200);
    expect(calls).toMatchObject([{ input: { Key, Count: 1, username: "u" } }]);
    expect(Object.keys(Object(calls[0]?.input))).toEqual(["Key", "Count", "username"]);
  });

  test.each([
    { query: "", want: "Missing parameter: Key.\n" },
    { query: "?Key&Count=1&username=u", want: "Missing parameter: Key.\n" },
    { query: "?key=k&Count=1&username=u", want: "Missing parameter: Key.\n" },
    { query: "?Key[]=k&Count=1&username=u", want: "Missing parameter: Key.\n" },
    { query: "?Key=k;Count=1;username=u", want: "Missing parameter: Count.\n" },
    { query: "?Key=k&Count=1", want: "Missing parameter: username.\n" },
    { query: "?Key=k&Count=1&Count=2&username=u", want: "Cannot convert a parameter to its type.\n" },
    { query: "?Key=k&Count=abc&username=u", want: "Cannot convert a parameter to its type.\n" },
    { query: "?Key=k&Count=&username=u", want: "Cannot convert a parameter to its type.\n" },
  ])("$query is an error in a line of text", async ({ query, want }) => {
    const { answer, calls } = get(query);
    expect((await answer).status).toBe(500);
    expect(headerOf(await answer, "content-type")).toBe("text/plain; charset=utf-8");
    expect(headerOf(await answer, "cache-control")).toBe("private");
    expect(bodyOf(await answer)).toBe(want);
    expect(calls).toEqual([]);
  });

  test.each([
    { query: `?${"a=1&".repeat(300)}${good}`, limit: "queryPairs" },
    { query: `?${"a".repeat(300)}=1&${good}`, limit: "paramName" },
  ])("over the limit $limit is too long", async ({ query, limit }) => {
    const { answer, incidents } = get(query);
    expect((await answer).status).toBe(414);
    expect(incidents).toMatchObject([{ kind: `limit.${limit}`, limit: { option: `limits.${limit}` } }]);
  });
});

describe("a form", () => {
  test.each([
    { type: "APPLICATION/X-WWW-FORM-URLENCODED", body: `${good}`, Key: "k" },
    {
      type: "application/x-www-form-urlencoded; charset=iso-8859-1",
      body: good.replace("=k", "=%E9\u00e9"),
      Key: "éé",
    },
    { type: "application/x-www-form-urlencoded", body: good.replace("=k", "=%C3%A9\u00c3\u00a9%u0141"), Key: "ééŁ" },
  ])("of $type is read", async ({ type, body, Key }) => {
    const { answer, calls } = post(body, type);
    expect((await answer).status).toBe(200);
    expect(calls).toMatchObject([{ input: { Key } }]);
  });

  test.each([undefined, "text/xml", "multipart/form-data; boundary=x", "application/json", "application/soap+xml"])(
    "of %s is not a form",
    async (type) => {
      const { answer } = type === undefined ? withoutType() : post(good, type);
      expect(gist(await answer)).toBe("500 Request format is invalid.");
    },
  );

  test("does not read the query, and needs a body", async () => {
    const answer = await served().send({ target: `/api/things.asmx/Find?${good}`, headers: [host, form] });
    expect(gist(answer)).toBe("500 Missing parameter: Key.");
  });

  test("over its limit of bytes closes the connection", async () => {
    const { answer, incidents } = post(good, form[1], { limits: { bodyBytes: 10 } });
    expect(gist(await answer)).toBe("500 Maximum request length exceeded.");
    expect((await answer).close).toBe(true);
    expect(incidents).toMatchObject([{ kind: "limit.bodyBytes" }]);
  });

  test("over its limit of pairs is refused", async () => {
    const { answer, incidents } = post(good, form[1], { limits: { formPairs: 2 } });
    expect((await answer).status).toBe(500);
    expect(incidents).toMatchObject([{ kind: "limit.formPairs" }]);
  });
});

function withoutType() {
  const fixture = served();
  return {
    answer: fixture.send({ target: "/api/things.asmx/Find", headers: [host], body: new TextEncoder().encode(good) }),
  };
}

describe("an address below the service", () => {
  test.each([
    { method: "GET", path: "/Nope", want: "500 Web Service method name is not valid." },
    { method: "POST", path: "/Nope", want: "500 Web Service method name is not valid." },
    { method: "GET", path: "/find", want: "500 Invalid method name: method names are case sensitive." },
    { method: "GET", path: "/Find/", want: "500 Web Service method name is not valid." },
    { method: "GET", path: "/Find/more", want: "500 Web Service method name is not valid." },
  ])("$method $path is unknown", async ({ method, path, want }) => {
    const answer = await served().send({ method, target: `/api/things.asmx${path}?${good}`, headers: [host, form] });
    expect(gist(answer)).toBe(want);
    expect(headerOf(answer, "content-type")).toBe("text/plain; charset=utf-8");
  });

  test.each([
    { method: "HEAD", path: "/Find" },
    { method: "PUT", path: "/Find" },
    { method: "OPTIONS", path: "/Find" },
    { method: "TRACE", path: "/Find" },
    { method: "GET", path: "/" },
    // The operation is bound only to GET.
    { method: "POST", path: "/Notify" },
  ])("$method $path is not recognized (S28)", async ({ method, path }) => {
    const headers = [host, form, ["X-HTTP-Method-Override", "GET"]] as const;
    const { send, calls } = served();
    const answer = await send({ method, target: `/api/things.asmx${path}?${good}&_method=GET`, headers });
    expect(answer.status).toBe(500);
    expect(headerOf(answer, "content-type")).toContain("text/html");
    expect(headerOf(answer, "x-content-type-options")).toBe("nosniff");
    expect(calls).toEqual([]);
  });

  test.each([
    { path: "/api/things.asmx/%46ind", status: 500, reason: "The address contains escapes" },
    { path: "/api/things.asmx/Fin%64", status: 500, reason: "The address contains escapes" },
    { path: "/api/things%2Easmx/Find", status: 404, reason: "the routes for /api/things.asmx." },
    { path: "/%61pi/things.asmx/Find", status: 404, reason: "the routes for /api/things.asmx." },
    { path: "/api/%74hings.asmx", status: 404, reason: "the routes for /api/things.asmx." },
  ])("is not found at $path, which guards for its path do not recognize", async ({ path, status, reason }) => {
    const { routes, calls, incidents } = served();
    const router = createRouter([routes], { onError: (incident) => void incidents.push(incident) });
    const answer = await router(requestOf({ method: "GET", target: `${path}?${good}`, headers: [host] }));
    expect([answer.status, calls]).toEqual([status, []]);
    expect(incidents).toMatchObject([{ kind: "request", message: expect.stringContaining(reason) }]);
  });
});

describe("names that a client has written wrongly", () => {
  const similar =
    "The parameter is missing. The request has another parameter with a similar name: the client may have misspelled it, or used upper and lower case differently.";
  const escaped =
    "The parameter is missing. The address or the form contains &amp; in place of &: the client has escaped it as for XML or HTML.";

  test.each([
    { sent: "key=s3&Count=1&username=u", path: "/Key", message: similar },
    { sent: "Key=s3&Cuont=1&username=u", path: "/Count", message: similar },
    { sent: "Key=s3&amp;Count=1&amp;username=u", path: "/Count", message: escaped },
    { sent: "Key=s3&Other=1&username=u", path: "/Count", message: "The parameter is missing." },
  ])("$sent: the cause of a missing parameter is reported", async ({ sent, path, message }) => {
    for (const { answer, incidents } of [get(`?${sent}`), post(sent)]) {
      expect((await answer)?.status).toBe(500);
      expect(incidents).toMatchObject([{ kind: "request", operation: "Find", path, message }]);
    }
  });

  const optional = { type: xs.string, optional: true };
  const list: OperationDescriptor<object, void> = {
    kind: "operation",
    service,
    name: "List",
    input: { body: { by: xs.parts, parts: () => ({ kind: "record", name: "List", fields: {} }) } },
    http: { parameters: { Tag: optional, PageSize: optional }, answer: { kind: "none" } },
    bindings: { httpGet: { location: "/List" } },
  };
  const ignored = "The parameter was ignored, because its name is unknown. ";
  const misspelled = (name: string) =>
    `${ignored}The client may have misspelled ${name}, or used upper and lower case differently. `;

  test.each([
    { query: "tag=s3&PageSize=s3", reports: [["/tag", misspelled("Tag")]] },
    {
      query: "Page_Size=s3&TAG=s3",
      reports: [
        ["/Page_Size", misspelled("PageSize")],
        ["/TAG", misspelled("Tag")],
      ],
    },
    { query: "Tag=s3&amp;PageSize=s3", reports: [["/amp;PageSize", ignored]] },
    { query: "Tag=s3&tag=s3&utm_source=s3&amp;x=s3", reports: [] },
    { query: "Tag=s3&PageSize=s3", reports: [] },
  ])("?$query: ignored parameters with similar names are reported", async ({ query, reports }) => {
    const incidents: ServerIncident[] = [];
    const routes = soapRoutes(
      { service, operations: { list }, handlers: { list: () => {} }, wsdl: [] },
      { onError: (incident) => void incidents.push(incident) },
    );
    const target = `/api/things.asmx/List?${query}`;
    for (let sent = 0; sent < 2; sent += 1) {
      expect((await routes.answer(requestOf({ method: "GET", target, headers: [host] })))?.status).toBe(202);
    }
    expect(incidents.map(({ path, message }) => [path, message])).toEqual(
      reports.map(([path, message]) => [path, expect.stringContaining(message ?? "")]),
    );
    expect(JSON.stringify(incidents)).not.toContain("s3");
  });

  test.each([
    { target: "/api/things.asmx/find", cause: " The address of Find differs from it only in upper and lower case." },
    { target: "/api/things.asmx/Found", cause: "" },
  ])("the report about $target names an operation of another letter case", async ({ target, cause }) => {
    const { send, incidents } = served();
    await send({ method: "GET", target, headers: [host] });
    expect(incidents).toMatchObject([{ message: `No operation has this address and method.${cause}` }]);
  });
});

describe("a handler that fails", () => {
  test("can throw a SoapFault, whose reason is escaped as HTML", async () => {
    const find = () => {
      throw new SoapFault({ code: "Client", reason: `it's <b> & "é" Ł` });
    };
    const { answer } = get(`?${good}`, { find });
    expect(bodyOf(await answer)).toBe("it&#39;s &lt;b&gt; &amp; &quot;&#233;&quot; Ł\n");
    expect(headerOf(await answer, "cache-control")).toBe("private, max-age=0");
  });

  test.each([{ find: () => Promise.reject(new Error("secret")) }, { find: () => ({ Name: 5 }) }])(
    "is answered without details",
    async ({ find }) => {
      const { answer, incidents } = get(`?${good}`, { find });
      expect(gist(await answer)).toBe("500 Server was unable to process request.");
      expect(incidents.length).toBe(1);
    },
  );

  test("is answered with 503 at the timeout", async () => {
    const { answer } = get(`?${good}`, { find: () => new Promise(() => {}) }, { limits: { handlerTimeout: 5 } });
    expect(gist(await answer)).toBe("503 Server was unable to process request in time.");
  });
});
