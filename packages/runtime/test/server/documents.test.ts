import { describe, expect, test } from "vitest";
import { ConfigError } from "../../src/index.js";
import { asmxConventions, soapRoutes } from "../../src/server/index.js";
import {
  bodyOf,
  findBody,
  gist,
  headerOf,
  message,
  namespace,
  requestOf,
  served,
  service,
  settings,
  wsdl,
} from "./fixture.js";

const host = ["Host", "127.0.0.1:8080"] as const;
const file = "/api/things.asmx";

describe("the WSDL", () => {
  test.each(["?wsdl", "?WSDL", "?WsDl=1", "?singleWsdl", "?x=1&wsdl"])("is behind %s", async (query) => {
    const answer = await served().send({ method: "GET", target: file + query, headers: [host] });
    expect(answer.status).toBe(200);
    expect(headerOf(answer, "content-type")).toBe("text/xml; charset=utf-8");
    expect(bodyOf(answer)).toBe(
      `<?xml version="1.0"?>\n<definitions targetNamespace="${namespace}"><operation name="Find"/>` +
        '<address location="http://127.0.0.1:8080/api/things.asmx"/></definitions>',
    );
  });

  test.each([
    { options: {}, secure: false, headers: [], want: "http://things.example/api/things.asmx" },
    { options: {}, secure: true, headers: [["Host", "h.example"]], want: "https://h.example/api/things.asmx" },
    {
      options: { publicUrl: "https://p.example/" },
      secure: false,
      headers: [host],
      want: "https://p.example/api/things.asmx",
    },
    { options: { path: "/x" }, secure: false, headers: [host], want: "http://127.0.0.1:8080/x" },
  ] as const)("has the address $want", async ({ options, secure, headers, want }) => {
    const target = "path" in options ? "/x?wsdl" : `${file}?wsdl`;
    const answer = await served({}, options).send({ method: "GET", target, headers, secure });
    expect(bodyOf(answer)).toContain(`location="${want}"`);
  });

  test("has the address of each port where ports have several", async () => {
    const other = { name: "ThingsSoap12", address: "http://things.example/v12/things" };
    const routes = soapRoutes({
      service: { ...service, ports: { ...service.ports, soap12: other } },
      operations: {},
      handlers: {},
      wsdl: [{ slot: "address" }, " ", { slot: "address", port: "soap11" }, " ", { slot: "address", port: "soap12" }],
      settings: {},
    });
    for (const target of [`${file}?wsdl`, "/v12/things?wsdl"]) {
      const answer = await routes.answer(requestOf({ method: "GET", target, headers: [["Host", "h"]] }));
      expect(answer && bodyOf(answer)).toBe("http://h/api/things.asmx http://h/api/things.asmx http://h/v12/things");
    }
  });

  test("is loaded when it is requested, also by the page of the service", async () => {
    for (const query of ["?wsdl", ""]) {
      let loadCount = 0;
      const loadWsdl = async () => {
        loadCount += 1;
        return wsdl;
      };
      const routes = soapRoutes({ service, operations: {}, handlers: {}, wsdl: loadWsdl, settings });
      await routes.answer(requestOf(message("soap11", findBody)));
      expect(loadCount).toBe(0);
      const answer = await routes.answer(requestOf({ method: "GET", target: file + query, headers: [host] }));
      expect(answer).toMatchObject({ status: 200 });
      expect(loadCount).toBe(1);
    }
  });

  test("that cannot be loaded is a fault of the server and an incident", async () => {
    const { incidents, send } = served({}, {}, asmxConventions, () => Promise.reject(new Error("no file")));
    const answer = await send({ method: "GET", target: `${file}?wsdl`, headers: [host] });
    expect(answer.status).toBe(500);
    expect(bodyOf(answer)).not.toContain("no file");
    expect(incidents).toMatchObject([
      { message: 'The function in the option "wsdl" threw an exception.', error: { message: "no file" } },
    ]);
  });

  test("that is not a document is a fault of the server and an incident", async () => {
    const { incidents, send } = served({}, {}, asmxConventions, (async () => null) as never);
    expect((await send({ method: "GET", target: `${file}?wsdl`, headers: [host] })).status).toBe(500);
    expect(incidents).toMatchObject([
      {
        message: 'The function in the option "wsdl" threw an exception.',
        error: { message: "The function must return a published document, not null." },
      },
    ]);
  });

  test.each(["?wsdl", ""])(
    "that does not load in time is a fault and an incident, also at the query '%s'",
    async (query) => {
      const { incidents, send } = served(
        {},
        { limits: { handlerTimeout: 10 } },
        asmxConventions,
        () => new Promise(() => {}),
      );
      const answer = await send({ method: "GET", target: file + query, headers: [host] });
      expect(answer.status).toBe(503);
      expect(headerOf(answer, "content-type")).toContain("text/");
      expect(incidents).toMatchObject([
        {
          kind: "limit.handlerTimeout",
          message: expect.stringContaining('The function in the option "wsdl" did not answer within 10 ms.'),
        },
      ]);
    },
  );

  test("has its slots escaped", async () => {
    const options = { wireNames: { namespaces: { things: 'urn:"<&' } } };
    const answer = await served({}, options).send({ method: "GET", target: `${file}?wsdl`, headers: [host] });
    expect(bodyOf(answer)).toContain('targetNamespace="urn:&quot;&lt;&amp;"');
  });
});

