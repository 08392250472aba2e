import { describe, expect, onTestFinished, test, vi } from "vitest";
import { RestError, SoapFault } from "../../src/index.js";
import {
  type CallEvent,
  type CallToAuthorize,
  createRouter,
  isCallOf,
  type Middleware,
  middlewareFor,
  type OperationContext,
  type RestCallToAuthorize,
  type ServerIncident,
} from "../../src/server/index.js";
import { send, site } from "../rest/site.js";
import { bodyOf, find, findBody, gist, message, namespace, requestOf, served } from "./fixture.js";

interface User {
  readonly name: string;
}

const users: Readonly<Record<string, User>> = { "Bearer a": { name: "Ada" } };
const bearer = (token: string): Parameters<typeof message>[2] => ({
  headers: [
    ["Content-Type", "text/xml"],
    ["Authorization", token],
  ],
});

describe("authenticate", () => {
  test("gives a principal to authorize, to the handler and to events, over SOAP", async () => {
    const seen: unknown[] = [];
    const events: CallEvent[] = [];
    const { routes } = served(
      {
        find: (_, context: OperationContext<User>) => {
          seen.push(context.principal.name);
          return null;
        },
      },
      {
        authenticate: async ({ headers }) => users[headers.get("authorization") ?? ""],
        authorize: ({ principal }: CallToAuthorize<User | undefined>) => {
          seen.push(principal?.name);
          return principal !== undefined;
        },
      },
    );
    const router = createRouter([routes], { onCall: (event) => void events.push(event) });
    await router(requestOf(message("soap11", findBody, bearer("Bearer a"))));
    expect(seen).toEqual(["Ada", "Ada"]);
    expect(events).toMatchObject([{ principal: { name: "Ada" }, status: 200 }]);
    const refused = await router(requestOf(message("soap11", findBody, bearer("Bearer b"))));
    expect(gist(refused)).toBe("500 soap:Client +detail");
  });

  test("refuses with its fault", async () => {
    const { send: sendSoap, calls } = served(
      {},
      {
        authenticate: () => {
          throw new SoapFault({ code: "Client", reason: "The token has expired." });
        },
      },
    );
    expect(bodyOf(await sendSoap(message("soap11", findBody)))).toContain("The token has expired.");
    expect(calls).toEqual([]);
  });

  test("gives a principal to authorize and to the handler, over REST, once for each request", async () => {
    let count = 0;
    const routes = site(
      {
        authenticate: ({ headers }) => {
          count += 1;
          return users[headers.get("authorization") ?? ""];
        },
        authorize: ({ principal }: RestCallToAuthorize<User | undefined>) => principal !== undefined,
      },
      (_, { principal }) => ({ principal: (principal as User).name }),
    );
    expect((await send(routes, "GET /core/v2/items")).status).toBe(401);
    const answer = await send(routes, "GET /core/v2/items", { headers: { Authorization: "Bearer a" } });
    expect(answer.json).toEqual({ principal: "Ada" });
    expect(count).toBe(2);
  });

  test("refuses with its REST error", async () => {
    const routes = site({
      authenticate: () => Promise.reject(new RestError({ code: "expired", message: "Expired.", status: 401 })),
    });
    expect((await send(routes, "GET /core/v2/items")).json).toMatchObject({ code: "expired" });
  });
});

describe("a result of authenticate that counts as false but is not undefined", () => {
  const results = [
    [null, "null"],
    [false, "false"],
    [0, "0"],
    [Number.NaN, "NaN"],
    ["", "an empty string"],
  ] as const;

  test.each(results)("is refused over REST: %j", async (result, form) => {
    for (const authenticate of [() => result as never, async () => result as never]) {
      const incidents: ServerIncident[] = [];
      const handler = vi.fn(() => ({}));
      const options = {
        authenticate,
        authorize: ({ principal }: RestCallToAuthorize) => principal !== undefined,
        onError: (incident: ServerIncident) => void incidents.push(incident),
      };
      expect((await send(site(options, handler), "GET /core/v2/items")).status).toBe(500);
      expect(handler).not.toHaveBeenCalled();
      expect(incidents).toEqual([
        expect.objectContaining({
          kind: "handler",
          operation: "core.items.list",
          message: `The function in the option "authenticate" returned ${form}. It must return undefined for an anonymous caller.`,
        }),
      ]);
    }
  });

  test.each(results)("is refused over SOAP: %j", async (result, form) => {
    const {
      send: sendSoap,
      incidents,
      calls,
    } = served({}, { authenticate: async () => result, authorize: ({ principal }) => principal !== undefined });
    expect(gist(await sendSoap(message("soap11", findBody)))).toBe("500 soap:Server +detail");
    expect(calls).toEqual([]);
    expect(incidents).toEqual([
      expect.objectContaining({
        kind: "handler",
        operation: "Find",
        message: `The function in the option "authenticate" returned ${form}. It must return undefined for an anonymous caller.`,
      }),
    ]);
  });
});

