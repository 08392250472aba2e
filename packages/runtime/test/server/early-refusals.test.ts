import { describe, expect, test } from "vitest";
import { wordpressConventions } from "../../src/rest/wordpress-conventions.js";
import {
  asmxConventions,
  combineRoutes,
  createRouter,
  type LimitOptions,
  type RateLimitStore,
  type Routes,
  rateLimitedRoutes,
  type ServerAnswer,
  type ServerConventions,
  type ServerRequest,
} from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { findBody, gist, headerOf, message, posted, requestOf, served } from "./fixture.js";

// Refusals of requests whose body is not read have the form of the protocol, and pages of other origins can read them.

const friend = "https://friend.example";
const other = "https://other.example";
const allowOrigin = (origin: string) => origin === friend;

interface Refusing {
  readonly status: number;
  readonly restCode: string;
  readonly limits?: LimitOptions;
  readonly wrap?: (routes: Routes) => Routes;
}

const failing: RateLimitStore = { count: () => Promise.reject(new Error("redis")) };
const noRequests = { requests: 0, window: 60_000, by: () => "all" };

const refusals: Readonly<Record<string, Refusing>> = {
  "a rate": {
    status: 429,
    restCode: "rest_too_many_requests",
    wrap: (routes) => rateLimitedRoutes(routes, noRequests),
  },
  "the failed store of a rate": {
    status: 503,
    restCode: "rest_busy",
    wrap: (routes) => rateLimitedRoutes(routes, { ...noRequests, store: failing, onStoreFailure: "refuse" }),
  },
  "a rate of combined routes": {
    status: 429,
    restCode: "rest_too_many_requests",
    wrap: (routes) => rateLimitedRoutes(combineRoutes("all", [routes]), noRequests),
  },
  inFlight: { status: 503, restCode: "rest_busy", limits: { inFlight: 0 } },
  headers: { status: 431, restCode: "rest_headers_too_large", limits: { headers: 0 } },
  headerBytes: { status: 431, restCode: "rest_headers_too_large", limits: { headerBytes: 1 } },
  urlBytes: { status: 414, restCode: "rest_uri_too_long", limits: { urlBytes: 1 } },
};

async function refuse(
  routes: Routes,
  request: Partial<ServerRequest>,
  { limits, wrap = (unwrapped) => unwrapped }: Refusing,
): Promise<ServerAnswer> {
  const options = { limits, onError: () => {} };
  return createRouter([wrap(routes)], options)(requestOf({ remoteAddress: "192.0.2.1", ...request }));
}

const withOrigin = (request: Partial<ServerRequest>, origin: string | undefined): Partial<ServerRequest> => ({
  ...request,
  headers: [...(request.headers ?? [["Host", "h"]]), ...(origin === undefined ? [] : [["Origin", origin] as const])],
});

const asmxMessage = posted("soap11", "", [["Content-Type", "text/xml"]]);
const textType = "text/plain; charset=utf-8";
const calls: readonly [string, Partial<ServerRequest>, string, ServerConventions?][] = [
  ["SOAP 1.1", message("soap11", findBody), "text/xml; charset=utf-8"],
  ["SOAP 1.2", message("soap12", findBody), "application/soap+xml; charset=utf-8"],
  ["ASMX without an action", asmxMessage, "text/xml; charset=utf-8", asmxConventions],
  ["HTTP GET", { method: "GET", target: "/api/things.asmx/Find?Key=k&Count=1&username=u" }, textType],
  ["HTTP POST", { target: "/api/things.asmx/Find" }, textType],
  ["a page", { method: "GET" }, "text/html; charset=utf-8"],
];

interface Policy {
  readonly options: { readonly allowOrigin?: typeof allowOrigin };
  readonly origin: string | undefined;
  readonly allowed: string | undefined;
}

const policies: readonly Policy[] = [
  { options: { allowOrigin }, origin: friend, allowed: friend },
  { options: { allowOrigin }, origin: other, allowed: undefined },
  { options: { allowOrigin }, origin: undefined, allowed: undefined },
];

