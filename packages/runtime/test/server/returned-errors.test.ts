import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { ConfigError } from "../../src/errors.js";
import { formatIncident } from "../../src/observe/incident-lines.js";
import { checkTlsOptions } from "../../src/server/adapters/node/tls/tls-options.js";
import { webHandler, webMiddleware } from "../../src/server/adapters/web-fetch.js";
import {
  createRouter,
  type OnError,
  RestError,
  restAnswer,
  type ServerIncident,
  SoapFault,
} from "../../src/server/index.js";
import { send, site } from "../rest/site.js";
import { findBody, gist, message, requestOf, served } from "./fixture.js";

// Mistakes of handlers and of programs that would otherwise be lost, or be blamed on something else.

async function reportsOf(run: (options: { onError: OnError }) => unknown) {
  const incidents: ServerIncident[] = [];
  await run({ onError: (incident) => void incidents.push(incident) });
  return { incidents, lines: incidents.map((incident) => formatIncident(incident, { format: "text" })) };
}

class Gone extends Error {}
const returned = 'The handler, or a function in the option "use", returned an Error. It must throw it.';

describe.each([
  ["an Error", () => new Error("db down")],
  ["an Error of a class", () => new Gone("db down")],
  ["an Error with a cause", () => new Error("outer", { cause: new Error("db down") })],
  ["a SoapFault", () => new SoapFault({ reason: "db down" })],
  ["a RestError", () => new RestError({ code: "a", message: "db down", status: 410 })],
])("%s that a handler returns instead of throwing it", (_, create) => {
  test.each([
    ["at once", () => create()],
    ["later", async () => create()],
  ])("%s is reported with its text and stack over SOAP", async (_when, find) => {
    const { incidents, lines } = await reportsOf(async (options) => {
      const { routes } = served({ find }, options);
      const answer = await createRouter([routes])(requestOf(message("soap11", findBody)));
      expect(gist(answer)).toBe("500 soap:Server +detail");
    });
    expect(incidents).toMatchObject([{ kind: "handler", message: returned, operation: "Find" }]);
    expect(lines[0]).toMatch(/db down.*returned-errors\.test/s);
  });

  test.each([
    ["at once", () => create()],
    ["later", async () => create()],
  ])("%s is reported with its text and stack over REST", async (_when, handler) => {
    const { incidents, lines } = await reportsOf(async (options) => {
      expect((await send(site(options, handler), "GET /core/v2/items")).status).toBe(500);
    });
    expect(incidents).toMatchObject([{ kind: "handler", message: returned }]);
    expect(lines[0]).toMatch(/db down.*returned-errors\.test/s);
  });

  test("by a function of the option use is reported", async () => {
    const { incidents } = await reportsOf(async ({ onError }) => {
      const { routes } = served({}, { onError, use: async () => create() });
      await createRouter([routes])(requestOf(message("soap11", findBody)));
    });
    expect(incidents).toMatchObject([{ kind: "handler", message: returned }]);
  });
});

test.each([
  ["an Error", () => new Error("db down")],
  ["an Error of a class", () => new Gone("db down")],
])("%s in a list is reported with its text and stack", async (_, create) => {
  const { incidents, lines } = await reportsOf(async (options) => {
    const handler = () => Promise.allSettled([1, Promise.reject(create())]);
    expect((await send(site(options, handler), "GET /core/v2/items")).status).toBe(500);
  });
  expect(incidents).toMatchObject([{ kind: "encode", path: "/1/reason" }]);
  expect(lines[0]).toMatch(/is an Error, which JSON cannot represent\. Throw it.*db down.*returned-errors\.test/s);
});

test.each([
  [() => restAnswer({ data: [] } as never), 'has no member "data". Use status, headers, body, total.', undefined],
  [() => restAnswer({ Body: [] } as never), 'has no member "Body". Did you mean "body"?', undefined],
  [
    () => [
      {
        get lazy() {
          throw new Error("closed");
        },
      },
    ],
    "The answer cannot be written as JSON.",
    "/0/lazy",
  ],
  [() => ({ a: [1, { b: "\ud800" }] }), "The answer contains a lone surrogate.", "/a/1/b"],
  [() => ({ a: [1n] }), "The answer cannot be written as JSON.", "/a/0"],
])("an answer of REST that cannot be written is explained %#", async (handler, text, path) => {
  const { incidents, lines } = await reportsOf(async (options) => {
    expect((await send(site(options, handler), "GET /core/v2/items")).status).toBe(500);
  });
  expect(incidents).toMatchObject([{ kind: "encode", ...(path === undefined ? {} : { path }) }]);
  expect(lines[0]).toContain(text.replaceAll('"', '\\"'));
});

test("other members beside a body are ignored", async () => {
  const { incidents } = await reportsOf(async (options) => {
    const handler = () => restAnswer({ body: [], data: 1 } as never);
    expect((await send(site(options, handler), "GET /core/v2/items")).status).toBe(200);
  });
  expect(incidents).toEqual([]);
});

test.each(["key", "cert", "pfx"])("an empty tls.%s is refused when the server starts", (name) => {
  for (const empty of ["", " \n", new Uint8Array(), [], [""]]) {
    expect(() => checkTlsOptions({ key: "k", cert: "c", [name]: empty })).toThrow(
      new ConfigError(`The option "tls.${name}" is empty: check the file or the variable that it comes from.`),
    );
  }
});

test.each([
  [{ raw: new Request("http://h/"), url: "http://h/" }, "an object"],
  [{ req: {} }, "an object"],
  ["http://h/", "a string"],
  [undefined, "undefined"],
])("a handler of web requests that is called with %o names the mistake", async (argument, form) => {
  for (const create of [webHandler, webMiddleware]) {
    const { incidents } = await reportsOf(async (options) => {
      const answer = await create([served().routes], options)(argument as never);
      expect(answer?.status).toBe(500);
    });
    expect(incidents).toEqual([
      {
        kind: "config",
        message: `The first argument of the handler is ${form} instead of a Request. In Hono, pass c.req.raw.`,
      },
    ]);
  }
});

test("a handler that never ends does not keep a process running whose server is closed", () => {
  const program = `
    import { connect } from "node:net";
    import { once } from "node:events";
    import { listen } from "@bothends/runtime/server/node";
    import { healthRoutes } from "@bothends/runtime/server";
    const check = () => new Promise(() => {});
    const server = await listen([healthRoutes({ checks: { check }, timeout: 20_000 })], { host: "127.0.0.1", limits: { drainTimeout: 100 } });
    const client = connect(Number(new URL(server.url).port), "127.0.0.1");
    client.on("error", () => {});
    client.write("GET /ready HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n");
    await new Promise((resolve) => setTimeout(resolve, 200));
    client.destroy();
    await server.close();`;
  const { status, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    timeout: 10_000,
  });
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});
