import { describe, expect, test } from "vitest";
import { formatIncident } from "../../src/observe/incident-lines.js";
import { createRouter, RestError, type ServerIncident, SoapFault } from "../../src/server/index.js";
import { send, site } from "../rest/site.js";
import { findBody, gist, LimitFault, message, requestOf, served } from "./fixture.js";

// Values of handlers that throw when they are read: revoked proxies, proxies with traps, and getters.

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function fail(): never {
  throw new Error("closed");
}

const withGetter = (name: string | symbol): object => Object.defineProperty({}, name, { get: fail, enumerable: true });

/** Values that must not be examined. The server learns this before it knows their members. */
const opaque: readonly (readonly [string, () => unknown])[] = [
  ["a revoked Proxy", () => revoked({})],
  ["a revoked Proxy of a list", () => revoked([])],
  ["a revoked Proxy of a function", () => revoked(() => {})],
  ["a getter of then", () => withGetter("then")],
  ["a trap for the prototype", () => new Proxy({}, { getPrototypeOf: fail })],
  ["a getter of the class", () => withGetter(Symbol.toStringTag)],
];

/** Values of which only members cannot be read. */
const partlyReadable: readonly (readonly [string, () => unknown])[] = [
  ["a getter", () => withGetter("Name")],
  ["a getter of toJSON", () => withGetter("toJSON")],
  ["a getter of the constructor", () => withGetter("constructor")],
  ["a revoked Proxy in a member", () => ({ Pair: revoked({}) })],
  ["a trap for the names", () => new Proxy({ Name: "a" }, { ownKeys: fail })],
];

const ways = {
  "returned at once": (create: () => unknown) => ({ handler: create }),
  "returned later": (create: () => unknown) => ({ handler: async () => create() }),
  "returned by middleware": (create: () => unknown) => ({ handler: () => ({}), use: async () => create() }),
  "resolved by an object with the method then": (create: () => unknown) => ({
    // biome-ignore lint/suspicious/noThenProperty: some libraries return such objects.
    handler: () => ({ then: (resolve: (value: unknown) => void) => resolve(create()) }),
  }),
  thrown: (create: () => unknown) => ({
    handler: () => {
      throw create();
    },
  }),
  "thrown later": (create: () => unknown) => ({ handler: () => Promise.reject(create()) }),
};

interface Mistake {
  readonly handler: () => unknown;
  readonly use?: () => unknown;
}

/** Calls an operation, and returns the gist of its answer and the incidents. */
async function callSoap({ handler, use }: Mistake) {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const { routes } = served({ find: handler as never }, { onError, use: use === undefined ? [] : [use] });
  const answer = await createRouter([routes], { onError })(requestOf(message("soap11", findBody)));
  return { answer: gist(answer), incidents, operation: "Find" };
}

async function callRest({ handler, use }: Mistake, query = "") {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const routes = site({ onError, use: use === undefined ? [] : [use] }, handler as never);
  const { status, faultCode } = await send(routes, `GET /core/v2/items${query}`);
  return { answer: `${status} ${faultCode}`, incidents, operation: "core.items.list" };
}

function expectFailure({ answer, incidents, operation }: Awaited<ReturnType<typeof callSoap>>): string {
  expect(answer).toMatch(/^500 (?:soap:Server|internal_server_error)/);
  expect(incidents).toHaveLength(1);
  expect(incidents[0]).toMatchObject({ kind: expect.stringMatching(/^(?:handler|encode)$/), operation });
  const [line = ""] = incidents.map((incident) => formatIncident(incident, { format: "text" }));
  expect(line).toMatch(/closed|revoked|Not an Error|cannot be logged/);
  return line;
}

describe.each([...opaque, ...partlyReadable])("%s in the value of a handler", (_, create) => {
  test.each(Object.entries(ways))("that is %s ends the call with one incident", async (_way, mistake) => {
    expectFailure(await callSoap(mistake(create)));
    expectFailure(await callRest(mistake(create)));
  });
});

test.each(opaque)("%s is named as the answer of the handler", async (_, create) => {
  const named = 'The handler, or a function in the option \\"use\\", returned a value that cannot be read';
  for (const result of [await callSoap({ handler: create }), await callRest({ handler: create })]) {
    expect(expectFailure(result).replaceAll("\\", "")).toContain(named.replaceAll("\\", ""));
  }
});

test.each(partlyReadable)("%s is named as an answer that does not fit", async (_, create) => {
  for (const result of [await callSoap({ handler: create }), await callRest({ handler: create })]) {
    expect(expectFailure(result)).toContain("The handler's answer does not fit the schema.");
  }
});

test.each([
  ["?_fields=id", withGetter("id")],
  ["?_fields=id", [withGetter("id")]],
  ["?_embed", withGetter("_links")],
  ["?_embed", { _links: withGetter("self") }],
])("a getter that throws for %s is named as a part of the answer", async (query, body) => {
  expect(expectFailure(await callRest({ handler: () => body }, query))).toContain("The handler's answer does not fit");
});

test.each([...opaque, ...partlyReadable])("%s in an error for the caller ends the call", async (_, create) => {
  const value = create() as never;
  for (const error of [
    new LimitFault({ reason: "No.", detail: value }),
    new SoapFault({ code: "Client", reason: "No.", subcodes: [value] }),
  ]) {
    const { answer, incidents } = await callSoap({ handler: () => Promise.reject(error) });
    expect(answer).toMatch(/^500 soap:/);
    expect(incidents).toMatchObject([{ operation: "Find" }]);
  }
  const restError = new RestError({ code: "no", message: "No.", status: 410, data: { value } });
  const { answer, incidents } = await callRest({ handler: () => Promise.reject(restError) });
  // JSON can represent some of these values.
  expect(answer).toBe(incidents.length === 0 ? "410 no" : "500 internal_server_error");
  expect(incidents.every(({ kind, operation }) => kind === "handler" && operation === "core.items.list")).toBe(true);
});

test.each([undefined, null])("a declared fault with the detail %s is a mistake of the handler", async (detail) => {
  const error = new LimitFault({ code: "Client", reason: "No.", detail: detail as never });
  const { answer, incidents } = await callSoap({ handler: () => Promise.reject(error) });
  expect(answer).toBe("500 soap:Server +detail");
  expect(incidents).toMatchObject([
    { kind: "handler", operation: "Find", message: expect.stringContaining("The fault LimitFault has no detail") },
  ]);
});
