import { once } from "node:events";
import { request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerIncident } from "@bothends/runtime/server";
import { expressMiddleware } from "@bothends/runtime/server/express";
import { fastifyPlugin } from "@bothends/runtime/server/fastify";
import { webMiddleware } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import { bespokeapiRoutes } from "@bothends/server/vehicle";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";

const guardedPaths = ["/api/bespokeapi.asmx", "/en/api/core"];

/** Routes whose handlers note their calls. */
function notedRoutes() {
  const calls: string[] = [];
  const incidents: ServerIncident[] = [];
  const note = <Answer>(name: string, answer: Answer): Answer => {
    calls.push(name);
    return answer;
  };
  const routes = [
    bespokeapiRoutes({ checkIrishTaxi: () => note("taxi", { LicenceNumber: "L" }) }, { missing: "fault" }),
    contentRoutes({ core: { blocks: { list: () => note("list", []) } } }, { missing: "error", plainPermalinks: false }),
  ];
  return {
    calls,
    incidents,
    routes,
    options: { onError: (incident: ServerIncident) => void incidents.push(incident) },
  };
}

type Noted = ReturnType<typeof notedRoutes>;
/** Sends a GET request with this path, and returns the status. */
type Send = (path: string) => Promise<number | undefined>;

/** Sends requests whose paths are written exactly as given, which `fetch` would change. */
async function sendTo(server: Server): Promise<Send> {
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return async (path) => {
    const sent = request({ port, host: "127.0.0.1", path, agent: false }).end();
    const [answer] = await once(sent, "response");
    answer.resume();
    return answer.statusCode;
  };
}

const frameworks: readonly { readonly name: string; readonly serve: (noted: Noted) => Promise<Send> }[] = [
  {
    name: "Express",
    async serve({ routes, options }) {
      const app = express();
      for (const path of guardedPaths) {
        app.use(path, (_, response) => void response.status(401).end());
      }
      const server = app.use(expressMiddleware(routes, options)).listen(0, "127.0.0.1");
      await once(server, "listening");
      return sendTo(server);
    },
  },
  {
    name: "Fastify",
    async serve({ routes, options }) {
      const app = Fastify();
      onTestFinished(() => app.close());
      app.addHook("onRequest", async (received, reply) =>
        guardedPaths.some((path) => received.url.toLowerCase().startsWith(path)) ? reply.code(401).send() : undefined,
      );
      await app.register(fastifyPlugin(routes, options));
      return async (url) => (await app.inject({ method: "GET", url })).statusCode;
    },
  },
  {
    name: "Hono",
    async serve({ routes, options }) {
      const answer = webMiddleware(routes, options);
      const app = new Hono();
      app.use(async (context, next) => {
        const { pathname } = new URL(context.req.url);
        return guardedPaths.some((path) => pathname.toLowerCase().startsWith(path)) ? context.text("", 401) : next();
      });
      app.use(async (context, next) => (await answer(context.req.raw)) ?? next());
      return async (path) => (await app.request(`http://site.example${path}`)).status;
    },
  },
];

const query = "CheckIrishTaxi?regNumber=1";
test.each(frameworks)("a guard by path of $name cannot be bypassed with another spelling", async ({ serve }) => {
  const noted = notedRoutes();
  const send = await serve(noted);
  expect(await send(`/api/bespokeapi.asmx/${query}`)).toBe(401);
  expect(await send("/en/api/core/v2/blocks")).toBe(401);
  expect(await send("/en/api/Core/v2/blocks")).toBe(401);
  const spellings = [
    `/api/%62espokeapi.asmx/${query}`,
    `/%61pi/bespokeapi.asmx/${query}`,
    `/api/bespokeapi%2Easmx/${query}`,
    `/api/bespokeapi%2easmx/${query}`,
    `/api%2Fbespokeapi.asmx/${query}`,
    `/api//bespokeapi.asmx/${query}`,
    `/api/bespokeapi.asmx;a=b/${query}`,
    "/en/api/%63ore/v2/blocks",
    "/en/api/%43ORE/v2/blocks",
    "/en/%61pi/core/v2/blocks",
    "/%65n/api/core/v2/blocks",
    "/en/api//core/v2/blocks",
    "/en/api;a=b/core/v2/blocks",
    "/index.php/en/api/core/v2/blocks",
    "/?rest_route=/core/v2/blocks",
  ];
  for (const path of spellings) {
    expect([401, 404], path).toContain(await send(path));
  }
  expect(noted.calls).toEqual([]);
  expect(noted.incidents.filter(({ message }) => message.includes("escapes of characters that need none"))).not.toEqual(
    [],
  );
});
