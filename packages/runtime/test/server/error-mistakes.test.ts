import { describe, expect, test } from "vitest";
import { createRouter, RestError, restAnswer, type ServerIncident, SoapFault } from "../../src/server/index.js";
import { send, site } from "../rest/site.js";
import { bodyOf, findBody, headerOf, LimitFault, message, namespace, requestOf, served } from "./fixture.js";

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;
const reason = "No.";

/** Calls an operation whose handler throws an error, whatever members it has. */
async function thrown(error: unknown) {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const { routes } = served({ find: () => Promise.reject(error) }, { onError });
  const answer = await createRouter([routes])(requestOf(message("soap11", findBody)));
  return { answer, body: bodyOf(answer), incidents };
}

describe("a mistake in a SoapFault", () => {
  test("in a header block is reported with its path, and the client receives no details", async () => {
    const ping = () => Promise.reject(new SoapFault({ code: "Client", reason, soapHeaders: { Session: 5 } }));
    const { send: call, incidents } = served({ ping });
    const body = `<Number xmlns="${namespace}">6</Number>`;
    const answer = await call(message("soap11", body, { headers: [["Content-Type", "text/xml"]] }));
    expect(bodyOf(answer)).toContain("<faultcode>soap:Server</faultcode>");
    expect(bodyOf(answer)).not.toContain(reason);
    expect(incidents.filter(({ kind }) => kind === "encode")).toMatchObject([
      {
        operation: "Ping",
        path: "/Session",
        message:
          "A header block of the handler's fault does not fit the schema, so the client receives a fault without details.",
      },
    ]);
  });

  test.each([
    [{ code: "Nope" }, 'member "code" of the SoapFault must be one of Client, Server,', "soap:Server"],
    [
      { code: "Client", status: 1000 },
      'member "status" of the SoapFault must be an integer from 400 to 599, not 1000.',
    ],
    [{ code: "Client", status: 200 }, "400 to 599, not 200."],
    [{ code: "Client", status: "429" }, '400 to 599, not "429"'],
    [{ code: "Client", wireCode: "a b<c" }, 'member "wireCode" of the SoapFault must be a name, as {namespace}local'],
    [{ code: "Client", subcodes: ["{urn:a}b", "c d"] }, 'member "subcodes" of the SoapFault must be a name'],
    [{ code: "Client", subcodes: "c" }, 'member "subcodes" of the SoapFault must be a name'],
    [{ code: "Client", actor: 7 }, 'member "actor" of the SoapFault must be a string, not 7.'],
    [{ code: "Client", detail: cyclic }, "detail of the SoapFault is left out: it must be a string or an element"],
    [{ code: "Client", detail: [{ a: 1 }] }, "detail of the SoapFault is left out"],
    [{ code: "Client", actor: "a\ud800" }, 'XML forbids the character U+D800 in the member "actor" of the SoapFault'],
  ] as const)(
    "%j is reported once, and the rest of the fault is sent",
    async (members, mistake, code: string = "soap:Client") => {
      const { body, incidents } = await thrown(new SoapFault({ reason, ...members } as never));
      expect(incidents).toHaveLength(1);
      expect(incidents[0]).toMatchObject({
        kind: "handler",
        operation: "Find",
        message: expect.stringContaining(mistake),
      });
      expect(body).toContain(`<faultcode>${code}</faultcode><faultstring>No.</faultstring>`);
    },
  );

  test("is reported for a fault that the operation does not declare, with its class", async () => {
    class GoneFault extends SoapFault<object> {}
    const { incidents } = await thrown(new GoneFault({ reason, detail: { Left: 1 } }));
    const message = expect.stringMatching(/not an object\. The operation Find does not declare the fault GoneFault\.$/);
    expect(incidents).toMatchObject([{ kind: "handler", operation: "Find", message }]);
  });

  test.each([{ reason: { a: 1 } }, { reason: undefined }, {}])(
    "%j is reported once, and the client receives a general fault",
    async (members) => {
      const { answer, body, incidents } = await thrown(new SoapFault({ code: "Client", ...members } as never));
      expect(incidents).toMatchObject([
        { kind: "handler", operation: "Find", message: expect.stringContaining("reason") },
      ]);
      expect(answer.status).toBe(500);
      expect(body).toContain("<faultcode>soap:Server</faultcode>");
    },
  );

  test("with a character that XML forbids is reported, and the client receives another character", async () => {
    const mistake = expect.stringContaining("XML forbids the character U+0000 in the me");
    for (const error of [
      new SoapFault({ code: "Client", reason: "a\u0000b" }),
      new RestError({ code: "no", message: "a\u0000b", status: 400 }),
    ]) {
      const { body, incidents } = await thrown(error);
      expect(incidents).toMatchObject([{ kind: "handler", operation: "Find", message: mistake }]);
      expect(body).toContain("<faultstring>a\ufffdb</faultstring>");
    }
  });

  test("is added to the incident about its cause", async () => {
    const { incidents } = await thrown(new SoapFault({ reason, status: 1, cause: new Error("why") }));
    expect(incidents).toMatchObject([
      { kind: "handler", message: expect.stringMatching(/without its cause\. The member "status"/) },
    ]);
  });

  test.each([
    new SoapFault({ code: "Client", reason, status: 429, wireCode: "{urn:a}b", subcodes: ["c"], detail: ["text"] }),
    new SoapFault({ reason, wireCode: "{http://schemas.xmlsoap.org/soap/envelope/}Client.Limit" }),
    new LimitFault({ reason, detail: { Left: 1 } }),
    // The members of a fault from another service are not the handler's.
    new SoapFault({ reason, operation: "Other", status: 200, wireCode: "p:unknown prefix" }),
  ])("is not found in a valid one (%#)", async (error) => {
    const { incidents } = await thrown(error);
    expect(incidents.filter(({ message: text }) => /member|detail/.test(text))).toEqual([]);
  });
});

