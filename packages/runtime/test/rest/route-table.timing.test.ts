import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { RouteTable } from "../../src/server/rest/route-table.js";

test("hostile paths take little time, whatever the patterns", () => {
  const pattern = "/a/(?P<u>(\\d+)+)/(?P<v>[\\d/]+)/(?P<w>[\\d/]+)/(?P<x>[\\d/]+)/(?P<y>[\\d/]+)/z";
  const table = new RouteTable([{ name: "hostile", pattern, methods: ["GET"] }], 256);
  const path = `/a${"/1".repeat(1000)}/x`;
  const start = processorTime();
  expect(table.find(path, "GET")).toBeUndefined();
  expect(processorTime() - start).toBeLessThan(1000);
});
