import fc from "fast-check";
import { expect, test } from "vitest";
import { site } from "./site.js";

const hostile = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "",
  "a]",
  "[",
  "%",
  "%00",
  "\u0000",
  "..",
  "%2e",
  "page",
  "status",
  "title",
  "meta",
);
const pair = fc
  .tuple(fc.array(hostile, { maxLength: 3 }), fc.oneof(hostile, fc.string()))
  .map(
    ([names, value]) =>
      `${names.map((name, at) => (at === 0 ? name : `[${name}]`)).join("")}=${encodeURIComponent(Buffer.from(value).toString())}`,
  );
const path = fc
  .array(fc.oneof(hostile, fc.constantFrom("core", "v2", "items", "4", "parts")), { maxLength: 6 })
  .map((steps) => `/en/api/${steps.join("/")}`);
const json = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '{"__proto__":{"polluted":1}}',
    '{"title":{"constructor":{"prototype":{"polluted":1}}}}',
    '{"meta":{"__proto__":1}}',
    "[[",
    "1e999",
  ),
);

test("any request has an answer of JSON, and no prototype changes", async () => {
  const incidents: unknown[] = [];
  const routes = site({ onError: (incident) => incidents.push(incident) }, (input) => input);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"),
      fc.oneof(path, fc.constantFrom("/en/api/core/v2/items", "/en/api/core/v2/items/4")),
      fc.array(pair, { maxLength: 4 }),
      json,
      async (method, to, pairs, text) => {
        const answer = await routes.answer({
          method,
          target: `${to}?${pairs.join("&")}`,
          headers: [
            ["Host", "x"],
            ["Content-Type", "application/json"],
          ],
          body: new TextEncoder().encode(text),
          signal: new AbortController().signal,
        });
        expect([200, 400, 404, 414]).toContain(answer?.status);
        if (typeof answer?.body === "string") {
          JSON.parse(answer.body);
        }
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      },
    ),
    { numRuns: 500, seed: 1 },
  );
  expect(incidents.filter((incident) => JSON.stringify(incident).includes("handler"))).toEqual([]);
});

test("any form of parts has an answer of JSON, and no prototype changes", async () => {
  const routes = site({}, (input) => input);
  const piece = fc.oneof(
    hostile,
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "--b",
      "\r\n--b\r\n",
      "\r\n--b--",
      "\n\n",
      'Content-Disposition: form-data; name="',
      '"',
      "; filename=a",
      "a: b",
    ),
  );
  const whole = fc
    .array(fc.tuple(hostile, piece), { maxLength: 4 })
    .map((parts) =>
      [
        ...parts.map(([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`),
        "--b--",
      ].join(""),
    );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        whole,
        fc.array(piece, { maxLength: 12 }).map((all) => all.join("")),
      ),
      async (body) => {
        const answer = await routes.answer({
          method: "POST",
          target: "/en/api/core/v2/items",
          headers: [["Content-Type", "multipart/form-data; boundary=b"]],
          body: new TextEncoder().encode(body),
          signal: new AbortController().signal,
        });
        expect([200, 400]).toContain(answer?.status);
        if (typeof answer?.body === "string") {
          JSON.parse(answer.body);
        }
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      },
    ),
    { numRuns: 500, seed: 1 },
  );
});
