import { compileRoute } from "@bothends/runtime/route-syntax";
import { expect, test } from "vitest";
import { processorTime } from "../../../../../testing/processor-time.js";

function matched(route: string, path: string): unknown {
  const { start, match } = compileRoute(route);
  const variables = path.toLowerCase().startsWith(start) ? match(path.slice(start.length)) : undefined;
  return variables && Object.fromEntries(variables);
}

test("captures take little time on hostile paths", () => {
  const route = "/(?P<a>(\\w+\\w+)+)(?P<b>(\\w*)*)(?P<c>(?:\\w|\\w\\w)*)";
  const path = `/${"a".repeat(5000)}`;
  const start = processorTime();
  expect(matched(route, path)).toMatchObject({ b: "", c: "" });
  expect(matched(route, `${path}!`)).toBeUndefined();
  expect(processorTime() - start).toBeLessThan(1000);
});