describe.each(Object.entries(refusals))("a refusal because of %s", (_reason, refusing) => {
  const { status, restCode } = refusing;
  const retryAfter = status === 429 ? expect.stringMatching(/^\d+$/) : status === 503 ? "1" : undefined;

  test.each(calls)("has the form of %s", async (name, request, contentType, conventions) => {
    for (const { options, origin, allowed } of [
      ...policies,
      { options: {}, origin: friend, allowed: undefined },
      { options: { cors: true }, origin: other, allowed: "*" },
    ]) {
      const { routes } = served({}, options, conventions);
      const answer = await refuse(routes, withOrigin(request, origin), refusing);
      expect(answer).toMatchObject({ status, close: true });
      expect(headerOf(answer, "content-type")).toBe(contentType);
      expect(headerOf(answer, "retry-after")).toEqual(retryAfter);
      expect(headerOf(answer, "access-control-allow-origin")).toBe(allowed);
      expect(headerOf(answer, "access-control-expose-headers")).toBe(allowed && "Retry-After, X-Request-Id");
      if (name.startsWith("SOAP") || name.startsWith("ASMX")) {
        const isServer = status !== 414 && status !== 431;
        const code = contentType.startsWith("text")
          ? isServer
            ? "Server"
            : "Client"
          : isServer
            ? "Receiver"
            : "Sender";
        expect(gist(answer)).toBe(`${status} soap:${code} +detail`);
      }
    }
  });

  test.each(["GET /en/api/core/v2/items", "POST /en/api/core/v2/items", "GET /?rest_route=/core/v2/items"])(
    "has the form of REST: %s",
    async (line) => {
      const [method = "", target = ""] = line.split(" ");
      for (const { options, origin, allowed } of [
        ...policies,
        { options: {}, origin: other, allowed: "*" },
        { options: { cors: "wordpress" as const }, origin: other, allowed: other },
      ]) {
        const answer = await refuse(site(options), withOrigin({ method, target }, origin), refusing);
        expect(answer).toMatchObject({ status, close: true, faultCode: restCode });
        expect(JSON.parse(String(answer.body))).toMatchObject({ code: restCode, data: { status } });
        expect(headerOf(answer, "content-type")).toBe("application/json; charset=UTF-8");
        expect(headerOf(answer, "retry-after")).toEqual(retryAfter);
        expect(headerOf(answer, "access-control-allow-origin")).toBe(allowed);
        const exposed = headerOf(answer, "access-control-expose-headers") ?? "";
        expect(exposed.includes("Retry-After")).toBe(origin !== undefined && !("cors" in options));
        expect(headerOf(answer, "link")).toBeUndefined();
      }
    },
  );
});

test("a refusal for an address without routes is a page", async () => {
  const answer = await refuse(
    served().routes,
    { target: "/other" },
    { status: 414, restCode: "", limits: { urlBytes: 1 } },
  );
  expect([answer.status, headerOf(answer, "content-type")]).toEqual([414, "text/html; charset=utf-8"]);
});

test("a refusal of a request with an invalid Host does not contain the host", async () => {
  const answer = await refuse(
    site(),
    { method: "GET", target: "/en/api/core/v2/items", headers: [["Host", "evil.example/<x>"]] },
    { status: 400, restCode: "rest_invalid_request" },
  );
  expect(answer).toMatchObject({ status: 400, faultCode: "rest_invalid_request" });
  expect(JSON.stringify(answer)).not.toContain("evil");
});

test("a refusal is a page if the conventions of the routes throw", async () => {
  const createHeaders = () => {
    throw new Error("no headers");
  };
  const routes = site({ conventions: { ...wordpressConventions, createHeaders } });
  const answer = await refuse(
    routes,
    { method: "GET", target: "/en/api/core/v2/items" },
    { status: 503, restCode: "", limits: { inFlight: 0 } },
  );
  expect([answer.status, headerOf(answer, "content-type")]).toEqual([503, "text/html; charset=utf-8"]);
});
