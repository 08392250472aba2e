import { expect, test } from "vitest";
import { RestError, type ServerIncident } from "../../src/server/index.js";
import { send, site } from "./site.js";

test("authorize is called with the valid input, and determines the Allow header", async () => {
  const calls: string[] = [];
  const routes = site({
    authorize: ({ operation, method, input }) => {
      calls.push(`${operation} ${method} ${JSON.stringify(input)}`);
      return method === "GET";
    },
  });
  expect((await send(routes, "POST /core/v2/items", { json: { status: "bogus" } })).status).toBe(400);
  const refused = await send(routes, "POST /core/v2/items", { json: { author: 1 } });
  expect(refused.json).toEqual({
    code: "rest_forbidden",
    message: "Sorry, you are not allowed to do that.",
    data: { status: 401 },
  });
  expect(refused.header("Allow")).toBe("GET");
  expect(calls).toContain('core.items.create POST {"author":1}');
  const known = await send(routes, "POST /core/v2/items", { headers: { Authorization: "Basic eA==" } });
  expect(known.status).toBe(403);
  expect((await send(routes, "GET /core/v2/items")).status).toBe(200);
});

test.each([
  ["a known user", { id: 1 }, {}, 403],
  ["a known user with credentials", { id: 1 }, { Authorization: "Basic eA==" }, 403],
  ["an unknown user with credentials", undefined, { Authorization: "Basic eA==" }, 403],
  ["an unknown user", undefined, {}, 401],
])("a refused call of %s gets the status of WordPress", async (_, principal, headers, status) => {
  for (const authenticate of [() => principal, async () => principal]) {
    const routes = site({ authenticate, authorize: () => false });
    expect((await send(routes, "GET /core/v2/items", { headers })).status).toBe(status);
  }
});

test.each([
  [true, 200],
  [false, 401],
])("authorize may return any thenable, of %s", async (isAllowed, status) => {
  // biome-ignore lint/suspicious/noThenProperty: a promise without its method catch
  const thenable = { then: (fulfil: (value: boolean) => void) => fulfil(isAllowed) };
  const routes = site({ authorize: () => thenable as Promise<boolean> });
  expect((await send(routes, "GET /core/v2/items")).status).toBe(status);
});

const noDirectory = (): never => {
  throw new Error("no directory");
};

test.each([
  ["for the Allow header", "GET", 200],
  ["for the call too", "none", 500],
])("if authorize throws %s, this is reported once", async (_, allowed, status) => {
  const incidents: ServerIncident[] = [];
  const routes = site({
    authorize: ({ method }) => method === allowed || noDirectory(),
    onError: (incident) => void incidents.push(incident),
  });
  expect((await send(routes, "GET /core/v2/items/4")).status).toBe(status);
  expect(incidents).toHaveLength(1);
  expect(incidents[0]).toMatchObject({
    kind: "handler",
    message: expect.stringContaining('The function in the option "authorize" threw an exception.'),
    error: new Error("no directory"),
    route: "/core/v2/items/(?P<id>[\\d]+)",
  });
  expect(incidents[0]?.message.includes("header Allow")).toBe(status === 200);
});

test("authorize may refuse methods of the Allow header with errors, which are not reported", async () => {
  const incidents: ServerIncident[] = [];
  const routes = site({
    authorize: ({ method }) => {
      if (method !== "GET") {
        throw new RestError({ code: "rest_no", message: "No.", status: 403 });
      }
      return true;
    },
    onError: (incident) => void incidents.push(incident),
  });
  expect((await send(routes, "GET /core/v2/items")).header("Allow")).toBe("GET");
  expect(incidents).toEqual([]);
});
