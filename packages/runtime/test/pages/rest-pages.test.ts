import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/descriptor.js";
import { RestError } from "../../src/index.js";
import { isJsonObject } from "../../src/rest/php-json.js";
import {
  type RestContext,
  type RestServerOptions,
  type Routes,
  restRoutes,
  type ServerAnswer,
} from "../../src/server/index.js";
import { content, endpoint, only, site } from "../rest/site.js";
import { dangersOf, formOf, header, hostileTexts, markupOf, textOf, withoutCode } from "./page-text.js";

const itemKey = "/core/v2/items/(?P<id>[\\d]+)";

async function get(routes: Routes, target: string, method = "GET"): Promise<ServerAnswer> {
  const signal = new AbortController().signal;
  const answer = await routes.answer({
    method,
    target,
    headers: [["Host", "h.example"]],
    body: new Uint8Array(),
    signal,
  });
  if (answer === undefined) {
    throw new Error("The request is for others.");
  }
  return answer;
}

async function page(query = "", options: RestServerOptions = {}) {
  return markupOf(await get(site(options), `/en/api/_browse${query}`));
}

/** The text beside the control with this label. */
function fieldOf(markup: string, name: string, nth = 0): string {
  const rows = markup.split(/(?=<(?:div|fieldset) class="(?:field|send)"|<details>)/);
  const row = rows.filter((each) => each.includes(`<span class="name-text">${name}</span>`))[nth] ?? "";
  return textOf(row.replace(/<option>/g, "|").replace(/<p /g, " $&"))
    .replace(/\s+/g, " ")
    .trim();
}

describe("the page of an index", () => {
  test("lists namespaces, routes and methods", async () => {
    const markup = await page();
    expect(textOf(markup)).toMatch(
      /core\/v2\s+GET\s+\/core\/v2\s[\s\S]*GET\s+\/core\/v2\/items\s[\s\S]*POST\s+\/core\/v2\/items\s[\s\S]*GET\s+\/core\/v2\/items\/{id}\s/,
    );
    expect(markup).toContain(`href="?route=${encodeURIComponent(itemKey)}#delete"`);
    expect(markup).toContain('<a href="./">JSON</a>');
  });

  test("is safe to open in a browser", async () => {
    expect(dangersOf(await get(site(), "/en/api/_browse"))).toEqual([]);
    expect(dangersOf(await get(site(), `/en/api/_browse?route=${encodeURIComponent(itemKey)}`))).toEqual([]);
    expect(dangersOf(await get(site(), "/en/api/_browse?route=none"))).toEqual([]);
  });

  test("has its special headers, and no body for HEAD", async () => {
    const answer = await get(site(), "/en/api/_browse", "HEAD");
    expect(answer).toMatchObject({ status: 200, body: undefined });
    expect(header(answer, "content-type")).toBe("text/html; charset=utf-8");
    expect(header(answer, "x-robots-tag")).toBe("noindex");
  });

  test("is requested with a signal that follows that of its request, which an adapter creates on first use", async () => {
    const disconnection = new AbortController();
    const { signal } = disconnection;
    const lazy = {
      method: "GET",
      target: "/en/api/_browse",
      headers: [["Host", "h"]] as const,
      body: new Uint8Array(),
    };
    const request = Object.create({ signal }, Object.getOwnPropertyDescriptors(lazy));
    const authorize = (call: RestContext) => {
      const wasAborted = call.signal.aborted;
      disconnection.abort("left");
      return !wasAborted && call.signal.reason === "left";
    };
    expect(await site({ authorize }).answer(request)).toMatchObject({ status: 200 });
  });

  test("reports that a route is unknown", async () => {
    expect(await page("?route=/none")).toContain("<h1>Route not found</h1>");
  });
});