describe("a mistake in a RestError", () => {
  const init = { code: "no", message: "No.", status: 400 };

  const cases = [
    [{ status: 1000 }, 'member "status" of the RestError must be an integer from 400 to 599, not 1000.'],
    [{ code: undefined }, 'member "code" of the RestError must be a string, not undefined.'],
    [{ message: { a: 1 } }, 'member "message" of the RestError must be a string, not an object.'],
    [{ headers: { a: "b" } }, 'member "headers" of the RestError must be a Map, Headers or pairs, not an object.'],
    [{ headers: new Map([["X-A", "a\r\nb: c"]]) }, 'HTTP does not allow a character in the value of the header "X-A".'],
    [{ data: cyclic }, 'member "data" of the RestError must be an object that JSON can represent'],
    [{ data: [1] }, 'member "data" of the RestError must be an object that JSON can represent, not an array.'],
    [{ data: new Map([["a", 1]]) }, 'The member "data" of the RestError is of the type Map, which JSON cannot'],
    [{ data: { a: [Number.NaN] } }, 'The value /a/0 of the member "data" of the RestError is not a finite number.'],
    [{ data: { a: [undefined] } }, 'The value /a/0 of the member "data" of the RestError is undefined, which JSON'],
    [{ data: { a: { b: () => 1 } } }, 'The value /a/b of the member "data" of the RestError is a function, which JSON'],
    [{ data: { a: new Date(Number.NaN) } }, 'value /a of the member "data" of the RestError is an invalid Date.'],
  ] as const;

  test.each(cases)("%j is reported once over SOAP", async (members, mistake) => {
    const { answer, incidents } = await thrown(new RestError({ ...init, ...members } as never));
    expect(incidents).toMatchObject([
      { kind: "handler", operation: "Find", message: expect.stringContaining(mistake) },
    ]);
    expect(answer.status).toBe(500);
    expect(bodyOf(answer)).toContain("<faultcode>soap:Server</faultcode>");
  });

  test.each(cases)("%j is reported once over REST", async (members, mistake) => {
    const incidents: ServerIncident[] = [];
    const handler = () => Promise.reject(new RestError({ ...init, ...members } as never));
    const answer = await send(
      site({ onError: (incident) => void incidents.push(incident) }, handler),
      "GET /core/v2/items",
    );
    expect(answer).toMatchObject({ status: 500, faultCode: "internal_server_error" });
    expect(incidents).toMatchObject([
      { kind: "handler", operation: "core.items.list", message: expect.stringContaining(mistake) },
    ]);
  });

  test("is not found in a valid one", async () => {
    const headers = new Map<string, string>([["Retry-After", 5 as never]]);
    const data = { params: { a: undefined }, at: new Date(0), none: null, list: [null, {}] };
    const { answer, incidents } = await thrown(new RestError({ ...init, status: 429, headers, data }));
    expect(incidents).toEqual([]);
    expect([answer.status, String(headerOf(answer, "retry-after"))]).toEqual([429, "5"]);
  });
});

/** An error with a member of its own, which it gets from the same object. */
class QuotaError extends SoapFault {
  readonly statuses: readonly number[];
  constructor(init: { readonly reason: string; readonly statuses: readonly number[] }) {
    super(init);
    this.statuses = init.statuses;
  }
}

