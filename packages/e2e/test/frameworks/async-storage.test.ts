import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { webMiddleware } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import { bespokeapiRoutes } from "@bothends/server/vehicle";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";

// What middleware of a framework found, such as the user of passport, reaches the routes in an `AsyncLocalStorage`.

interface Found {
  readonly user: string;
}
const storage = new AsyncLocalStorage<Found>();

/** Routes that record the user of the storage in each of their functions. */
function recordingRoutes() {
  const seen: string[] = [];
  const record = (place: string) => void seen.push(`${place} ${storage.getStore()?.user}`);
  const options = {
    authenticate: () => {
      record("authenticate");
      return storage.getStore();
    },
    authorize: () => {
      record("authorize");
      return true;
    },
    use: async (_: unknown, next: () => unknown) => {
      record("use");
      return next();
    },
  };
  const checkIrishTaxi = () => {
    record("handler");
    return null;
  };
  const create = () => {
    record("handler");
    return { id: 1 } as never;
  };
  const routes = [
    bespokeapiRoutes({ checkIrishTaxi }, { missing: "fault", ...(options as object) }),
    contentRoutes({ core: { blocks: { create } } }, { missing: "error", ...(options as object) }),
  ];
  return { seen, routes };
}

type Routes = ReturnType<typeof recordingRoutes>["routes"];
/** Sends a request, and returns the status. */
type Send = (path: string, init: RequestInit & { readonly body: string }) => Promise<number>;

/** The user whose name is in a header, as middleware might find it. */
function findUser(header: unknown): Found {
  return { user: String(header) };
}

const frameworks: Readonly<Record<string, (routes: Routes) => Promise<Send>>> = {
  async Express(routes) {
    const app = express();
    app.use((incoming, _, next) => storage.run(findUser(incoming.headers["x-user"]), next));
    const server = app.use(expressMiddleware(routes)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return async (path, init) => (await fetch(`http://127.0.0.1:${port}${path}`, init)).status;
  },
  async Fastify(routes) {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.addHook("preHandler", (received, _, done) => storage.run(findUser(received.headers["x-user"]), done));
    await app.register(fastifyPlugin(routes));
    return async (url, { headers, body }) =>
      (await app.inject({ method: "POST", url, headers: headers as Record<string, string>, payload: body })).statusCode;
  },
  async Hono(routes) {
    const app = new Hono();
    app.use((context, next) => storage.run(findUser(context.req.header("x-user")), next));
    const answer = webMiddleware(routes);
    app.use(async (context, next) => (await answer(context.req.raw, context.env)) ?? next());
    return async (path, init) => (await app.request(path, init)).status;
  },
};

const envelope = (text: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckIrishTaxi xmlns="http://vehicle.example/bespoke/"><regNumber>${text}</regNumber></CheckIrishTaxi></s:Body></s:Envelope>`;

test.each(Object.entries(frameworks))("values of middleware of %s reach all functions of a call", async (_, serve) => {
  const { routes, seen } = recordingRoutes();
  const send = await serve(routes);
  const places = ["authenticate", "authorize", "use", "handler"];
  // A long body arrives in several parts.
  const calls = ["ada", "bob", "eve"].flatMap((user, index) =>
    ["a", "a".repeat(300_000)].map(async (text) => {
      await new Promise((resolve) => setTimeout(resolve, index));
      const soap = await send("/api/bespokeapi.asmx", {
        method: "POST",
        headers: { "content-type": "text/xml", "x-user": user },
        body: envelope(text),
      });
      const rest = await send("/en/api/core/v2/blocks", {
        method: "POST",
        headers: { "content-type": "application/json", "x-user": user },
        body: JSON.stringify({ title: { raw: text } }),
      });
      expect([soap, rest]).toEqual([200, 200]);
    }),
  );
  await Promise.all(calls);
  const users = ["ada", "bob", "eve"];
  const wanted = users.flatMap((user) => places.flatMap((place) => Array(4).fill(`${place} ${user}`)));
  expect(seen.filter((text) => !text.startsWith("authorize")).sort()).toEqual(
    wanted.filter((text) => !text.startsWith("authorize")).sort(),
  );
  // REST also calls `authorize` for the header `Allow`.
  expect([...new Set(seen)].sort()).toEqual([...new Set(wanted)].sort());
});
