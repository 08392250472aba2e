import { describe, expect, test } from "vitest";
import {
  combineRoutes,
  createRouter,
  healthRoutes,
  type RouterOptions,
  type Routes,
  type ServerAnswer,
  type SoapServerOptions,
  soapRoutes,
} from "../../src/server/index.js";
import { site } from "../rest/site.js";
import { find, requestOf, service } from "../server/fixture.js";
import { dangersOf, header, hostileTexts, markupOf, textOf, withoutCode } from "./page-text.js";
import { thingsWsdl } from "./things-wsdl.js";

const soap = (options: SoapServerOptions = {}) =>
  soapRoutes({ service, operations: { find }, handlers: { find: () => null }, wsdl: thingsWsdl }, options);
const html = [["Accept", "text/html,*/*;q=0.8"]] as const;

async function get(
  target: string,
  routes: readonly Routes[],
  options: RouterOptions = {},
  method = "GET",
): Promise<ServerAnswer> {
  const browser = requestOf({ method, target });
  return createRouter(routes, options)({ ...browser, headers: [...browser.headers, ...html] });
}

describe("the page at /", () => {
  test("lists services and indexes, also of combined routes, with their documents", async () => {
    const routes = [combineRoutes("all", [soap(), healthRoutes()]), site({ name: "My site" })];
    const answer = await get("/", routes);
    expect(answer.status).toBe(200);
    expect(dangersOf(answer)).toEqual([]);
    const markup = markupOf(answer);
    expect(textOf(markup)).toMatch(
      /SOAP Things\s+\/api\/things.asmx · WSDL\s+REST My site\s+\/en\/api\/_browse · JSON/,
    );
    for (const link of ["./api/things.asmx", "./api/things.asmx?WSDL", "./en/api/_browse", "./en/api/"]) {
      expect(markup).toContain(`href="${link}"`);
    }
    expect(markup).not.toContain("health");
  });

  test("is answered to programs too", async () => {
    expect(await createRouter([soap()])(requestOf({ method: "GET", target: "/" }))).toMatchObject({ status: 200 });
  });

  test("has no body for HEAD, and does not exist for POST", async () => {
    expect(await get("/", [soap()], {}, "HEAD")).toMatchObject({ status: 200, body: undefined });
    expect((await get("/", [soap()], {}, "POST")).status).toBe(404);
  });

  test("leads to pages that exist", async () => {
    const routes = [soap(), site()];
    const links = [...markupOf(await get("/", routes)).matchAll(/<li>[\s\S]*?<\/li>/g)].flatMap(([row]) =>
      [...row.matchAll(/href="\.([^"]*)"/g)].map(([, link = ""]) => link),
    );
    expect(links).toHaveLength(4);
    for (const link of links) {
      expect((await get(link, routes)).status).toBe(200);
    }
  });

  test.each([
    { what: "the router turns it off", routes: [soap()], options: { page: false } },
    {
      what: "the pages of all routes are turned off",
      routes: [soap({ page: false }), site({ page: false })],
      options: {},
    },
    { what: "nothing is served", routes: [], options: {} },
  ])("does not exist if $what", async ({ routes, options }) => {
    const answer = await get("/", routes, options);
    expect(answer.status).toBe(404);
    expect(markupOf(answer)).toContain("Not found.");
  });

  test("is that of routes that answer it", async () => {
    const mine: Routes = { name: "own", answer: () => ({ status: 200, headers: [], body: "mine" }) };
    expect(await get("/", [soap(), mine])).toMatchObject({ body: "mine" });
    expect(markupOf(await get("/?rest_route=/", [soap(), site()]))).toMatch(/^\{"name"/);
  });

  test("does not list an index whose address has a variable that may have any value", async () => {
    expect(site({ base: "/{any}/api" }).served).toEqual([]);
  });
});

describe("an unknown address", () => {
  test("is answered with suggestions for browsers", async () => {
    const answer = await get("/api/thing.asmx", [soap(), site()]);
    expect(answer.status).toBe(404);
    expect(dangersOf(answer)).toEqual([]);
    expect(markupOf(answer)).toContain('<a class="route" href="/api/things.asmx">/api/things.asmx</a>');
    expect(markupOf(answer)).toContain('<a href="/">All services</a>');
  });

  test("is answered with one line to programs", async () => {
    const answer = await createRouter([soap()])(requestOf({ method: "GET", target: "/api/thing.asmx" }));
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining("Not found.") });
    expect(header(answer, "content-security-policy")).toBeUndefined();
  });

  test.each(hostileTexts)("with %s is shown as text", async (text) => {
    const answer = await get(`/${text}`, [soap({ path: `/${text}` })].concat(soap()), {});
    expect(withoutCode(markupOf(answer))).not.toContain(text);
    const unknown = await get(`/x${text}`, [soap({ path: `/${text}` })]);
    expect(unknown.status).toBe(404);
    expect(dangersOf(unknown)).toEqual([]);
    expect(withoutCode(markupOf(unknown))).not.toContain(text);
    expect(textOf(markupOf(unknown))).toContain(text);
  });
});
