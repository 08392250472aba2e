import { describe, expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import type { JsonValue } from "../../src/descriptor.js";
import { createRouter } from "../../src/server/index.js";
import { index, site } from "../rest/site.js";
import { requestOf } from "../server/fixture.js";

// The pages of a large index are not created again for each request, which anybody may send.

const count = 2_000;
const document = index as { readonly routes: Record<string, JsonValue> };
const added = Array.from({ length: count }, (_, number) => [
  `/core/v2/customer-information-record-number${number}/(?P<id>[\\d]+)`,
  { namespace: `ns${number % 50}`, methods: ["GET"], endpoints: [{ methods: ["GET"], args: { a: {}, b: {} } }] },
]);
const large = { ...document, routes: { ...document.routes, ...Object.fromEntries(added) } } as never;
const router = createRouter([site({}, undefined, large)], { onError: () => {} });

async function get(target: string, host = "h") {
  return router({ ...requestOf({ method: "GET", target }), headers: [["Host", host]] });
}

const targets = [
  ["the overview", "/en/api/_browse", 200],
  ["a route", `/en/api/_browse?route=${encodeURIComponent(String(added.at(-1)?.[0]))}`, 200],
  ["an unknown route", "/en/api/_browse?route=/zz", 404],
] as const;

describe.each(targets)("the page of %s of 2,000 routes", (_, target, status) => {
  test.each([
    ["the same host", () => "h"],
    ["another host each time", (number: number) => `h${number}`],
  ])("takes little time for %s", async (_host, host) => {
    await get(target);
    const started = processorTime();
    for (let number = 0; number < 10; number += 1) {
      expect((await get(target, host(number))).status).toBe(status);
    }
    expect((processorTime() - started) / 10).toBeLessThan(25);
  });
});