describe("the page of a route", () => {
  test("shows each argument with its type, values, default and description", async () => {
    const markup = await page("?route=/core/v2/items");
    expect(fieldOf(markup, "context")).toBe("context string (not sent)|view|edit Default: view");
    expect(fieldOf(markup, "per_page")).toBe("per_page integer Default: 10");
    expect(fieldOf(markup, "include")).toBe("include array of integer One per line. Default: []");
    expect(fieldOf(markup, "status")).toBe("status array of string publishdraft Default: publish");
    expect(fieldOf(markup, "date")).toBe("date string or null");
    expect(fieldOf(markup, "meta")).toBe("meta object Enter JSON. Any other text is sent as text.");
  });

  test("marks required variables and arguments", async () => {
    const markup = await page(`?route=${encodeURIComponent(`${itemKey}/parts`)}`);
    expect(fieldOf(markup, "id")).toBe("id in the path required In the path: [\\d]+");
    expect(fieldOf(markup, "action")).toBe("action string required (not sent)|cut");
    expect(fieldOf(markup, "data")).toBe("data anything required");
  });

  test("has one form per endpoint, and asks for the method where there are several", async () => {
    const markup = await page(`?route=${encodeURIComponent(itemKey)}`);
    expect(markup.match(/<form class="call"/g)).toHaveLength(3);
    expect(fieldOf(markup, "Method")).toBe("Method |POST|PUT|PATCH");
    expect(formOf(markup)).toMatchObject({
      prefix: "./",
      joiner: "?",
      endpoints: [
        {
          path: ["/core/v2/items/", { variable: "id", pattern: "[\\d]+" }],
          fields: [{ name: "id", location: "path" }],
        },
        {
          fields: [{ name: "id" }, { name: "date" }, { name: "status" }, { name: "title" }, {}, { numbers: true }, {}],
        },
        { fields: [{ name: "id" }, { name: "force", kind: "boolean", location: "argument" }] },
      ],
    });
  });

  test("has a label for every control", async () => {
    const markup = await page("?route=/core/v2/items");
    for (const [, id = ""] of markup.matchAll(/<(?:input|select|textarea)(?![^>]*aria-label=)[^>]* id="([^"]*)"/g)) {
      expect(markup).toContain(`<label for="${id}">`);
    }
  });
});

describe("the path of the page", () => {
  test.each([
    { target: "/pt-pt/api/_browse", prefix: "./" },
    { target: "/pt-pt/api/_browse/", prefix: "../" },
    { target: "/index.php/pt-pt/api/_browse", prefix: "./" },
    { target: "/?rest_route=/_browse&lang=pt-pt", prefix: "?lang=pt-pt&rest_route=/" },
    { target: "/pt-pt/api/docs/try", page: "/docs/try", prefix: "../" },
  ])("$target calls routes from $prefix", async ({ target, prefix, page: at }) => {
    const mark = target.includes("?") ? "&" : "?";
    const answer = await get(site({ page: at }), `${target}${mark}route=/core/v2/items`);
    expect(formOf(markupOf(answer))).toMatchObject({ prefix, joiner: mark });
  });

  test("does not exist when it is turned off", async () => {
    const answer = await get(site({ page: false }), "/en/api/_browse");
    expect(answer.status).toBe(404);
    expect(JSON.parse(markupOf(answer))).toMatchObject({ code: "rest_no_route" });
  });

  test.each(["POST", "OPTIONS", "DELETE"])("only requests that read are answered: %s", async (method) => {
    expect(header(await get(site(), "/en/api/_browse", method), "content-type")).toContain("application/json");
  });

  test("a browser that prefers HTML still gets the index as JSON", async () => {
    const headers = [
      ["Host", "h.example"],
      ["Accept", "text/html,*/*;q=0.1"],
    ] as const;
    const signal = new AbortController().signal;
    const answer = await site().answer({ method: "GET", target: "/en/api/", headers, body: new Uint8Array(), signal });
    expect(answer && header(answer, "content-type")).toBe("application/json; charset=UTF-8");
  });

  const taken = (options: RestServerOptions) =>
    restRoutes(
      {
        interface: content,
        endpoints: [...only.index, endpoint("all", ["POST"], ["/", { variable: "name", pattern: ".+" }])],
        handlers: { all: () => "own" },
        index: { namespaces: [], routes: { "/": { endpoints: [{ methods: ["GET"], args: {} }] } } },
      },
      options,
    );

  test("is not at the path of a route", async () => {
    expect((await get(taken({}), "/en/api/_browse")).status).toBe(404);
    expect(() => taken({ page: "/_browse" })).toThrowError(/a route of the index has it/);
  });

  test.each(["browse", "/", "", "/a b", "/a?b", "/a/", "//"])("'%s' is not allowed as its path", (path) => {
    expect(() => site({ page: path })).toThrowError(/of the option "page" is not valid/);
  });
});