describe("an error of authenticate", () => {
  const rest = { code: "no", message: "No." };
  const refusal = { kind: "request", message: 'The function in the option "authenticate" refused the call.' };
  const failure = { kind: "handler", message: 'The function in the option "authenticate" threw an exception.' };
  const cases = [
    { thrown: "a RestError", error: new RestError({ ...rest, status: 401 }), incident: refusal },
    { thrown: "a RestError with status 503", error: new RestError({ ...rest, status: 503 }), incident: failure },
    {
      thrown: "a RestError of another service",
      error: new RestError({ ...rest, status: 404, operation: "users.get" }),
      incident: failure,
    },
  ];

  test.each(cases)("that is $thrown is reported as $incident.kind over REST", async ({ error, incident }) => {
    const incidents: ServerIncident[] = [];
    const onError = (reported: ServerIncident) => void incidents.push(reported);
    await send(site({ authenticate: () => Promise.reject(error), onError }), "GET /core/v2/items");
    expect(incidents).toEqual([
      expect.objectContaining({ ...incident, error, operation: "core.items.list", protocol: "rest" }),
    ]);
  });

  test.each([
    ...cases,
    { thrown: "a SoapFault", error: new SoapFault({ reason: "No." }), incident: refusal },
    { thrown: "a SoapFault with status 500", error: new SoapFault({ reason: "No.", status: 500 }), incident: failure },
    {
      thrown: "a SoapFault of another service",
      error: new SoapFault({ reason: "No.", operation: "Find" }),
      incident: failure,
    },
  ])("that is $thrown is reported once as $incident.kind over SOAP", async ({ error, incident }) => {
    const { send: sendSoap, incidents } = served({}, { authenticate: () => Promise.reject(error) });
    await sendSoap(message("soap11", findBody));
    expect(incidents).toEqual([expect.objectContaining({ ...incident, error, operation: "Find", protocol: "soap11" })]);
  });
});

describe("an error with a status", () => {
  const thrown = (error: Error) => served({}, { use: () => Promise.reject(error) });
  const rest = (status: number) => new RestError({ code: "no", message: "Not now.", status });

  test.each([
    { error: rest(403), outcome: "403 soap:Client +detail" },
    { error: rest(429), outcome: "429 soap:Server +detail" },
    { error: rest(503), outcome: "503 soap:Server +detail" },
    { error: new SoapFault({ code: "Client", reason: "Not now.", status: 404 }), outcome: "404 soap:Client +detail" },
    { error: new SoapFault({ code: "Client", reason: "Not now." }), outcome: "500 soap:Client +detail" },
  ])("is a fault with $outcome over SOAP", async ({ error, outcome }) => {
    const { send: sendSoap, incidents } = thrown(error);
    const answer = await sendSoap(message("soap11", findBody));
    expect(gist(answer)).toBe(outcome);
    expect(bodyOf(answer)).toContain("Not now.");
    expect(incidents).toEqual([]);
  });

  test.each([
    new RestError({ code: "no", message: "Of another service.", status: 404, operation: "list" }),
    new SoapFault({ reason: "Of another service.", status: 404, operation: "Find" }),
  ])("does not apply to the answers of other services, which are reported: $name", async (error) => {
    const { send: sendSoap, incidents } = thrown(error);
    expect((await sendSoap(message("soap11", findBody))).status).toBe(500);
    expect(incidents).toMatchObject([{ kind: "handler", operation: "Find", error }]);
  });

  test("from another service is reported over REST", async () => {
    const incidents: ServerIncident[] = [];
    const error = new RestError({ code: "no", message: "Of another service.", status: 404, operation: "list" });
    const handler = () => Promise.reject(error);
    const routes = site({ onError: (incident) => void incidents.push(incident) }, handler);
    expect((await send(routes, "GET /core/v2/items")).status).toBe(500);
    expect(incidents).toMatchObject([
      { kind: "handler", message: expect.stringContaining("another service"), operation: "core.items.list", error },
    ]);
  });
});

