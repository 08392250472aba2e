import { webMiddleware } from "@bothends/runtime/server/web";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { describe, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";

// Which pages may read the answers of routes in Hono: the routes decide, or the middleware `cors` of Hono.

const allowed = "https://app.example";
const paths = ["/own", "/en/api/core/v2/blocks", "/api/bespokeapi.asmx?wsdl", "/en/api/core/v2/unknown"];

function createApp(options: { handleOptions?: boolean }, settings: Parameters<typeof cors>[0]) {
  const routes = [contentRoutes(createContentSample()), vehicleRoutes(vehicleSample)];
  const answer = webMiddleware(routes, { ...options, onError: () => {} });
  const app = new Hono();
  app.use(cors(settings));
  app.get("/own", (context) => context.text("own"));
  app.use(async (context, next) => (await answer(context.req.raw)) ?? next());
  return app;
}

const settings = [
  { origin: [allowed] },
  { origin: (origin: string) => (origin === allowed ? origin : null), credentials: true },
] as const;

describe.each(settings)("cors of Hono (%#)", (setting) => {
  const app = createApp({ handleOptions: false }, setting as never);

  test.each(paths)("decides alone which origins may read %s", async (path) => {
    const reference = createApp({}, setting as never);
    for (const origin of [allowed, "https://other.example", undefined]) {
      const init = { headers: { ...(origin && { origin }) } };
      const { headers } = await app.request(path, init);
      const { headers: expected } = await reference.request("/own", init);
      for (const name of ["access-control-allow-origin", "access-control-allow-credentials"]) {
        expect([origin, name, headers.get(name)]).toEqual([origin, name, expected.get(name)]);
      }
    }
  });

  test.each(paths)("answers OPTIONS for %s", async (path) => {
    const headers = { "access-control-request-method": "POST" };
    const preflight = (origin: string) => app.request(path, { method: "OPTIONS", headers: { ...headers, origin } });
    const answer = await preflight(allowed);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, allowed]);
    expect((await preflight("https://other.example")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("leaves the headers that pages may read to the routes", async () => {
    const { headers } = await app.request("/en/api/core/v2/blocks", { headers: { origin: allowed } });
    expect(headers.get("access-control-expose-headers")).toContain("X-WP-Total");
  });
});

test("without cors of Hono, the routes decide", async () => {
  const answer = webMiddleware([contentRoutes(createContentSample())]);
  const app = new Hono().use(async (context, next) => (await answer(context.req.raw)) ?? next());
  const init = { headers: { origin: "https://other.example" } };
  const { headers } = await app.request("/en/api/core/v2/blocks", init);
  expect(headers.get("access-control-allow-origin")).not.toBeNull();
  expect((await app.request("/en/api/core/v2/blocks", { ...init, method: "OPTIONS" })).status).toBe(200);
});
