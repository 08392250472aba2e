import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { RouteTable } from "../../src/rest/route-syntax/route-table.js";
import { createRouter } from "../../src/server/router.js";
import { site } from "./site.js";

test("hostile paths take little time, whatever the patterns", () => {
  const pattern = "/a/(?P<u>(\\d+)+)/(?P<v>[\\d/]+)/(?P<w>[\\d/]+)/(?P<x>[\\d/]+)/(?P<y>[\\d/]+)/z";
  const table = new RouteTable([{ name: "hostile", pattern, methods: ["GET"] }], 256);
  const path = `/a${"/1".repeat(1000)}/x`;
  const start = processorTime();
  expect(table.find(path, "GET")).toBeUndefined();
  expect(processorTime() - start).toBeLessThan(1000);
});

const router = createRouter([site()], { onError: () => {} });

// The router refuses longer addresses. If each prefix of such a path were looked up, ten requests would take 100 to
// 3,500 ms.
test.each([
  ["outside the base path", "/x", "/"],
  ["with empty segments below the base path", "/en/api/core", "/"],
  ["below a route", "/en/api/core/v2/items/1", "/1"],
  ["of two dots", "/en/api", "/.."],
  ["with percent-encoded characters", "/en/api/core", "/%31"],
])("ten requests with thousands of segments %s cost less than 50 ms", async (_, start, segment) => {
  const target = start + segment.repeat(8_000 / segment.length);
  const { signal } = new AbortController();
  const started = processorTime();
  for (let count = 0; count < 10; count += 1) {
    const request = { method: "GET", target, headers: [["Host", "h"]] as const, body: new Uint8Array(), signal };
    expect((await router(request)).status).toBe(404);
  }
  expect(processorTime() - started).toBeLessThan(50);
});