describe("a misspelled member", () => {
  test.each([
    [{ headers: { Session: "s" } }, '"headers". Did you mean "soapHeaders"?'],
    [{ soapheaders: {} }, '"soapheaders". Did you mean "soapHeaders"?'],
    [{ details: "d" }, '"details". Did you mean "detail"?'],
    [{ httpStatus: 429 }, '"httpStatus". Did you mean "status"?'],
    [{ faultActor: "a" }, '"faultActor". Did you mean "actor"?'],
  ])("%j of a SoapFault is reported, and the rest is sent", async (members, mistake) => {
    const { body, incidents } = await thrown(new SoapFault({ code: "Client", reason, ...members } as never));
    const message = expect.stringContaining(`A SoapFault has no member ${mistake}`);
    expect(incidents).toMatchObject([{ kind: "handler", operation: "Find", message }]);
    expect(body).toContain("<faultcode>soap:Client</faultcode><faultstring>No.</faultstring>");
  });

  test.each(["detail", "details", "params", "payload", "errorData"])(
    "%s is reported as the data of a RestError",
    async (name) => {
      const { incidents } = await thrown(
        new RestError({ code: "no", message: "No.", status: 400, [name]: { a: 1 } } as never),
      );
      const message = expect.stringContaining(`A RestError has no member "${name}". Did you mean "data"?`);
      expect(incidents).toMatchObject([{ kind: "handler", operation: "Find", message }]);
    },
  );

  test("of a RestError is reported, and the rest is sent", async () => {
    const error = new RestError({
      code: "no",
      message: "No.",
      status: 429,
      header: new Map([["Retry-After", "5"]]),
    } as never);
    const { answer, incidents } = await thrown(error);
    const message = expect.stringContaining('A RestError has no member "header". Did you mean "headers"?');
    expect(incidents).toMatchObject([{ kind: "handler", operation: "Find", message }]);
    expect(answer.status).toBe(429);
    const restIncidents: ServerIncident[] = [];
    const routes = site({ onError: (incident) => void restIncidents.push(incident) }, () => Promise.reject(error));
    expect((await send(routes, "GET /core/v2/items")).status).toBe(429);
    expect(restIncidents).toMatchObject([{ kind: "handler", operation: "core.items.list", message }]);
  });

  test.each([
    new SoapFault({ code: "Client", reason, soapHeaders: undefined, details: undefined } as never),
    new SoapFault({ code: "Client", reason, title: "t", id: 7 } as never),
    new SoapFault({ code: "Client", reason, operation: "Other", details: "d" } as never),
    new QuotaError({ reason, statuses: [1] }),
  ])("is not found in other members (%#)", async (error) => {
    const { incidents } = await thrown(error);
    expect(incidents.filter(({ message }) => message.includes("has no member"))).toEqual([]);
  });
});

test.each([
  [Number.NaN, undefined],
  [{ items: [1, { price: Number.POSITIVE_INFINITY, other: null }] }, "/items/1/price"],
])("an answer with the number %j, which JSON cannot represent, is refused and reported", async (body, path) => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const answer = await send(
    site({ onError }, () => body),
    "GET /core/v2/items",
  );
  expect(answer.status).toBe(500);
  expect(incidents).toMatchObject([{ kind: "encode", operation: "core.items.list", path }]);
  expect(String(incidents[0]?.error)).toContain("JSON has no NaN and no infinite numbers");
});

test.each([
  [{ total: -1 }, "The total of the answer must be an integer from 0, not -1."],
  [{ total: "5" }, "The total of the answer must be an integer from 0, not a string."],
  [
    { headers: new Map([["X-A", "1"]]) },
    "The headers of the answer must be an object, { name: value }, not an object of",
  ],
  [{ headers: { "Content-Encoding": "gzip" } }, "has the header Content-Encoding, but its body is not compressed"],
  [{ staus: 201 }, 'The function restAnswer has no member "staus". Did you mean "status"?'],
])("%j in restAnswer is refused and reported", async (members, mistake) => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const answer = await send(
    site({ onError }, () => restAnswer({ body: [], ...members } as never)),
    "GET /core/v2/items",
  );
  expect(answer.status).toBe(500);
  expect(incidents).toMatchObject([{ operation: "core.items.list" }]);
  expect(String(incidents[0]?.error)).toContain(mistake);
});

test("other members of restAnswer, such as those of a client's result, are ignored", async () => {
  const answer = await send(
    site({}, () => restAnswer({ body: [], url: "http://a", totalPages: 1 } as never)),
    "GET /core/v2/items",
  );
  expect(answer.status).toBe(200);
});

test.each([204, 304])("a body with status %i, which allows none, is left out and reported", async (status) => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const message = expect.stringContaining(`has a body and the status ${status}, with which HTTP allows no body`);
  for (const [body, reports] of [
    [null, []],
    [[1], [{ kind: "encode", operation: "core.items.list", message }]],
  ] as const) {
    const answer = await send(
      site({ onError }, () => restAnswer({ status, body } as never)),
      "GET /core/v2/items",
    );
    expect([answer.status, answer.body]).toEqual([status, undefined]);
    expect(incidents).toMatchObject(reports);
  }
});

test("a header that concerns one connection is left out and reported", async () => {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const headers = { "transfer-encoding": "chunked", Trailer: "X-A", "X-A": "1", "Content-Encoding": "identity" };
  const answer = await send(
    site({ onError }, () => restAnswer({ body: [], headers })),
    "GET /core/v2/items",
  );
  expect(answer.status).toBe(200);
  expect(["transfer-encoding", "trailer", "x-a"].map((name) => headerOf(answer, name))).toEqual([
    undefined,
    undefined,
    "1",
  ]);
  expect(incidents).toMatchObject([
    {
      kind: "encode",
      message: expect.stringContaining("has the header transfer-encoding, Trailer, which concerns one"),
    },
  ]);
});
