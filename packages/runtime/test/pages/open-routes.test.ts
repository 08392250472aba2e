import { expect, test } from "vitest";
import { restRoutes } from "../../src/server/index.js";
import { content, only } from "../rest/site.js";
import { formOf, markupOf, textOf, withoutCode } from "./page-text.js";

test("optional parts of a route are in brackets, and are not required", async () => {
  const key = "/a/?(?P<url>.+)?";
  const entry = { endpoints: [{ methods: ["GET"], args: [{ type: "integer" }] }] };
  const routes = restRoutes({
    interface: content,
    endpoints: only.index,
    handlers: { index: () => ({ routes: { [key]: entry, "/b/(?=c)": entry } }) },
    index: {},
  });
  const answer = await routes.answer({
    method: "GET",
    target: `/en/api/_browse?route=${encodeURIComponent(key)}`,
    headers: [["Host", "h.example"]],
    body: new Uint8Array(),
    signal: new AbortController().signal,
  });
  if (answer === undefined) {
    throw new Error("The request is for others.");
  }
  const markup = markupOf(answer);
  expect(textOf(markup)).toContain("/a[/{url}]");
  expect(withoutCode(markup)).not.toContain(" required");
  expect(textOf(markup)).toMatch(/url in the path\s+In the path: \.\+\s+0 integer/);
  expect(formOf(markup)).toMatchObject({
    endpoints: [{ path: ["/a", { optional: ["/", { variable: "url", pattern: ".+" }] }] }],
  });
});
