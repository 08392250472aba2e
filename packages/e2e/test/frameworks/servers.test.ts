import "reflect-metadata";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect as http2Connect } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { VehicleClient } from "@bothends/client/vehicle";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import {
  type CallEvent,
  healthRoutes,
  type RateLimitStore,
  type Routes,
  rateLimitedRoutes,
} from "@bothends/runtime/server";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { lambdaHandler } from "@bothends/runtime/server/lambda";
import { listen } from "@bothends/runtime/server/node";
import { webHandler, webMiddleware } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import cors from "@fastify/cors";
import { getRequestListener } from "@hono/node-server";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter, type NestExpressApplication } from "@nestjs/platform-express";
import { Test } from "@nestjs/testing";
import express, { type ErrorRequestHandler } from "express";
import Fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import supertest from "supertest";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";

const routes = [vehicleRoutes(vehicleSample), contentRoutes(createContentSample())];
const soapPath = "/api/bespokeapi.asmx";
const message = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckIrishTaxi xmlns="http://vehicle.example/bespoke/"><regNumber>05D1</regNumber></CheckIrishTaxi></s:Body></s:Envelope>`;

/** Calls the SOAP interface with the generated client, and the REST interface with fetch, and checks the answers. */
async function expectAnswers(url: string): Promise<void> {
  const client = new VehicleClient({ baseUrl: url });
  expect(await client.bespokeapi.checkIrishTaxi({ regNumber: "05D1" })).not.toBeUndefined();
  const listed = await fetch(`${url}/en/api/core/v2/blocks`);
  expect(listed.status).toBe(200);
  expect(Array.isArray(await listed.json())).toBe(true);
}

describe("Fastify", () => {
  async function app(prepare: (instance: FastifyInstance) => Promise<void> | void = () => {}, options = {}) {
    const instance = Fastify();
    onTestFinished(() => instance.close());
    await prepare(instance);
    await instance.register(fastifyPlugin(routes, options));
    return instance;
  }
  const call = { method: "GET", url: `${soapPath}/CheckIrishTaxi?regNumber=05D1` } as const;

  test("serves over a socket", async () => {
    await expectAnswers(await (await app()).listen({ port: 0, host: "127.0.0.1" }));
  });

  test("answers the method inject, without a socket", async () => {
    const answer = await (await app()).inject(call);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/xml; charset=utf-8"]);
    expect(answer.body).toContain("IrishTaxi");
    const posted = await (await app()).inject({
      method: "POST",
      url: soapPath,
      headers: { "content-type": "text/xml", soapaction: '""' },
      payload: message.replace("vehicle.example", "other.example"),
    });
    expect(posted.statusCode).toBe(500);
    expect(posted.body).toContain("<soap:Fault>");
  });

  test("runs its hooks, which may add headers and replace the answer", async () => {
    const seen: string[] = [];
    const instance = await app((fastify) => {
      fastify.addHook("onRequest", async () => void seen.push("onRequest"));
      fastify.addHook("preHandler", async () => void seen.push("preHandler"));
      fastify.addHook("onSend", async (_request, reply, payload) => {
        seen.push("onSend");
        reply.header("x-hook", "1");
        return payload;
      });
      fastify.addHook("onResponse", async (_request, reply) => void seen.push(`onResponse ${reply.statusCode}`));
    });
    const answer = await instance.inject(call);
    expect(answer.headers["x-hook"]).toBe("1");
    expect(answer.body).toContain("IrishTaxi");
    await vi.waitFor(() => expect(seen).toEqual(["onRequest", "preHandler", "onSend", "onResponse 200"]));
    const posted = {
      method: "POST",
      url: soapPath,
      headers: { "content-type": "text/xml" },
      payload: message,
    } as const;
    expect((await instance.inject(posted)).headers["x-hook"]).toBe("1");
  });

  test("reports calls with the method inject as completed, even with hooks and compressed answers", async () => {
    const events: CallEvent[] = [];
    const hook = (fastify: FastifyInstance) =>
      void fastify.addHook("onSend", async (_request, _reply, payload) => payload);
    const instance = await app(hook, { onCall: (event: CallEvent) => void events.push(event) });
    await instance.inject(call);
    await instance.inject({ method: "GET", url: `${soapPath}?wsdl`, headers: { "accept-encoding": "gzip" } });
    await vi.waitFor(() => expect(events).toMatchObject([{ completed: true }, { completed: true }]));
    expect(events.map(({ disconnectedAfter }) => disconnectedAfter)).toEqual([undefined, undefined]);
    expect(events.every(({ answerBytes = 0 }) => answerBytes > 0)).toBe(true);
  });

  test("lets a hook refuse a request before the routes", async () => {
    const instance = await app((fastify) => {
      fastify.addHook("onRequest", async (_request, reply) => reply.code(401).send("no"));
    });
    expect((await instance.inject(call)).statusCode).toBe(401);
  });

  test("leaves other requests to the app, which may have routes for every path", async () => {
    for (const isFirst of [true, false]) {
      const instance = await app((fastify) => {
        if (isFirst) {
          fastify.get("/*", async () => "app");
        }
        fastify.get("/", async () => "home");
      });
      if (!isFirst) {
        instance.get("/*", async () => "app");
      }
      const bodyOf = async (url: string) => (await instance.inject({ method: "GET", url })).body;
      expect(await bodyOf(call.url)).toContain("IrishTaxi");
      expect(JSON.parse(await bodyOf("/en/api/core/v2/blocks"))).toEqual(expect.any(Array));
      expect(JSON.parse(await bodyOf("/en/api/none"))).toMatchObject({ code: "rest_no_route" });
      expect([await bodyOf("/other"), await bodyOf("/"), await bodyOf("/api/other.asmx")]).toEqual([
        "app",
        "home",
        "app",
      ]);
    }
  });

  test("may be registered several times in one app", async () => {
    const instance = await app((fastify) => void fastify.register(fastifyPlugin([healthRoutes()])));
    expect((await instance.inject({ method: "GET", url: "/health" })).json()).toMatchObject({ status: "ok" });
    expect((await instance.inject(call)).body).toContain("IrishTaxi");
    expect((await instance.inject({ method: "GET", url: "/other" })).statusCode).toBe(404);
  });

  test("works with @fastify/cors", async () => {
    const instance = await app(
      async (fastify) => void (await fastify.register(cors, { origin: "https://page.example" })),
      { handleOptions: false },
    );
    const headers = { origin: "https://page.example" };
    const answer = await instance.inject({ ...call, headers });
    expect(answer.headers["access-control-allow-origin"]).toBe("https://page.example");
    const preflight = { ...headers, "access-control-request-method": "POST" };
    const preflightAnswer = await instance.inject({ method: "OPTIONS", url: soapPath, headers: preflight });
    expect([preflightAnswer.statusCode, preflightAnswer.headers["access-control-allow-origin"]]).toEqual([
      204,
      "https://page.example",
    ]);
  });

  test("keeps @fastify/compress from reading the bodies of requests", async () => {
    const decompress: unknown[] = [];
    await app(async (fastify) => {
      fastify.addHook("onRoute", (options) => void decompress.push((options as { decompress?: unknown }).decompress));
    });
    expect(decompress.filter((value) => value === false)).toHaveLength(1);
  });

  test("leaves the allowed origins of REST routes to @fastify/cors", async () => {
    const origin = (from: string | undefined, done: (error: null, isAllowed: boolean) => void) =>
      done(null, from === "https://page.example");
    const instance = await app(async (fastify) => void (await fastify.register(cors, { origin, credentials: true })), {
      handleOptions: false,
    });
    const headersFor = async (from: string) =>
      (await instance.inject({ url: "/en/api/core/v2/blocks", headers: { origin: from } })).headers;
    expect(await headersFor("https://page.example")).toMatchObject({
      "access-control-allow-origin": "https://page.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": expect.stringContaining("X-WP-Total"),
    });
    expect((await headersFor("https://other.example"))["access-control-allow-origin"]).toBeUndefined();
  });

  test("names each header once in Vary", async () => {
    const instance = await app(
      async (fastify) => void (await fastify.register(cors, { origin: ["https://a.example"] })),
      {
        handleOptions: false,
      },
    );
    const { headers } = await instance.inject({ url: "/en/api/core/v2/blocks" });
    expect(String(headers["vary"]).split(", ").sort()).toEqual(["Origin"]);
  });

  test("refuses requests over HTTP/2 without a warning of Node", async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on("warning", onWarning);
    const instance = Fastify({ http2: true });
    const session = await (async () => {
      const limits = { bodyBytes: 1_000 };
      await instance.register(fastifyPlugin([vehicleRoutes(vehicleSample, { limits })], { onError: () => {} }));
      return http2Connect(await instance.listen({ port: 0, host: "127.0.0.1" }));
    })();
    onTestFinished(async () => {
      process.off("warning", onWarning);
      session.destroy();
      await instance.close();
    });
    const headers = { ":method": "PUT", ":path": soapPath, "content-type": "text/xml" };
    const stream = session.request(headers).on("error", () => {});
    stream.write("x".repeat(5_000));
    const [head] = await once(stream, "response");
    expect(head[":status"]).toBe(405);
    expect(head["connection"]).toBeUndefined();
    await delay(20);
    expect(warnings).toEqual([]);
  });

  test("sends the headers of hooks and @fastify/cors with the answer to a request that was not read", async () => {
    const limits = { bodyBytes: 1_000 };
    const instance = Fastify();
    onTestFinished(() => instance.close());
    const seen: unknown[] = [];
    await instance.register(cors, { origin: ["https://page.example"] });
    instance.addHook("onSend", async (_request, reply, payload) => {
      seen.push(typeof payload);
      reply.header("strict-transport-security", "max-age=1");
    });
    const ended = new Promise((resolve) => instance.addHook("onResponse", async () => resolve("onResponse")));
    const limitedRoutes = [
      vehicleRoutes(vehicleSample, { limits }),
      contentRoutes(createContentSample(), { limits, onError: () => {} }),
    ];
    await instance.register(fastifyPlugin(limitedRoutes, { handleOptions: false, onError: () => {} }));
    const url = await instance.listen({ port: 0, host: "127.0.0.1" });
    const requests = [
      { path: soapPath, method: "POST", type: "text/xml", size: 500_000 },
      { path: soapPath, method: "PUT", type: "text/xml", size: 20 },
      { path: "/en/api/core/v2/blocks", method: "POST", type: "application/json", size: 500_000 },
      { path: "/en/api/core/v2/blocks", method: "POST", type: "application/json", size: 20, cookie: "a=1" },
    ];
    for (const { path, method, type, size, cookie = "" } of requests) {
      for (const origin of ["https://page.example", "https://other.example"]) {
        const isOwn = origin === "https://page.example";
        const headers = { "content-type": type, origin, ...(cookie === "" ? {} : { cookie }) };
        const body = "x".repeat(size);
        const answer = await fetch(url + path, { method, headers, body });
        const injectedAnswer = await instance.inject({ method: method as "POST", url: path, headers, payload: body });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(injectedAnswer.statusCode).toBe(answer.status);
        expect((await answer.text()).length).toBe(Number(answer.headers.get("content-length")));
        for (const found of [Object.fromEntries(answer.headers), injectedAnswer.headers]) {
          expect(found).toMatchObject({ "strict-transport-security": "max-age=1", connection: "close" });
          expect(found["access-control-allow-origin"]).toBe(isOwn ? origin : undefined);
        }
      }
    }
    expect(new Set(seen)).toEqual(new Set(["string"]));
    expect(await ended).toBe("onResponse");
  });

  test("sends the CORS headers of the routes if no plugin sets them", async () => {
    const instance = Fastify();
    onTestFinished(() => instance.close());
    const allowOrigin = (from: string) => from === "https://page.example";
    await instance.register(fastifyPlugin([contentRoutes(createContentSample(), { allowOrigin })]));
    const { headers } = await instance.inject({
      url: "/en/api/core/v2/blocks",
      headers: { origin: "https://page.example" },
    });
    expect(headers).toMatchObject({
      "access-control-allow-origin": "https://page.example",
      "access-control-allow-credentials": "true",
    });
  });

  test("receives a stream with the method inject", async () => {
    const payload = Readable.from([message]);
    const headers = { "content-type": "text/xml" };
    const answer = await (await app()).inject({ method: "POST", url: soapPath, headers, payload });
    expect(answer.body).toContain("CheckIrishTaxiResponse");
  });

  test("keeps its own routes and its not-found page", async () => {
    const instance = await app((fastify) => {
      fastify.get("/own", async () => "own");
      fastify.setNotFoundHandler((_request, reply) => void reply.code(404).send("not here"));
    });
    expect((await instance.inject("/own")).body).toBe("own");
    expect((await instance.inject("/other")).body).toBe("not here");
  });

  test("sends compressed answers and reports their sizes", async () => {
    const events: CallEvent[] = [];
    const instance = await app(undefined, { onCall: (event: CallEvent) => void events.push(event) });
    const url = await instance.listen({ port: 0, host: "127.0.0.1" });
    const answer = await fetch(`${url}${soapPath}?wsdl`);
    expect(answer.headers.get("content-encoding")).toMatch(/^(?:gzip|br)$/);
    expect(await answer.text()).toContain("definitions");
    await vi.waitFor(() => expect(events).toMatchObject([{ status: 200, completed: true }]));
    expect(events[0]?.answerBytes).toBe(Number(answer.headers.get("content-length")));
  });

  test("gives its hooks answers before they are compressed, and sends what replaces them as it is", async () => {
    const events: CallEvent[] = [];
    const payloads: unknown[] = [];
    const hook = (fastify: FastifyInstance) =>
      void fastify.addHook("onSend", async ({ url }, reply, payload) => {
        payloads.push(payload);
        if (url.endsWith("wsdl")) {
          return payload;
        }
        reply.code(418);
        return "tea";
      });
    const instance = await app(hook, { onCall: (event: CallEvent) => void events.push(event) });
    const headers = { "accept-encoding": "gzip" };
    const whole = await instance.inject({ url: `${soapPath}?wsdl`, headers });
    expect([whole.headers["content-encoding"], whole.headers["vary"]]).toEqual(["gzip", "Accept-Encoding"]);
    expect(gunzipSync(whole.rawPayload).toString()).toContain("definitions");
    const page = await instance.inject({ url: soapPath, headers });
    expect([page.statusCode, page.body, page.headers["content-encoding"]]).toEqual([418, "tea", undefined]);
    expect(payloads).toEqual([expect.stringContaining("definitions"), expect.stringContaining("<html")]);
    await vi.waitFor(() => expect(events).toMatchObject([{ status: 200 }, { status: 418, answerBytes: 3 }]));
  });

  test("sends its answers completely before the app is closed", async () => {
    const size = 20_000_000;
    const large: Routes = {
      name: "large",
      paths: ["/large"],
      answer: () => ({ status: 200, headers: [], body: new Uint8Array(size) }),
    };
    const instance = Fastify();
    await instance.register(fastifyPlugin([large]));
    await instance.listen({ port: 0, host: "127.0.0.1" });
    const { port } = instance.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "readable");
    const closed = instance.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    let receivedBytes = 0;
    socket.on("data", (chunk) => {
      receivedBytes += chunk.length;
    });
    await Promise.all([closed, once(socket, "close")]);
    expect(receivedBytes).toBeGreaterThan(size);
  });

  test.each([
    { options: {}, limits: { drainTimeout: 100 } },
    { options: { pluginTimeout: 500 }, limits: {} },
  ])(
    "with $options and $limits, closes without a client that does not read its answer",
    async ({ options, limits }) => {
      const large: Routes = { name: "large", answer: () => ({ status: 200, headers: [], body: new Uint8Array(2e7) }) };
      const instance = Fastify(options);
      await instance.register(fastifyPlugin([large], { limits }));
      await instance.listen({ port: 0, host: "127.0.0.1" });
      const { port } = instance.server.address() as AddressInfo;
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      socket.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
      await once(socket, "readable");
      const startedAt = performance.now();
      await instance.close();
      socket.destroy();
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    },
  );

  test("receives the answer to a body that is too large", async () => {
    const instance = Fastify();
    onTestFinished(() => instance.close());
    await instance.register(fastifyPlugin([vehicleRoutes(vehicleSample, { limits: { bodyBytes: 1_000 } })]));
    const url = await instance.listen({ port: 0, host: "127.0.0.1" });
    const headers = { "content-type": "text/xml" };
    const answer = await fetch(`${url}${soapPath}`, { method: "POST", headers, body: "x".repeat(500_000) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});

describe("Express", () => {
  async function serve(prepare: (app: ReturnType<typeof express>) => void): Promise<string> {
    const app = express();
    prepare(app);
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("serves beside its own routes, and after its own middleware", async () => {
    const url = await serve((app) => {
      app.use((_request, response, next) => {
        response.setHeader("X-Before", "1");
        next();
      });
      app.use(expressMiddleware(routes));
      app.get("/own", (_request, response) => void response.send("own"));
    });
    await expectAnswers(url);
    expect(await (await fetch(`${url}/own`)).text()).toBe("own");
    expect((await fetch(`${url}${soapPath}?wsdl`)).headers.get("x-before")).toBe("1");
  });

  test("lets earlier middleware decide which origins may read answers", async () => {
    const url = await serve((app) => {
      app.use(({ headers }, response, next) => {
        response.setHeader("Vary", "Accept, origin");
        if (headers.origin === "https://page.example") {
          response.setHeader("Access-Control-Allow-Origin", "https://page.example");
        }
        next();
      });
      app.use(expressMiddleware(routes));
    });
    const headersFor = async (origin: string) =>
      (await fetch(`${url}/en/api/core/v2/blocks`, { headers: { origin } })).headers;
    const allowed = await headersFor("https://page.example");
    expect(allowed.get("access-control-allow-origin")).toBe("https://page.example");
    const refused = await headersFor("https://other.example");
    expect(refused.get("access-control-allow-origin")).toBeNull();
    expect(refused.get("access-control-allow-credentials")).toBeNull();
    expect(refused.get("vary")).toBe("Accept, origin");
  });

  test("keeps the headers of earlier middleware: Set-Cookie, Access-Control-Allow-Origin and Vary", async () => {
    const answerHeaders = [
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
      ["Vary", "Origin"],
      ["Vary", "accept-language"],
      ["Access-Control-Allow-Origin", "*"],
    ] as const;
    const cookies: Routes = { name: "cookies", answer: () => ({ status: 200, headers: answerHeaders, body: "x" }) };
    const app = express();
    app.use((_request, response, next) => {
      response.append("Set-Cookie", "session=1").setHeader("Vary", "Accept-Language");
      response.setHeader("Access-Control-Allow-Origin", "https://page.example");
      next();
    });
    app.use(expressMiddleware([cookies]));
    const { headers } = await supertest(app).get("/");
    expect(headers["set-cookie"]).toEqual(["session=1", "a=1", "b=2"]);
    expect(headers["vary"]).toBe("Accept-Language, Origin");
    expect(headers["access-control-allow-origin"]).toBe("https://page.example");
  });

  test("does not cut off the answer to a slow client if its server is closed", async () => {
    const body = "<a/>".repeat(4_000_000);
    const large: Routes = { name: "large", answer: () => ({ status: 200, headers: [], body }) };
    const server = createServer(express().use(expressMiddleware([large])));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    let received = (await once(client, "data"))[0].length;
    client.pause();
    const closed = new Promise((resolve) => server.close(resolve));
    await delay(50);
    client.on("data", (bytes) => {
      received += bytes.length;
    });
    client.resume();
    await once(client, "close");
    expect(received).toBeGreaterThan(body.length);
    await closed;
  });

  test("answers supertest, also with an application that does not listen", async () => {
    const app = express();
    app.use(expressMiddleware(routes));
    app.get("/own", (_request, response) => void response.send("own"));
    const found = await supertest(app)
      .post(soapPath)
      .set("Content-Type", "text/xml")
      .set("SOAPAction", '"http://vehicle.example/bespoke/CheckIrishTaxi"')
      .send(message);
    expect([found.status, found.type]).toEqual([200, "text/xml"]);
    expect(found.text).toContain("CheckIrishTaxiResponse");
    await supertest(app).get("/en/api/core/v2/blocks").expect(200).expect("Content-Type", /json/);
    await supertest(app).post("/en/api/core/v2/blocks").type("form").send("title=a").expect(201);
    await supertest(app).get("/own").expect(200, "own");
    await supertest(app).get("/neither").expect(404);
  });

  test("passes an error of a body parser that runs before the routes to its error middleware", async () => {
    const failed: ErrorRequestHandler = (error: Error, _request, response, _next) =>
      void response.status(500).send(`failed: ${error.message}`);
    const url = await serve((app) => {
      app.use(express.text({ type: "text/xml" }));
      app.use(expressMiddleware(routes));
      app.use(failed);
    });
    const headers = { "content-type": "text/xml" };
    const answer = await fetch(`${url}${soapPath}`, { method: "POST", headers, body: message });
    expect(await answer.text()).toMatch(/^failed: .*before any body parser/);
  });
});

test("NestJS serves the routes as middleware, beside its controllers", async () => {
  class Health {
    status(): string {
      return "nest";
    }
  }
  Controller("nest")(Health);
  Get()(Health.prototype, "status", Object.getOwnPropertyDescriptor(Health.prototype, "status") ?? {});
  class App {}
  Module({ controllers: [Health] })(App);
  const app = await NestFactory.create(App, new ExpressAdapter(), { bodyParser: false, logger: false });
  onTestFinished(() => app.close());
  app.use(expressMiddleware(routes));
  await app.listen(0, "127.0.0.1");
  const url = (await app.getUrl()).replace("[::1]", "127.0.0.1");
  await expectAnswers(url);
  expect(await (await fetch(`${url}/nest`)).text()).toBe("nest");

  const module = await Test.createTestingModule({ controllers: [Health] }).compile();
  const tested = module.createNestApplication<NestExpressApplication>(new ExpressAdapter(), { bodyParser: false });
  onTestFinished(() => tested.close());
  tested.use(expressMiddleware(routes));
  await tested.init();
  const wsdl = await supertest(tested.getHttpServer()).get(`${soapPath}?wsdl`);
  expect([wsdl.status, wsdl.type]).toEqual([200, "text/xml"]);
  await supertest(tested.getHttpServer()).get("/nest").expect(200, "nest");
});

describe("Hono", () => {
  test("passes the address of the client on Node, and is tested with app.request, which has none", async () => {
    const addresses: (string | undefined)[] = [];
    const answer = webMiddleware(routes, { onCall: ({ remoteAddress }) => void addresses.push(remoteAddress) });
    const app = new Hono();
    app.use(async (context, next) => (await answer(context.req.raw, context.env)) ?? next());
    expect((await app.request(`${soapPath}?wsdl`)).status).toBe(200);
    const server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect((await fetch(`http://127.0.0.1:${port}${soapPath}?wsdl`)).status).toBe(200);
    expect(addresses).toEqual([undefined, "127.0.0.1"]);
  });

  test("serves beside its own routes and inside its own middleware", async () => {
    const answer = webMiddleware(routes);
    const app = new Hono();
    app.use(async (context, next) => {
      await next();
      context.header("x-hono", "1");
    });
    app.use(async (context, next) => (await answer(context.req.raw)) ?? next());
    app.get("/own", (context) => context.text("own"));
    const wsdl = await app.request(`http://h${soapPath}?wsdl`);
    expect([wsdl.status, wsdl.headers.get("x-hono")]).toEqual([200, "1"]);
    expect(await (await app.request("http://h/own")).text()).toBe("own");
    expect((await app.request("http://h/other")).status).toBe(404);
    const client = new VehicleClient({ transport: fetchTransport(async (request) => app.fetch(request)) });
    expect(await client.bespokeapi.checkIrishTaxi({ regNumber: "05D1" })).not.toBeUndefined();
  });
});