describe("middleware", () => {
  test("runs around the handler in order, and may replace input and answer", async () => {
    const order: string[] = [];
    const { send: sendSoap, calls } = served(
      { find: () => ({ Name: "handler" }) },
      {
        use: [
          async (call, next) => {
            order.push(`first ${call.operation}`);
            const answer = await next();
            order.push("first again");
            return answer;
          },
          async (call, next) => {
            if (!isCallOf(call, find)) {
              return next();
            }
            order.push(`second ${call.input.Key}`);
            await next({ ...call.input, Key: "other" });
            return { Name: "replaced" };
          },
        ],
      },
    );
    const answer = await sendSoap(message("soap11", findBody));
    expect(bodyOf(answer)).toContain("<Name>replaced</Name>");
    expect(order).toEqual(["first Find", "second k", "first again"]);
    expect(calls[0]?.input).toMatchObject({ Key: "other" });
  });

  test("made for one operation runs only around its handler", async () => {
    const { send: sendSoap, calls } = served(
      { find: () => ({ Name: "handler" }) },
      {
        use: middlewareFor(find, async (call, next) => {
          const answer = await next({ ...call.input, Key: `${call.input.Key}!` });
          return { Name: `${answer?.Name} in ${call.operation}` };
        }),
      },
    );
    expect(bodyOf(await sendSoap(message("soap11", findBody)))).toContain("<Name>handler in Find</Name>");
    const headers: [string, string][] = [["Content-Type", "text/xml"]];
    await sendSoap(message("soap11", `<Notify xmlns="${namespace}"><Text>t</Text></Notify>`, { headers }));
    expect(calls.map(({ input }) => input)).toMatchObject([{ Key: "k!" }, { Text: "t" }]);
  });

  test.each([
    ["null", null],
    ["a string", "x"],
    ["an array", [{ Key: "k" }]],
  ])("that passes %s to next in place of an object is answered as an error of the server", async (form, input) => {
    const { send: sendSoap, incidents, calls } = served({}, { use: (_, next) => next(input) });
    expect((await sendSoap(message("soap11", findBody))).status).toBe(500);
    expect(calls).toEqual([]);
    expect(incidents).toMatchObject([
      {
        error: { message: `The middleware called next with ${form}, but the handler expects an object.` },
      },
    ]);
  });

  test("runs around REST handlers, and its errors are answered like theirs", async () => {
    const routes = site({
      use: async ({ input, context }, next) => {
        if ((input as { search?: string }).search === "no") {
          throw new RestError({ code: "no", message: "No.", status: 418 });
        }
        return { around: await next(), route: context.route } as never;
      },
    });
    expect((await send(routes, "GET /core/v2/items")).json).toMatchObject({
      route: "/core/v2/items",
      around: { operation: "core.items.list" },
    });
    expect((await send(routes, "GET /core/v2/items?search=no")).status).toBe(418);
  });

  test.each<[string, string, number, Middleware<OperationContext>]>([
    ["calls no next", " and did not call next, so the handler did not run", 0, async () => undefined],
    ["does not return the result of next", "", 1, async (_, next) => void (await next())],
    ["does not wait for next", "", 1, (_, next) => void next()],
  ])("is reported if it %s", async (_, consequence, callCount, use) => {
    const { send: sendSoap, incidents, calls } = served({}, { use: [(_call, next) => next(), use] });
    const answer = await sendSoap(message("soap11", findBody));
    // A caller would take the answer null for "not found".
    expect(gist(answer)).toBe("500 soap:Server +detail");
    expect(calls).toHaveLength(callCount);
    expect(incidents).toMatchObject([
      {
        kind: "hook",
        operation: "Find",
        message: expect.stringContaining(`Function 2 of the option "use" returned undefined${consequence}.`),
      },
    ]);
  });

  test("that loses the answer is answered with 500 over REST", async () => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const use = async (_: unknown, next: () => Promise<unknown>) => void (await next());
    const answer = await send(
      site({ onError, use }, () => []),
      "GET /core/v2/items",
    );
    expect(answer).toMatchObject({ status: 500, faultCode: "internal_server_error" });
    expect(incidents).toMatchObject([{ kind: "hook", operation: "core.items.list" }]);
  });

  /** Functions of `use` that make an answer which does not fit, and the part of the incident that names them. */
  const misfits: readonly [string, Middleware<never>, { find?: () => never }][] = [
    ["replaces the handler's answer", (_, next) => next().then(() => 5), {}],
    ["answers without the handler", () => 5, {}],
    [
      "catches an error of the handler and answers",
      (_, next) => next().catch(() => 5),
      {
        find: () => {
          throw new Error("no database");
        },
      },
    ],
  ];

  test.each(misfits)("is named if it %s", async (_, use, handlers) => {
    const { send: sendSoap, incidents } = served(handlers, {
      use: [(_call, next) => next(), use, (_c, next) => next()],
    });
    await sendSoap(message("soap11", findBody));
    expect(incidents).toMatchObject([
      { kind: "encode", message: expect.stringContaining('The answer of function 2 of the option "use" does not fit') },
    ]);
  });

  test.each(misfits)("is named by REST routes and the event of the call if it %s", async (_, use, { find }) => {
    const incidents: ServerIncident[] = [];
    const events: CallEvent[] = [];
    const stream = () => new ReadableStream() as never;
    const misfit: Middleware<never> = async (call, next) => {
      await use(call, next);
      return stream();
    };
    const router = createRouter(
      [site({ use: misfit, onError: (incident: ServerIncident) => incidents.push(incident) } as never, find)],
      {
        onCall: (event) => events.push(event),
      },
    );
    const target = "/en/api/core/v2/items";
    const signal = new AbortController().signal;
    await router({ method: "GET", target, headers: [["Host", "site.example"]], body: new Uint8Array(), signal });
    await vi.waitFor(() => expect(events).toHaveLength(1));
    const text = 'The answer of function 1 of the option "use" does not fit';
    expect(incidents).toMatchObject([{ kind: "encode", message: expect.stringContaining(text) }]);
    expect(events).toMatchObject([{ status: 500, error: { kind: "encode" } }]);
  });

  test("is not named if it returns the handler's answer, which does not fit", async () => {
    const { send: sendSoap, incidents } = served({ find: () => 5 as never }, { use: (_, next) => next() });
    await sendSoap(message("soap11", findBody));
    expect(incidents).toMatchObject([
      { kind: "encode", message: expect.stringContaining("The handler's answer does not fit the schema") },
    ]);
  });

  test("may answer an operation without an output with undefined, without a call of next", async () => {
    const { send: sendSoap, incidents, calls } = served({}, { use: async () => undefined });
    const headers: [string, string][] = [["Content-Type", "text/xml"]];
    await sendSoap(message("soap11", `<Notify xmlns="${namespace}"><Text>t</Text></Notify>`, { headers }));
    expect([calls, incidents]).toEqual([[], []]);
  });

  test("may return undefined if the handler does", async () => {
    const { send: sendSoap, incidents } = served({ find: () => undefined as never }, { use: (_, next) => next() });
    await sendSoap(message("soap11", findBody));
    expect(incidents.filter(({ kind }) => kind === "hook")).toEqual([]);
  });

  test("may call next only once", async () => {
    const {
      send: sendSoap,
      incidents,
      calls,
    } = served(
      {},
      {
        use: async (_, next) => {
          await next();
          return next();
        },
      },
    );
    expect(gist(await sendSoap(message("soap11", findBody)))).toBe("500 soap:Server +detail");
    expect(incidents).toMatchObject([
      { kind: "handler", error: { message: expect.stringContaining("more than once") } },
    ]);
    expect(calls).toHaveLength(1);
  });

  test("that calls next after it has answered is reported", async () => {
    const use: Middleware<OperationContext> = (_, next) => {
      setTimeout(() => void next(), 5);
      return null;
    };
    const { send: sendSoap, incidents, calls } = served({}, { use });
    expect(gist(await sendSoap(message("soap11", findBody)))).toBe("200 FindResponse");
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    expect(incidents).toMatchObject([
      {
        kind: "hook",
        operation: "Find",
        message:
          'Function 1 of the option "use" called next after it had ended. The handler runs, but the client does not receive its answer.',
      },
    ]);
  });

  const failing = () => Promise.reject(new Error("no database"));

  test.each<[string, Middleware<OperationContext>]>([
    [
      "does not wait for next",
      (_, next) => {
        next();
        return null;
      },
    ],
    [
      "waits for other things than next",
      async (_, next) => {
        next();
        await new Promise((resolve) => setTimeout(resolve, 5));
        return null;
      },
    ],
    [
      "calls next twice, and waits for neither",
      (_, next) => {
        next();
        next();
        return null;
      },
    ],
    [
      "fails without waiting for next",
      (_, next) => {
        next();
        throw new SoapFault({ reason: "No." });
      },
    ],
  ])("that %s ends no process, and the lost error is reported", async (_, use) => {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown) => void rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    onTestFinished(() => void process.off("unhandledRejection", onRejection));
    const { send: sendSoap, incidents } = served({ find: failing }, { use });
    await sendSoap(message("soap11", findBody));
    await vi.waitFor(() =>
      expect(incidents).toContainEqual(
        expect.objectContaining({
          kind: "hook",
          operation: "Find",
          message: 'Function 1 of the option "use" did not wait for next, which failed.',
          error: expect.objectContaining({ message: "no database" }),
        }),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(rejections).toEqual([]);
  });

  test.each<[string, Middleware<OperationContext>]>([
    [
      "awaits next late",
      async (_, next) => {
        const answer = next();
        await new Promise((resolve) => setTimeout(resolve, 5));
        return answer.catch(() => null);
      },
    ],
    ["waits for next with Promise.all", async (_, next) => Promise.all([next(), 1]).catch(() => null)],
  ])("that %s handles its error, which is not reported", async (_, use) => {
    const { send: sendSoap, incidents } = served({ find: failing }, { use });
    expect((await sendSoap(message("soap11", findBody))).status).toBe(200);
    expect(incidents).toEqual([]);
  });

  const throwing = () => {
    throw new Error("bug");
  };
  test.each<[string, Middleware<OperationContext>]>([
    ["throws", throwing],
    ["rejects", async () => throwing()],
    ["throws after next", async (_, next) => next().then(throwing)],
  ])("that %s is named in the incident, over SOAP and REST", async (_, use) => {
    const { send: sendSoap, incidents } = served({}, { use: [(_call, next) => next(), use] });
    const ofRest: ServerIncident[] = [];
    const routes = site({ use: use as never, onError: (incident) => void ofRest.push(incident) });
    expect((await sendSoap(message("soap11", findBody))).status).toBe(500);
    expect((await send(routes, "GET /core/v2/items")).status).toBe(500);
    const expected = { kind: "handler", message: 'The function in the option "use" threw an exception.' };
    expect([incidents, ofRest]).toMatchObject([[{ ...expected, error: { message: "bug" } }], [expected]]);
  });

  test("that never answers is named in the incident, a handler that never answers is not", async () => {
    const limits = { handlerTimeout: 20 };
    const never = () => new Promise<never>(() => {});
    const ofMiddleware = served({}, { limits, use: never });
    const ofHandler = served({ find: never }, { limits, use: (_, next) => next() });
    await Promise.all([ofMiddleware, ofHandler].map(({ send: sendSoap }) => sendSoap(message("soap11", findBody))));
    expect(ofMiddleware.incidents).toMatchObject([
      { kind: "limit.handlerTimeout", message: expect.stringContaining('The function in the option "use" did not') },
    ]);
    expect(ofHandler.incidents).toMatchObject([
      { kind: "limit.handlerTimeout", message: expect.stringContaining("The handler did not") },
    ]);
  });

  test("sees the error that another middleware threw", async () => {
    const seen: unknown[] = [];
    const { send: sendSoap } = served(
      {},
      {
        use: [
          (_, next) =>
            next().catch((error: unknown) => {
              seen.push(error);
              return null;
            }),
          throwing,
        ],
      },
    );
    await sendSoap(message("soap11", findBody));
    expect(seen).toEqual([new Error("bug")]);
  });
});
