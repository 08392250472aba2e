import type { CallEvent, RouterOptions, ServerIncident } from "@bothends/runtime/server";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { lambdaHandler } from "@bothends/runtime/server/lambda";
import { contentRoutes } from "@bothends/server/content";
import { regRoutes } from "@bothends/server/vehicle";
import Fastify, { type FastifyInstance } from "fastify";
import { describe, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { envelope, usa } from "../battery/requests.js";

// Answers that the platform replaces, or would end without an answer: each has one incident that names the cause.

const path = "/en/api/core/v2/blocks";

function observed() {
  const incidents: ServerIncident[] = [];
  const events: CallEvent[] = [];
  const options: RouterOptions = {
    onError: (incident) => void incidents.push(incident),
    onCall: (event) => void events.push(event),
  };
  return { incidents, events, options };
}

describe("an answer in Fastify", () => {
  const hooks: readonly [string, (app: FastifyInstance) => void, number, string | undefined, RegExp | undefined][] = [
    ["passes unchanged", () => {}, 200, undefined, undefined],
    [
      "is lost because a hook throws",
      (app) =>
        app.addHook("onSend", async () => {
          throw new Error("no metrics");
        }),
      500,
      "threw an exception, so the client receives the status 500 in place of 200",
      /no metrics/,
    ],
    [
      "is lost because a hook throws an error with a status",
      (app) =>
        app.addHook("onSend", (_request, _reply, _payload, done) =>
          done(Object.assign(new Error("s"), { statusCode: 503 })),
        ),
      503,
      "the status 503 in place of 200",
      /Error: s/,
    ],
    [
      "is changed to 502 by a hook",
      (app) => app.addHook("onSend", async (_request, reply) => void reply.code(502)),
      502,
      "changed the answer, so the client receives the status 502 in place of 200",
      undefined,
    ],
    [
      "is lost because a hook returns a number",
      (app) => app.addHook("onSend", async () => 5 as never),
      500,
      "the status 500 in place of 200",
      /payload/,
    ],
    [
      "is changed to 404 by a hook",
      (app) => app.addHook("onSend", async (_, reply) => void reply.code(404)),
      404,
      undefined,
      undefined,
    ],
  ];

  test.each(hooks)("%s", async (_, addHook, status, message, cause) => {
    const { incidents, events, options } = observed();
    const app = Fastify();
    addHook(app);
    await app.register(fastifyPlugin([contentRoutes(createContentSample())], options));
    const answer = await app.inject({ url: path });
    await app.close();
    expect(answer.statusCode).toBe(status);
    const expected = { kind: "config", message: expect.stringContaining(message ?? ""), operation: "core.blocks.list" };
    expect(incidents).toMatchObject(message === undefined ? [] : [expected]);
    expect(String(incidents[0]?.error)).toMatch(cause ?? /^undefined$/);
    expect(events).toMatchObject([{ status }]);
    expect(events[0]?.error?.kind).toBe(message === undefined ? undefined : "config");
  });

  test("with status 500 of the routes is not reported a second time", async () => {
    const { incidents, options } = observed();
    const app = Fastify();
    app.addHook("onSend", async (_, reply) => void reply.code(503));
    const checkUSA = () => {
      throw new Error("no database");
    };
    await app.register(fastifyPlugin([regRoutes({ checkUSA }, { missing: "fault" })], options));
    const headers = { "content-type": "text/xml" };
    await app.inject({ method: "POST", url: "/api/reg.asmx", headers, payload: envelope(usa()) });
    await app.close();
    expect(incidents).toMatchObject([{ kind: "handler" }]);
  });

  test.each([
    [100, 1],
    [1_048_576, 0],
    [2_000_000, 1],
    [5_000_000, 0],
  ])("is not limited by a bodyLimit of %i, which is reported if it is smaller", async (bodyLimit, count) => {
    const { incidents, options } = observed();
    const app = Fastify({ bodyLimit });
    await app.register(fastifyPlugin([contentRoutes(createContentSample())], options));
    await app.ready();
    await app.close();
    const message = expect.stringContaining(`The option bodyLimit of Fastify, ${bodyLimit}, does not limit`);
    expect(incidents).toMatchObject(Array.from({ length: count }, () => ({ kind: "config", message })));
  });
});

describe("a handler in Lambda that does not end before the time limit of the function", () => {
  const never = () => new Promise<never>(() => {});
  const sample = createContentSample();
  const blocks = { ...sample.core.blocks, list: never };
  const routes = [
    regRoutes({ checkUSA: never }, { missing: "fault" }),
    contentRoutes({ ...sample, core: { ...sample.core, blocks } }),
  ];
  const requestContext = (method: string) => ({ http: { method } });
  const headers = { "content-type": "text/xml", host: "h" };
  const calls = [
    {
      name: "SOAP",
      event: { rawPath: "/api/reg.asmx", headers, body: envelope(usa()), requestContext: requestContext("POST") },
      operation: "CheckUSA",
      body: /<soap:Fault>|<faultcode>/,
    },
    {
      name: "REST",
      event: { rawPath: path, headers: { host: "h" }, requestContext: requestContext("GET") },
      operation: "core.blocks.list",
      body: /"code":"rest_timeout"/,
    },
  ];

  test.each(calls)("is answered and reported before: $name", async ({ event, operation, body }) => {
    const { incidents, options } = observed();
    const end = performance.now() + 1_000;
    const answer = await lambdaHandler(routes, options)(
      { version: "2.0", ...event },
      { getRemainingTimeInMillis: () => end - performance.now() },
    );
    expect(answer.body).toMatch(body);
    const message = expect.stringContaining("increase the time limit of the function");
    expect(incidents).toMatchObject([{ kind: "limit.handlerTimeout", operation, message }]);
  });

  test("has the time limit of the routes if this is shorter", async () => {
    const { incidents, options } = observed();
    const limited = regRoutes({ checkUSA: never }, { missing: "fault", limits: { handlerTimeout: 50 } });
    await lambdaHandler([limited], options)(
      { version: "2.0", ...calls[0]?.event },
      { getRemainingTimeInMillis: () => 900_000 },
    );
    expect(incidents).toMatchObject([{ limit: { value: 50 }, message: expect.stringContaining("handlerTimeout") }]);
  });
});