test.each([
  ["webMiddleware", webMiddleware(routes)],
  ["webHandler", webHandler(routes)],
])("%s rejects a request whose body was read before, with the reason", async (_, answer) => {
  const request = new Request(`http://h${soapPath}`, { method: "POST", body: message });
  await request.text();
  await expect(answer(request)).rejects.toThrow("before any middleware that reads it");
});

describe("Requests for which routes wait for a rate limit's store, and then do not match", () => {
  const store: RateLimitStore = { count: async (_key, window) => ({ requests: 1, resetsIn: window }) };
  const limited = [
    rateLimitedRoutes(contentRoutes(createContentSample()), { requests: 1, window: 1_000, store }),
    vehicleRoutes(vehicleSample),
  ];
  type Send = (method: string, path: string, body?: string) => Promise<{ status: number; text: string }>;
  const soapHeaders = { "content-type": "text/xml", soapaction: '"http://vehicle.example/bespoke/CheckIrishTaxi"' };
  const headers = { host: "h", ...soapHeaders };

  const fetchFrom =
    (url: string): Send =>
    async (method, path, body) => {
      const answer = await fetch(url + path, { method, headers: soapHeaders, body: body ?? null });
      return { status: answer.status, text: await answer.text() };
    };
  const web =
    (answer: (request: Request) => Promise<Response> | Response): Send =>
    async (method, path, body) => {
      const answered = await answer(new Request(`http://h${path}`, { method, headers, body: body ?? null }));
      return { status: answered.status, text: await answered.text() };
    };
  const serve = async (listener: RequestListener): Promise<Send> => {
    const server = createServer(listener).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    return fetchFrom(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
  const options = { remoteAddress: () => "203.0.113.7" };

  const adapters: readonly { readonly name: string; readonly start: () => Promise<Send> }[] = [
    {
      name: "Node",
      start: async () => {
        const server = await listen(limited, { host: "127.0.0.1" });
        onTestFinished(async () => void (await server.close()));
        return fetchFrom(server.url);
      },
    },
    {
      name: "Fastify",
      start: async () => {
        const app = Fastify();
        onTestFinished(() => app.close());
        await app.register(fastifyPlugin(limited));
        return fetchFrom(await app.listen({ port: 0, host: "127.0.0.1" }));
      },
    },
    { name: "Express", start: () => serve(express().use(expressMiddleware(limited))) },
    {
      name: "Hono",
      start: async () => {
        const answer = webMiddleware(limited, options);
        const app = new Hono().use(async ({ req }, next) => (await answer(req.raw)) ?? next());
        return web((request) => app.fetch(request));
      },
    },
    { name: "a web handler", start: async () => web(webHandler(limited, options)) },
    {
      name: "Lambda",
      start: async () => {
        const answer = lambdaHandler(limited);
        return async (method, address, body) => {
          const [rawPath, rawQueryString = ""] = address.split("?");
          const requestContext = { http: { method, sourceIp: "203.0.113.7" } };
          const event = { version: "2.0", rawPath, rawQueryString, headers, requestContext, body: body ?? null };
          const answered = await answer(event);
          return { status: answered.statusCode, text: answered.body };
        };
      },
    },
  ];

  test.each(adapters)("go to the next routes in $name", async ({ start }) => {
    const send = await start();
    expect((await send("GET", `${soapPath}?wsdl`)).status).toBe(200);
    const posted = await send("POST", soapPath, message);
    expect(posted.text).toContain("CheckIrishTaxiResponse");
    expect(posted.status).toBe(200);
    expect((await send("GET", "/en/api/core/v2/blocks")).status).toBe(200);
    expect((await send("GET", "/nowhere")).status).toBe(404);
  });
});

test("a route handler of Next.js receives a request and a context", async () => {
  const handler = webHandler(routes);
  const GET: (request: Request, context: { readonly params: Promise<object> }) => Promise<Response> = handler;
  const answer = await GET(new Request(`http://h${soapPath}?wsdl`), { params: Promise.resolve({}) });
  expect(answer.status).toBe(200);
});

describe("Lambda", () => {
  test.each([
    { requestContext: { http: { method: "GET", sourceIp: "203.0.113.7" } } },
    { requestContext: { identity: { sourceIp: "203.0.113.7" } } },
    {
      requestContext: { elb: {} },
      headers: { Host: "h", "X-Forwarded-For": "198.51.100.1, 203.0.113.7" },
    },
    {
      requestContext: { elb: {} },
      multiValueHeaders: { Host: ["h"], "x-forwarded-for": ["198.51.100.1", "203.0.113.7"] },
    },
    { requestContext: { elb: {} }, headers: { Host: "h", "X-Forwarded-For": "203.0.113.7:5001" } },
    {
      requestContext: { elb: {} },
      headers: { Host: "h", "X-Forwarded-For": "198.51.100.1:1, [2001:db8::7]:5001" },
      address: "2001:db8::7",
    },
  ])("has the client's address of %j, without its port", async ({ address = "203.0.113.7", ...event }) => {
    const addresses: (string | undefined)[] = [];
    const onCall = ({ remoteAddress }: { readonly remoteAddress?: string | undefined }) =>
      addresses.push(remoteAddress);
    await lambdaHandler(routes, { onCall: (each) => void onCall(each) })({ rawPath: "/en/api/", ...event });
    expect(addresses).toEqual([address]);
  });

  const handler = lambdaHandler(routes);
  const soapHeaders = { host: "api.example", "content-type": "text/xml" };

  test("answers events of HTTP APIs and function URLs (payload format 2.0)", async () => {
    const event = {
      version: "2.0",
      rawPath: `${soapPath}/CheckIrishTaxi`,
      rawQueryString: "regNumber=05%2BD1",
      headers: soapHeaders,
      requestContext: { http: { method: "GET" } },
    };
    const answer = await handler(event);
    expect(answer).toMatchObject({ statusCode: 200, isBase64Encoded: false });
    expect(answer.body).toContain("IrishTaxi");
  });

  test("answers events of REST APIs (payload format 1.0), with bodies in Base64", async () => {
    const event = {
      path: soapPath,
      httpMethod: "POST",
      headers: soapHeaders,
      multiValueHeaders: { Host: ["api.example"], "Content-Type": ["text/xml"] },
      body: Buffer.from(message).toString("base64"),
      isBase64Encoded: true,
    };
    const answer = await handler(event);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain("<LicenceNumber>05D1</LicenceNumber>");
    expect(answer.multiValueHeaders?.["content-type"]).toEqual([expect.stringContaining("xml")]);
  });

  describe.each(["path", "rawPath"])("with a decoded %s", (member) => {
    const event = (path: string) => ({ httpMethod: "GET", [member]: path, headers: { Host: "h" }, requestContext: {} });

    test.each(["?", "#", "\t", "\n"])("keeps the whole path although it contains %j", async (character) => {
      const { statusCode } = await handler(event(`/en/api/core/v2/project/5${character}context=edit`));
      expect(statusCode).toBe(404);
      expect((await handler(event(`/en/api/core/v2/pro${character}ject`))).statusCode).toBe(404);
    });

    test.each(["/x/../en/api", "/x/%2e%2E/en/api", "/en/./api", "/en/api/x/..", "en/api", "*", "@evil.example/en/api"])(
      "answers 400 to %s, which names another path than the gateway has checked, and reports it",
      async (path) => {
        const incidents: string[] = [];
        const onError = ({ message }: { readonly message: string }) => void incidents.push(message);
        expect((await lambdaHandler(routes, { onError })(event(path))).statusCode).toBe(400);
        expect(incidents).toEqual([expect.stringContaining("its path has a dot segment")]);
      },
    );

    test("does not read a backslash as a slash", async () => {
      expect((await handler(event("/x\\..\\en/api"))).statusCode).toBe(404);
    });
  });

  test.each([
    { what: "a host", event: { headers: { Host: 'h"><x' } } },
    { what: "a method", event: { httpMethod: "TRACE" } },
    { what: "a header", event: { headers: { Host: "h", "X-A": "\u2028" } } },
    { what: "a body", event: { httpMethod: "POST", body: "?", isBase64Encoded: true } },
  ])("answers 400 to an event with $what that is not valid", async ({ event }) => {
    expect((await handler({ httpMethod: "GET", path: "/en/api/", ...event })).statusCode).toBe(400);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["undefined", undefined],
    ["a text", "x"],
    ["that of a queue", { Records: [] }],
  ])("fails for an event that is %s, and reports it", async (_, event) => {
    const incidents: string[] = [];
    const onError = ({ message }: { readonly message: string }) => void incidents.push(message);
    await expect(lambdaHandler(routes, { onError })(event as never)).rejects.toThrow("The event is not a request");
    expect(incidents).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ["a request with a number as its path", { httpMethod: "GET", path: 5 }],
    ["a request without a context", { httpMethod: "GET", path: "//", requestContext: null }],
    ["a request with a text as its context", { httpMethod: "GET", path: "//", requestContext: "x" }],
  ])("answers and reports an event that is %s", async (_, event) => {
    const incidents: string[] = [];
    const onError = ({ message }: { readonly message: string }) => void incidents.push(message);
    const { statusCode } = await lambdaHandler(routes, { onError })(event as never);
    expect([400, 404]).toContain(statusCode);
    expect(incidents.length).toBe(statusCode === 400 ? 1 : 0);
  });

  test("encodes parameters again that were decoded", async () => {
    const event = {
      path: `${soapPath}/CheckIrishTaxi`,
      httpMethod: "GET",
      headers: soapHeaders,
      multiValueQueryStringParameters: { regNumber: ["a&b=c d"] },
    };
    expect((await handler(event)).statusCode).toBe(200);
  });

  test("gives compressed answers as Base64", async () => {
    const compressing = lambdaHandler(routes, { compress: true });
    const headers = { ...soapHeaders, "accept-encoding": "gzip" };
    const answer = await compressing({
      path: soapPath,
      httpMethod: "GET",
      queryStringParameters: { wsdl: "" },
      headers,
    });
    expect(answer).toMatchObject({ statusCode: 200, isBase64Encoded: true });
    expect(gunzipSync(Buffer.from(answer.body, "base64")).toString()).toContain("definitions");
  });
});
