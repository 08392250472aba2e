import { setTimeout as delay } from "node:timers/promises";
import { type Routes, rateLimit, rateLimitedRoutes, recordedRoutes } from "@bothends/runtime/server";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { adapters } from "./adapters.js";
import { sendRaw } from "./raw.js";
import { envelope, get, json, send, soap, usa, xml } from "./requests.js";

/** Errors that would have ended the process. */
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const secret = "s3cret";
const failures: Readonly<Record<string, () => unknown>> = {
  throws() {
    throw new Error(secret);
  },
  "throws null"() {
    throw null;
  },
  "rejects late": () => delay(20).then(() => Promise.reject(new Error(secret))),
};

type Callback = () => never;
/**
 * The options with a callback: of the SOAP routes, of the REST routes and of the router, and a wrapper of all routes.
 */
interface Placed {
  readonly soap?: object;
  readonly rest?: object;
  readonly router?: object;
  readonly wrap?: (routes: Routes) => Routes;
}
const rate = { requests: 9, window: 60_000, by: () => "key" };

const places: Readonly<Record<string, (callback: Callback) => Placed>> = {
  "authenticate of SOAP": (authenticate) => ({ soap: { authenticate } }),
  "authorize of SOAP": (authorize) => ({ soap: { authorize } }),
  "allowOrigin of SOAP": (allowOrigin) => ({ soap: { allowOrigin } }),
  "use of SOAP": (use) => ({ soap: { use } }),
  "page of SOAP": (page) => ({ soap: { page } }),
  "authenticate of REST": (authenticate) => ({ rest: { authenticate } }),
  "authorize of REST": (authorize) => ({ rest: { authorize } }),
  "allowOrigin of REST": (allowOrigin) => ({ rest: { allowOrigin } }),
  "verifyNonce of REST": (verifyNonce) => ({ rest: { verifyNonce } }),
  "validate of REST": (validate) => ({ rest: { validate } }),
  "use of REST": (use) => ({ rest: { use } }),
  onCall: (onCall) => ({ router: { onCall } }),
  "begin of an observer": (begin) => ({ router: { observe: { begin } } }),
  "run of an observation": (run) => ({ router: { observe: { begin: () => ({ run, end() {} }) } } }),
  "end of an observation": (end) => ({ router: { observe: { begin: () => ({ end }) } } }),
  "by of rateLimitedRoutes": (by) => ({ wrap: (routes) => rateLimitedRoutes(routes, { ...rate, by }) }),
  "the store of rateLimitedRoutes": (count) => ({
    wrap: (routes) => rateLimitedRoutes(routes, { ...rate, store: { count } }),
  }),
  "by of rateLimit": (by) => ({ soap: { use: rateLimit({ ...rate, by }) } }),
  "the store of rateLimit": (count) => ({ soap: { use: rateLimit({ ...rate, store: { count } }) } }),
  "write of recordedRoutes": (write) => ({ wrap: (routes) => recordedRoutes(routes, { write }) }),
  "when of recordedRoutes": (when) => ({ wrap: (routes) => recordedRoutes(routes, { write() {}, when }) }),
};

const origin = "Origin: http://other.example";
const nonce = "X-WP-Nonce: a";
const requests = [
  soap(envelope(usa()), [xml, origin]),
  get("/api/reg.asmx", ["Accept: text/html"]),
  get("/en/api/core/v2/blocks", [origin, nonce]),
  send("POST /en/api/core/v2/project", '{"title":"a"}', [json, nonce]),
  `OPTIONS /en/api/core/v2/project HTTP/1.1\r\nHost: h\r\n${origin}\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
];

test.each(
  Object.keys(places).flatMap((place) => ["Node", "Express", "a web handler"].map((adapter) => ({ place, adapter }))),
)("$place may fail in any way with $adapter: onError receives it, and each request is answered", async (row) => {
  for (const [how, fail] of Object.entries(failures)) {
    let calls = 0;
    const incidents: string[] = [];
    const onError = ({ kind, message }: { readonly kind: string; readonly message: string }) =>
      void incidents.push(`${kind}: ${message}`);
    const callback = (() => {
      calls += 1;
      return fail();
    }) as Callback;
    const placed: Placed = places[row.place]?.(callback) ?? {};
    const { soap: ofSoap, rest: ofRest, router, wrap = (all) => all } = placed;
    const routes = [
      vehicleRoutes(vehicleSample, ofSoap),
      contentRoutes(createContentSample(), { name: "Battery", ...ofRest }),
    ];
    const server = await adapters[row.adapter]?.(routes.map(wrap), { onError, ...router });
    onTestFinished(() => server?.close());
    for (const sent of requests) {
      const answer = await sendRaw(server?.port ?? 0, sent);
      expect(answer.status, how).toBeGreaterThanOrEqual(200);
      expect(answer.text).not.toContain(secret);
    }
    expect(calls, how).toBeGreaterThan(0);
    await expect
      .poll(() => incidents.filter((text) => /^(?:handler|hook): /.test(text)), { message: how })
      .not.toEqual([]);
  }
  expect(unhandled).toEqual([]);
});
