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