describe("access to the page", () => {
  test("requires the permission to read the index", async () => {
    const options: RestServerOptions = { authorize: ({ operation }) => operation !== "index" };
    const refused = await get(site(options), "/en/api/_browse");
    expect(refused.status).toBe(401);
    expect(JSON.parse(markupOf(refused))).toMatchObject({ code: "rest_forbidden" });
    expect((await get(site({ authorize: () => true }), "/en/api/_browse")).status).toBe(200);
  });

  test("it shows the index that a custom handler returns", async () => {
    const index = () => ({ name: "Mine", routes: { "/a": { namespace: "n", methods: ["GET"], endpoints: [] } } });
    const routes = (indexHandler: () => JsonValue) =>
      restRoutes({ interface: content, endpoints: only.index, handlers: { index: indexHandler }, index: {} });
    expect(textOf(markupOf(await get(routes(index), "/en/api/_browse")))).toMatch(/Mine[\s\S]*GET\s+\/a/);
    const secret = () => {
      throw new RestError({ code: "secret", message: "No.", status: 403 });
    };
    expect((await get(routes(secret), "/en/api/_browse")).status).toBe(403);
  });
});

test("segments are shown as they are on the wire", async () => {
  const markup = await page("?route=/real/v2/items", { wireNames: { segments: { core: "real" } } });
  expect(textOf(markup)).toContain("/real/v2/items");
  expect(formOf(markup)).toMatchObject({ endpoints: [{ path: ["/real/v2/items"] }, {}] });
});

test.each(hostileTexts)("%s in an index is text", async (text) => {
  const arg = { description: text, type: "string", enum: [text], default: text, format: text, pattern: text };
  const args = { [text]: arg, list: { type: "array", items: { type: "string", enum: [text] } } };
  const key = `/${text}/(?P<id>${text})`;
  const endpointOf = (methods: readonly string[]) => ({ methods, args });
  const hostile: JsonValue = {
    name: text,
    description: text,
    namespaces: [text],
    routes: { [key]: { namespace: text, methods: [text], endpoints: [endpointOf([text]), endpointOf([text, "PUT"])] } },
  };
  const routes = restRoutes({
    interface: content,
    endpoints: only.index,
    handlers: { index: () => hostile },
    index: {},
  });
  for (const query of ["", `?route=${encodeURIComponent(key)}`, `?route=${encodeURIComponent(text)}`]) {
    const answer = await get(routes, `/en/api/_browse${query}`);
    expect(dangersOf(answer)).toEqual([]);
    expect(withoutCode(markupOf(answer))).not.toContain(text);
    expect(textOf(withoutCode(markupOf(answer)))).toContain(text);
  }
});

test.each([
  null,
  1,
  [],
  { routes: [] },
  { routes: { "/a": 1, "/b": { endpoints: { a: 1 } }, "/c": { endpoints: [1, { args: [], methods: 1 }] } } },
  {
    namespaces: [1],
    routes: { "/([": { endpoints: [{ methods: [], args: { a: null, b: { type: [1], items: 1, enum: 1 } } }] } },
  },
] satisfies JsonValue[])("an index of another form is shown as far as it can be read: %j", async (document) => {
  const routes = restRoutes({
    interface: content,
    endpoints: only.index,
    handlers: { index: () => document },
    index: {},
  });
  expect((await get(routes, "/en/api/_browse")).status).toBe(200);
  const known =
    isJsonObject(document) && isJsonObject(document["routes"] ?? null) ? Object.keys(document["routes"] ?? {}) : [];
  for (const route of ["/a", "/c", "/(["]) {
    const { status } = await get(routes, `/en/api/_browse?route=${encodeURIComponent(route)}`);
    expect(status).toBe(known.includes(route) ? 200 : 404);
  }
});
