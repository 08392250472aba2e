import { describe, expect, test } from "vitest";
import { ParsedRequest } from "../../src/http/server-request.js";
import {
  type CallEvent,
  createRouter,
  type RouterOptions,
  type Routes,
  recordedRoutes,
  type ServerIncident,
} from "../../src/server/index.js";
import { withAnswer } from "../../src/server/routes.js";
import { site } from "../rest/site.js";
import { findBody, message, requestOf, served } from "./fixture.js";

/** Passes requests that cannot be changed to the routes. */
function frozen(routes: Routes): Routes {
  return withAnswer(routes, (request) => {
    expect(request).toBeInstanceOf(ParsedRequest);
    return routes.answer(Object.freeze(request));
  });
}

/** A router for routes, with everything that could change a request. */
function routerOf(routes: Routes, options: RouterOptions = {}) {
  const events: CallEvent[] = [];
  const incidents: ServerIncident[] = [];
  const answer = createRouter([frozen(recordedRoutes(frozen(routes), { write: () => {} }))], {
    onCall: (event) => void events.push(event),
    onError: (incident) => void incidents.push(incident),
    ...options,
  });
  return { answer, events, incidents };
}

const authenticate = async () => ({ name: "ann" });
async function* chunks(...texts: readonly string[]) {
  for (const text of texts) {
    yield new TextEncoder().encode(text);
  }
}

describe("routes answer a call without changing its request", () => {
  test("over SOAP", async () => {
    const principals: unknown[] = [];
    const authorize = ({ principal }: { readonly principal: unknown }) => principals.push(principal) > 0;
    const { answer, events, incidents } = routerOf(served({}, { authenticate, authorize }).routes);
    const request = message("soap11", findBody);
    const text = new TextDecoder().decode(request.body as Uint8Array);
    expect((await answer(requestOf({ ...request, body: chunks(text.slice(0, 99), text.slice(99)) }))).status).toBe(200);
    expect(incidents).toEqual([]);
    expect(principals).toEqual([{ name: "ann" }]);
    expect(events).toMatchObject([{ operation: "Find", protocol: "soap11", principal: { name: "ann" } }]);
  });

  test("over REST", async () => {
    const principals: unknown[] = [];
    const authorize = ({ principal }: { readonly principal: unknown }) => principals.push(principal) > 0;
    const { answer, events, incidents } = routerOf(site({ authenticate, authorize }));
    const request = requestOf({
      method: "POST",
      target: "/en/api/core/v2/items",
      headers: [["Content-Type", "application/json"]],
      body: chunks("{", "}"),
    });
    expect((await answer(request)).status).toBe(200);
    expect(incidents).toEqual([]);
    expect(principals[0]).toEqual({ name: "ann" });
    expect(events).toMatchObject([
      { operation: "core.items.create", route: "/core/v2/items", protocol: "rest", principal: { name: "ann" } },
    ]);
  });

  test("if a limit refuses the request", async () => {
    const { routes, incidents } = served();
    const { answer, events } = routerOf(routes, { limits: { inFlightBytes: 256 } });
    expect((await answer(requestOf(message("soap11", findBody)))).status).toBe(500);
    expect(incidents).toMatchObject([
      {
        kind: "limit.inFlightBytes",
        message: expect.stringContaining("The request alone takes more than 256 bytes of memory, so it would be"),
      },
    ]);
    expect(events).toMatchObject([{ status: 500 }]);
  });
});
