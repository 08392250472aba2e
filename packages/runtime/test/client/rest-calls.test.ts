import { expect, test } from "vitest";
import { fetchTransport } from "../../src/client/index.js";
import { RestClient, restCalls } from "../../src/client/rest/index.js";
import type { AnyEndpointDescriptor } from "../../src/descriptor.js";
import { content, endpoints, only } from "../rest/site.js";

function called(list: readonly (AnyEndpointDescriptor | readonly AnyEndpointDescriptor[])[]) {
  const requests: string[] = [];
  const transport = fetchTransport(async ({ method, url }) => {
    requests.push(`${method} ${new URL(url).pathname}`);
    return Response.json(null);
  });
  const calls: object = restCalls(new RestClient(content, { siteUrl: "http://site.example", transport }), list);
  return { calls, requests };
}

test("calls are nested by the words of the endpoints' names", async () => {
  const { calls, requests } = called([...only.index, endpoints.slice(1)]);
  expect(calls).toEqual({
    index: expect.any(Function),
    core: {
      index: expect.any(Function),
      items: {
        list: expect.any(Function),
        create: expect.any(Function),
        get: expect.any(Function),
        update: expect.any(Function),
        delete: expect.any(Function),
        parts: { create: expect.any(Function), get: expect.any(Function) },
      },
    },
  });
  await Object(calls).index();
  await Object(calls).core.items.parts.get({ id: 3, part: "a" });
  expect(requests).toEqual(["GET /en/api/", "GET /en/api/core/v2/items/3/parts/a"]);
});

test("the headers of an answer over fetch are a map by lower-case name, with all cookies", async () => {
  const headers = new Headers({ "Content-Type": "application/json", "X-Total": "2", "X-1": "a" });
  headers.append("Set-Cookie", "a=1");
  headers.append("Set-Cookie", "b=2");
  const transport = fetchTransport(async () => new Response("{}", { headers }));
  const client = new RestClient(content, { siteUrl: "http://site.example", transport });
  const [index] = only.index;
  if (index === undefined) {
    throw new Error("The site has no index.");
  }
  const { headers: map } = await client.callWithAnswer(index, {});
  expect(["x-total", "x-1", "set-cookie", "X-Total", "x-none", "no name"].map((name) => map.get(name))).toEqual([
    "2",
    "a",
    "a=1, b=2",
    undefined,
    undefined,
    undefined,
  ]);
  expect([map.has("x-total"), map.has("no name"), map.size]).toEqual([true, false, 4]);
  const expected = [
    ["content-type", "application/json"],
    ["set-cookie", "a=1, b=2"],
    ["x-1", "a"],
    ["x-total", "2"],
  ];
  const visited: [string, string][] = [];
  map.forEach((value, name, whole) => {
    visited.push([name, whole === map ? value : ""]);
  });
  expect([[...map].sort(), [...map.entries()].sort(), visited.sort()]).toEqual([expected, expected, expected]);
  expect([[...map.keys()].sort(), [...map.values()].length]).toEqual([expected.map(([name]) => name), 4]);
});

test("a misspelled name in safeOperations is refused when the client is created", () => {
  const clientWith = (name: string) =>
    restCalls(new RestClient(content, { siteUrl: "http://site.example", safeOperations: [name] }), endpoints);
  expect(() => clientWith("core.items.create")).not.toThrow();
  expect(() => clientWith("core.items.craete")).toThrow(
    /The option "safeOperations" contains the unknown name "core\.items\.craete"\. Did you mean "core\.items\.create"\?/,
  );
});

test("the classes of an interface and of its groups accept the same safeOperations", () => {
  const group = endpoints.filter(({ name }) => name.startsWith("core."));
  const other = group.map((endpoint) => ({ ...endpoint, name: endpoint.name.replace("core.", "coreOther.") }));
  const clientWith = (name: string, list: Parameters<typeof restCalls>[1]) =>
    restCalls(new RestClient(content, { siteUrl: "http://site.example", safeOperations: [name] }), list);
  for (const { name } of [...group, ...other]) {
    for (const list of [[group, other], group, other]) {
      expect(() => clientWith(name, list)).not.toThrow();
    }
  }
  expect(() => clientWith("coreOther.items.craete", [group, other])).toThrow(/Did you mean "coreOther\.items\.create"/);
  expect(() => clientWith("croe.items.create", [group, other])).toThrow(/unknown name "croe\.items\.create"/);
  expect(() => clientWith("core.items.craete", group)).toThrow(/unknown name "core\.items\.craete"/);
});