describe("other documents of the service", () => {
  test("DISCO lists the WSDL and the SOAP ports", async () => {
    const answer = await served().send({ method: "GET", target: `${file}?disco`, headers: [host] });
    expect(headerOf(answer, "content-type")).toBe("text/xml; charset=utf-8");
    expect(bodyOf(answer)).toContain(
      '<contractRef ref="http://127.0.0.1:8080/api/things.asmx?wsdl" docRef="http://127.0.0.1:8080/api/things.asmx"',
    );
    expect(bodyOf(answer)).toContain(`xmlns:q2="${namespace}" binding="q2:ThingsSoap12"`);
  });

  test("there is no schema", async () => {
    const answer = await served().send({ method: "GET", target: `${file}?schema=1`, headers: [host] });
    expect(gist(answer)).toBe("500 Schema not found.");
    expect(headerOf(answer, "cache-control")).toBe("private, max-age=0");
  });

  test.each(["", "?", "?foo=bar"])("serves an HTML page at the query '%s'", async (query) => {
    const answer = await served().send({ method: "GET", target: file + query, headers: [host] });
    expect(answer.status).toBe(200);
    expect(headerOf(answer, "content-type")).toBe("text/html; charset=utf-8");
    expect(bodyOf(answer)).toContain("<title>Things Web Service</title>");
  });

  test.each<[string, () => never, string]>([
    [
      "throws",
      () => {
        throw new Error("template");
      },
      "template",
    ],
    ["rejects", () => Promise.reject(new Error("template")) as never, "template"],
    ["returns a number", () => 7 as never, "The function must return a string, not a number."],
    ["returns nothing", () => undefined as never, "The function must return a string, not undefined."],
  ])("or 500 if the option page %s, and the incident names the option", async (_, page, error) => {
    const { send, incidents } = served({}, { page });
    expect((await send({ method: "GET", target: file, headers: [host] })).status).toBe(500);
    expect(incidents).toMatchObject([
      { kind: "handler", message: 'The function in the option "page" threw an exception.', error: { message: error } },
    ]);
  });

  test("or 503 if the option page never ends", async () => {
    const page = () => new Promise(() => {}) as never;
    const { send, incidents } = served({}, { page, limits: { handlerTimeout: 20 } });
    expect((await send({ method: "GET", target: file, headers: [host] })).status).toBe(503);
    expect(incidents).toMatchObject([
      { message: expect.stringContaining('The function in the option "page" did not') },
    ]);
  });

  test("or a page from the options", async () => {
    const page = ({ service, operations }: { service: string; operations: readonly string[] }) =>
      `${service}: ${operations}`;
    const answer = await served({}, { page }).send({ method: "GET", target: file, headers: [host] });
    expect(bodyOf(answer)).toBe("Things: Find,Notify,Ping");
  });

  test.each(["", "?op=Find", "?foo"])("or none, behind '%s', while the documents stay", async (query) => {
    const { send } = served({}, { page: false });
    expect((await send({ method: "GET", target: file + query, headers: [host] })).status).toBe(500);
    expect((await send({ method: "GET", target: `${file}?wsdl`, headers: [host] })).status).toBe(200);
  });

  test.each(["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])("%s is not allowed (S28)", async (method) => {
    const { send, calls } = served();
    const headers = [host, ["X-HTTP-Method-Override", "POST"]] as const;
    const answer = await send({ ...message("soap11", findBody), method, target: `${file}?WSDL`, headers });
    expect(answer.status).toBe(405);
    expect(headerOf(answer, "allow")).toBe("GET, POST");
    expect(calls).toEqual([]);
  });

  test("a POST with ?WSDL is a message", async () => {
    expect(gist(await served().send({ ...message("soap11", findBody), target: `${file}?WSDL` }))).toBe(
      "200 FindResponse",
    );
  });
});

