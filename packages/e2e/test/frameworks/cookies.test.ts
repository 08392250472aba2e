import { type RestResult, type Routes, restAnswer } from "@bothends/runtime/server";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { type LambdaEvent, lambdaHandler } from "@bothends/runtime/server/lambda";
import { webHandler, webMiddleware } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { cors } from "hono/cors";
import supertest from "supertest";
import { describe, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { adapters } from "../battery/adapters.js";

// A handler that sets several cookies, in each form and with each adapter.

const cookies = ["session=1; HttpOnly; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "lang=de"];
const path = "/en/api/core/v2/blocks";

const headersObject = new Headers({ "X-Login": "yes" });
for (const cookie of cookies) {
  headersObject.append("Set-Cookie", cookie);
}
const forms = {
  "a list": { "X-Login": "yes", "Set-Cookie": cookies },
  Headers: headersObject,
} satisfies Record<string, Parameters<typeof restAnswer>[0]["headers"]>;

/** Routes whose handler sets cookies. A middleware adds another header to its answer. */
function createRoutes(headers: (typeof forms)[keyof typeof forms]): Routes {
  const sample = createContentSample();
  const blocks = { ...sample.core.blocks, list: () => restAnswer({ body: [], headers }) };
  return contentRoutes(
    { ...sample, core: { ...sample.core, blocks } },
    {
      allowOrigin: (origin) => origin === "https://app.example",
      use: async (_call, next) => {
        const answer = (await next()) as RestResult;
        if (!(Object(answer).headers instanceof Object)) {
          return answer;
        }
        const { status, body, headers: answerHeaders } = answer as ReturnType<typeof restAnswer>;
        return restAnswer({ status, body, headers: { ...answerHeaders, "X-Added": "1" } });
      },
    },
  );
}

const init = { headers: { origin: "https://app.example" } };

describe.each(Object.entries(forms))("cookies in the form of %s", (_form, headers) => {
  test.each(Object.entries(adapters))("arrive with the adapter of %s", async (_adapter, start) => {
    const server = await start([createRoutes(headers)]);
    const answer = await fetch(server.url + path, init);
    await server.close();
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual(cookies);
    const others = ["x-login", "x-added", "access-control-allow-origin"].map((name) => answer.headers.get(name));
    expect(others).toEqual(["yes", "1", "https://app.example"]);
  });

  test("are in the Response of a web handler", async () => {
    const answer = await webHandler([createRoutes(headers)])(new Request(`http://h${path}`, init));
    expect(answer.headers.getSetCookie()).toEqual(cookies);
  });

  test("arrive beside the cookie of the middleware of Hono, and its cors", async () => {
    const answer = webMiddleware([createRoutes(headers)], { handleOptions: false });
    const app = new Hono();
    app.use(cors({ origin: "https://app.example", credentials: true }));
    app.use(async (context, next) => {
      await next();
      context.header("Set-Cookie", "hono=1", { append: true });
    });
    app.use(async (context, next) => (await answer(context.req.raw)) ?? next());
    const { headers: received } = await app.request(path, init);
    expect(received.getSetCookie()).toEqual([...cookies, "hono=1"]);
    expect(received.get("access-control-allow-origin")).toBe("https://app.example");
  });

  test("arrive beside the cookie of the middleware of Express", async () => {
    const app = express().use(
      (_request, response, next) => void next(response.append("Set-Cookie", "express=1") && ""),
    );
    const { headers: received } = await supertest(app.use(expressMiddleware([createRoutes(headers)]))).get(path);
    expect(received["set-cookie"]).toEqual(["express=1", ...cookies]);
  });

  test("arrive beside the cookie of a hook of Fastify", async () => {
    const app = Fastify();
    app.addHook("onRequest", async (_request, reply) => void reply.header("set-cookie", "fastify=1"));
    await app.register(fastifyPlugin([createRoutes(headers)]));
    const answer = await app.inject({ url: path });
    await app.close();
    expect(answer.headers["set-cookie"]).toEqual(["fastify=1", ...cookies]);
  });

  const requestHeaders = { host: "h" };
  const multiValueHeaders = { host: ["h"] };
  test.each<{ event: LambdaEvent; place: string }>([
    { event: { version: "2.0", rawPath: path, headers: requestHeaders }, place: "cookies" },
    { event: { version: "1.0", path, httpMethod: "GET", multiValueHeaders }, place: "multiValueHeaders" },
    { event: { path, multiValueHeaders, requestContext: { elb: {} } }, place: "multiValueHeaders" },
    { event: { path, headers: requestHeaders, requestContext: { elb: {} } }, place: "headers" },
  ])("are in $place of the answer to a Lambda event (%#)", async ({ event, place }) => {
    const answer = await lambdaHandler([createRoutes(headers)])(event);
    const values = {
      cookies: answer.cookies,
      multiValueHeaders: answer.multiValueHeaders?.["set-cookie"],
      headers: Object.entries(answer.headers).flatMap(([name, value]) => (/^set-cookie$/i.test(name) ? [value] : [])),
    };
    expect(values).toEqual({ cookies: undefined, multiValueHeaders: undefined, headers: [], [place]: cookies });
  });
});

test("an envelope contains all cookies", async () => {
  const handler = webHandler([createRoutes(forms["a list"])]);
  const answer = await handler(new Request(`http://h${path}?_envelope`));
  expect(await answer.json()).toMatchObject({ headers: { "Set-Cookie": cookies, "X-Added": "1" } });
});

test.each([
  [{ Link: ["<a>", "<b>"] }, 'The value of the header "Link" must be a string, not an array.'],
  [{ "Set-Cookie": ["a=1", 2n] }, 'The value of the header "Set-Cookie" must be a string, not'],
  [{ "Set-Cookie": ["a=1", "b\n"] }, 'HTTP does not allow a character in the value of the header "Set-Cookie".'],
  ["a: b", "The headers of the answer must be an object, { name: value }, not"],
  [["a: b"], "The headers of the answer must be an object, { name: value }, not"],
  [[["a", "b"]], "Convert them with new Headers(headers)."],
  [new Set([1]), "The headers of the answer must be an object, { name: value }, not"],
  [5, "The headers of the answer must be an object, { name: value }, not"],
])("headers that cannot be sent are reported (%#)", async (headers, message) => {
  const sample = createContentSample();
  const blocks = { ...sample.core.blocks, list: () => restAnswer({ body: [], headers: headers as never }) };
  const errors: string[] = [];
  const routes = contentRoutes({ ...sample, core: { ...sample.core, blocks } });
  const handler = webHandler([routes], { onError: ({ error }) => void errors.push(String(error)) });
  expect((await handler(new Request(`http://h${path}`))).status).toBe(500);
  expect(errors).toEqual([expect.stringContaining(message)]);
});
