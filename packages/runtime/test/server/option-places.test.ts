import { describe, expect, test } from "vitest";
import type { ServerIncident } from "../../src/observe/events.js";
import { expressMiddleware } from "../../src/server/adapters/express.js";
import { type FastifyOptions, fastifyPlugin } from "../../src/server/adapters/fastify.js";
import { lambdaHandler } from "../../src/server/adapters/lambda.js";
import { type ListenOptions, listen } from "../../src/server/adapters/node/listen.js";
import {
  type WebHandlerOptions,
  type WebMiddlewareOptions,
  webHandler,
  webMiddleware,
} from "../../src/server/adapters/web-fetch.js";
import {
  combineRoutes,
  createRouter,
  type OnError,
  type RouterOptions,
  type Routes,
  recordedRoutes,
} from "../../src/server/index.js";
import type { RestServerOptions } from "../../src/server/rest/service.js";
import type { SoapServerOptions } from "../../src/server/soap/service.js";
import { site } from "../rest/site.js";
import { served } from "./fixture.js";

// Each option of a server has an effect in the options of some functions. In those of another function, it is reported.

const none = () => {};
const yes = () => true;

const router: Required<RouterOptions> = {
  ...{ limits: {}, onError: none, onCall: none, observe: [], requestIds: {}, compressedRequests: true },
  ...{ trustedProxies: ["127.0.0.1"], page: false },
};
const web: Required<WebHandlerOptions> = { ...router, compress: true, remoteAddress: () => "127.0.0.1" };
const node: Required<ListenOptions> = {
  ...{ ...router, port: 0, host: "localhost", path: "/tmp/a.sock", writableAll: false },
  ...{ tls: {}, http2: true, drainDelay: 0 },
};
const webFramework: Required<WebMiddlewareOptions> = { ...web, handleOptions: false };
const fastify: Required<FastifyOptions> = { ...router, handleOptions: false };
const soap: Required<SoapServerOptions> = {
  ...{ path: "/a.asmx", publicUrl: "https://a.example", wireNames: {}, limits: {}, validate: {}, understands: [] },
  ...{ authenticate: yes, authorize: yes, use: [], allowOrigin: yes, cors: true, onError: none, page: false },
  ...{ illegalCharacters: "refuse", missing: "error" },
};
const rest: Required<RestServerOptions> = {
  ...{ name: "a", description: "b", url: "https://a.example", home: "https://a.example", gmt_offset: "0" },
  ...{ timezone_string: "UTC", base: "/wp-json", plainPermalinks: false, limits: {}, authenticate: yes },
  ...{ authorize: yes, use: [], allowOrigin: yes, cors: "wordpress", verifyNonce: yes, jsonp: true, wireNames: {} },
  ...{
    conventions: {},
    invalidAnswers: "refuse",
    onError: none,
    page: false,
    missing: "error",
    validate: none as never,
  },
};
const all: Readonly<Record<string, unknown>> = { ...web, ...node, ...fastify, ...rest, ...soap };

type Create = (routes: readonly Routes[], options: object) => unknown;

const listenOnce: Create = async (routes, options) => (await listen(routes, { host: "127.0.0.1", ...options })).close();
const servers: Readonly<Record<string, readonly [create: Create, options: object]>> = {
  createRouter: [createRouter, router],
  expressMiddleware: [expressMiddleware, router],
  fastifyPlugin: [fastifyPlugin, fastify],
  lambdaHandler: [lambdaHandler, web],
  listen: [listenOnce, node],
  webHandler: [webHandler, web],
  webMiddleware: [webMiddleware, webFramework],
};

/** Returns the messages of the incidents that a function reports. */
async function findReports(run: (options: { onError: OnError }) => unknown): Promise<string[]> {
  const incidents: ServerIncident[] = [];
  await run({ onError: (incident) => incidents.push(incident) });
  expect(incidents.filter(({ kind }) => kind !== "config")).toEqual([]);
  return incidents.map(({ message }) => message).filter((message) => message.includes("has no effect in the options"));
}

const only = (name: string) => ({ [name]: all[name] });
const namesWithout = (options: object) => Object.keys(all).filter((name) => !Object.hasOwn(options, name));

describe.each(Object.entries(servers))("%s", (_, [create, options]) => {
  // `listenOnce` sets the host, so that the option is also set where it has an effect.
  const shared = create === listenOnce ? only("host") : {};

  test.each(namesWithout(options))("reports the option %s, and names its place", async (name) => {
    const routes = [served({}).routes, site()];
    const reports = await findReports((base) => create(routes, { ...only(name), ...base }));
    expect(reports).toEqual([
      expect.stringContaining(`The option "${name}" has no effect in the options of the server. It is an option of`),
    ]);
  });

  test.each(namesWithout({ ...soap, ...shared }))("reports SOAP routes with the option %s", async (name) => {
    const reports = await findReports((base) => create([served({}, only(name) as never).routes], base));
    expect(reports).toEqual([
      expect.stringContaining(`The option "${name}" has no effect in the options of SOAP routes.`),
    ]);
  });

  test.each(namesWithout({ ...rest, ...shared }))("reports REST routes with the option %s", async (name) => {
    const reports = await findReports((base) => create([combineRoutes("all", [site(only(name) as never)])], base));
    expect(reports).toEqual([
      expect.stringContaining(`The option "${name}" has no effect in the options of REST routes.`),
    ]);
  });

  test("accepts one object for the server and its routes", async () => {
    const { path, port, host, tls, http2, validate, conventions, wireNames, cors, ...others } = all;
    const reports = await findReports((base) => {
      const common = { ...Object.fromEntries(Object.entries(others).filter(([name]) => name in options)), ...base };
      const ofRoutes = { ...common, authorize: yes, verifyNonce: yes };
      const routes = [served({}, { ...ofRoutes, publicUrl: "https://a.example" }).routes, site(ofRoutes as never)];
      return create(routes, { ...ofRoutes, publicUrl: "https://a.example" });
    });
    expect(reports).toEqual([]);
  });
});

test.each([
  ["authorize", "It is an option of routes: pass it to the function that creates them."],
  ["publicUrl", "It is an option of SOAP routes: pass it to the function that creates them."],
  ["verifyNonce", "It is an option of REST routes: pass it to the function that creates them."],
  ["handleOptions", "It is an option of fastifyPlugin and webMiddleware."],
  ["compress", "It is an option of webHandler, webMiddleware and lambdaHandler."],
])("the place of %s is described", async (name, place) => {
  expect(await findReports((base) => listenOnce([], { ...only(name), ...base }))).toEqual([
    expect.stringContaining(place),
  ]);
});

test.each([
  ["trustedProxies", "It is an option of the server: pass it to listen, or to the adapter."],
  ["tls", "It is an option of listen."],
])("the place of %s in the options of wrapped routes is described", async (name, place) => {
  const routes = recordedRoutes(served({}, only(name) as never).routes, { write: none });
  expect(await findReports((base) => createRouter([routes], base))).toEqual([expect.stringContaining(place)]);
});

test("an option that some routes have is not reported in the options of the server", async () => {
  const routes = [served({}, { authorize: yes }).routes, site()];
  expect(await findReports((base) => createRouter(routes, { authorize: yes, ...base } as never))).toEqual([]);
});