describe("real names", () => {
  const options = { wireNames: { namespaces: { things: "http://real.example/" }, operations: { Find: "FindReal" } } };
  const body = '<FindReal xmlns="http://real.example/"><Key>k</Key><Count>1</Count><username>u</username></FindReal>';
  const headers: [string, string][] = [
    ["Content-Type", "text/xml; charset=utf-8"],
    ["SOAPAction", '"http://real.example/FindReal"'],
  ];

  test("change the messages and the SOAPAction", async () => {
    const { send, calls } = served({}, options);
    const answer = await send(message("soap11", body, { headers }));
    expect(bodyOf(answer)).toContain('<FindRealResponse xmlns="http://real.example/"><FindRealResult>');
    expect(calls).toMatchObject([{ input: { Key: "k" }, context: { operation: "Find" } }]);
    expect(gist(await send(message("soap11", findBody)))).toBe("500 soap:Client +detail");
  });

  test("change the locations and the WSDL", async () => {
    const { send } = served({}, options);
    const found = await send({ method: "GET", target: `${file}/FindReal?Key=k&Count=1&username=u`, headers: [host] });
    expect(bodyOf(found)).toContain('xmlns="http://real.example/"');
    expect(
      (await send({ method: "GET", target: `${file}/Find?Key=k&Count=1&username=u`, headers: [host] })).status,
    ).toBe(500);
    const wsdl = await send({ method: "GET", target: `${file}?wsdl`, headers: [host] });
    expect(bodyOf(wsdl)).toContain('targetNamespace="http://real.example/"><operation name="FindReal"/>');
  });

  test("of unknown namespaces and operations are refused", () => {
    expect(() => served({}, { wireNames: { namespaces: { thing: "urn:x" } } })).toThrowError(ConfigError);
    expect(() => served({}, { wireNames: { operations: { Ping: "Pong" } } })).toThrowError(ConfigError);
  });
});

test("a path of another service is left to others", () => {
  const { routes } = served();
  for (const target of [
    "/",
    "/api",
    "/api/things.asm",
    "/api/things.asmxx",
    "/API/things.asmx",
    "/api/things.ASMX/Find",
  ]) {
    expect(
      routes.answer({ method: "GET", target, headers: [], body: new Uint8Array(), signal: AbortSignal.abort() }),
    ).toBeUndefined();
  }
});

test("a service at the root of a site leaves other paths to other routes", async () => {
  const { routes, send } = served({}, { path: "/" });
  const at = (target: string) =>
    routes.answer({ method: "GET", target, headers: [], body: new Uint8Array(), signal: AbortSignal.abort() });
  expect(at("/other")).toBeUndefined();
  expect(await at("/Find")).toMatchObject({ status: 500 });
  expect(gist(await send({ ...message("soap11", findBody), target: "/" }))).toBe("200 FindResponse");
});

const get = (rest: string) => ({ method: "GET", target: file + rest, headers: [host] });

test.each([
  { what: "the WSDL", request: get("?wsdl") },
  { what: "the DISCO document", request: get("?disco") },
  { what: "an answer of HTTP GET", request: get("/Find?Key=k&Count=1&username=u") },
  { what: "an answer of SOAP", request: message("soap11", findBody) },
  { what: "a fault", request: message("soap12", "<unknown/>") },
])("$what is shown as nothing but XML by a browser", async ({ request }) => {
  const answer = await served().send(request);
  expect(headerOf(answer, "content-type")).toMatch(/xml/);
  expect(headerOf(answer, "x-content-type-options")).toBe("nosniff");
  expect(headerOf(answer, "content-security-policy")).toBe(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
  );
});
