import { expect, test } from "vitest";
import type { JsonValue } from "../../src/descriptor.js";
import { toList } from "../../src/rest/php-json.js";
import type { ServerIncident } from "../../src/server/index.js";
import { send, site } from "./site.js";

const integers = { type: "array", items: { type: "integer" } };
const args = {
  tags: integers,
  labels: integers,
  groups: { type: "array", items: integers },
  either: { anyOf: [{ ...integers, maxItems: 1 }, integers] },
  text: { type: ["array", "string"], maxLength: 9 },
};
const document: JsonValue = {
  namespaces: ["core/v2"],
  routes: { "/core/v2/items": { endpoints: [{ methods: ["POST"], args }] } },
};
const form = { "Content-Type": "application/x-www-form-urlencoded" };

async function posted(sent: Parameters<typeof send>[2], jsonItems: number) {
  const incidents: ServerIncident[] = [];
  const onError = (incident: ServerIncident) => void incidents.push(incident);
  const answer = await send(site({ onError, limits: { jsonItems } }, undefined, document), "POST /core/v2/items", sent);
  return { status: answer.status, json: answer.json, kinds: incidents.map(({ kind }) => kind) };
}

test.each([
  { spelling: "a JSON list", sent: { json: { tags: [1, 2, 3, 4] } } },
  { spelling: "text in JSON", sent: { json: { tags: "1,2,3,4" } } },
  { spelling: "text in a form", sent: { headers: form, body: "tags=1,2,3,4" } },
  { spelling: "form fields", sent: { headers: form, body: "tags[]=1&tags[]=2&tags[]=3&tags[]=4" } },
  { spelling: "form fields with keys", sent: { headers: form, body: "tags[4]=1&tags[5]=2&tags[6]=3&tags[7]=4" } },
  { spelling: "texts of two arguments", sent: { json: { tags: "1,2", labels: "1,2" } } },
  { spelling: "texts in a list", sent: { json: { groups: ["1", "2"] } } },
  { spelling: "text that could also be a string", sent: { json: { text: "1,2,3,4" } } },
])("$spelling of four items exceeds a limit of three", async ({ sent }) => {
  const { status, json, kinds } = await posted(sent, 3);
  expect(status).toBe(400);
  expect(JSON.stringify(json)).not.toContain("1,2");
  expect(kinds).toEqual(["limit.jsonItems"]);
});

test.each([
  { given: { tags: " 1,2 3, " }, want: { tags: [1, 2, 3] } },
  { given: { tags: [1], labels: "2 3" }, want: { tags: [1], labels: [2, 3] } },
  { given: { either: "1,2,3" }, want: { either: [1, 2, 3] } },
])("$given is within a limit of three items", async ({ given, want }) => {
  const { status, json, kinds } = await posted({ json: given }, 3);
  expect([status, json["input"], kinds]).toEqual([200, want, []]);
});

test("a text is split into at most two parts more than the limit", () => {
  const text = "1,".repeat(1_900_000);
  expect(toList(text, 100_000)?.length).toBeLessThanOrEqual(100_002);
  expect(toList(text.replaceAll(",", " "), 100_000)?.length).toBeLessThanOrEqual(100_002);
});

test("text of four million characters is not split beyond the limit", async () => {
  const { status, kinds } = await posted({ json: { tags: "1,".repeat(1_900_000) } }, 100_000);
  expect([status, kinds]).toEqual([400, ["limit.jsonItems"]]);
});
