import { expect, test } from "vitest";
import { wordpressConventions } from "../../src/rest/index.js";
import { send, site } from "./site.js";

const { errors, parameters } = wordpressConventions;

test("parameters have the names that the conventions give them", async () => {
  const routes = site({ conventions: { parameters: { ...parameters, fields: "fields" } } }, () => ({ a: 1, b: 2 }));
  expect((await send(routes, "GET /core/v2/items?fields=a")).json).toEqual({ a: 1 });
  expect((await send(routes, "GET /core/v2/items?_fields=a")).json).toEqual({ a: 1, b: 2 });
});

test("errors have the codes and texts of the conventions", async () => {
  const noRoute = { code: "not_found", message: "There is no such route.", status: 404 };
  const invalidArguments = { code: "invalid", message: "Invalid:", status: 422 };
  const routes = site({ conventions: { errors: { ...errors, noRoute, invalidArguments } } });
  expect((await send(routes, "GET /none")).json).toMatchObject({ code: "not_found", message: noRoute.message });
  expect(await send(routes, "GET /core/v2/items?page=x")).toMatchObject({
    status: 422,
    json: { code: "invalid", message: "Invalid: page" },
  });
});

test("answers have the headers of the conventions", async () => {
  const headers = (index: string) => [["X-Index", index]] as const;
  const answer = await send(site({ conventions: { createHeaders: headers } }), "GET /core/v2/items");
  const names = answer.headers.map(([name]) => name);
  expect(names).toEqual(["Content-Type", "X-Index", "Allow", "Vary"]);
});
