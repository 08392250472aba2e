import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { envelopes, findBody, posted, served, type Version } from "./fixture.js";

const versions: readonly Version[] = ["soap11", "soap12"];

function enveloped(version: Version, body: string, before = ""): string {
  return `${before}<soap:Envelope xmlns:soap="${envelopes[version]}"><soap:Body>${body}</soap:Body></soap:Envelope>`;
}

const beforeKey = (junk: string) => findBody.replace("<Key>", `${junk}<Key>`);

test.each([
  {
    what: "nested entities (S01)",
    body: () => findBody.replace(">k<", ">&b;<"),
    before: '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
  },
  {
    what: "what looks like many sections in a comment",
    body: () => findBody.replace(">k<", `>k<!--${"<![CDATA[".repeat(100_000)}--><`),
  },
  { what: "a million levels (S02)", body: () => beforeKey("<a>".repeat(1_000_000)) },
  {
    what: "100,000 attributes (S02)",
    body: () => beforeKey(`<a ${Array.from({ length: 100_000 }, (_, n) => `a${n}="x"`).join(" ")}/>`),
  },
  {
    what: "100,000 namespaces (S02)",
    body: () => beforeKey(`<a ${Array.from({ length: 100_000 }, (_, n) => `xmlns:a${n}="x"`).join(" ")}/>`),
  },
  { what: "600,000 siblings (S02)", body: () => beforeKey("<a/>".repeat(600_000)) },
  { what: "100,000 comments (S02)", body: () => beforeKey("<!---->".repeat(100_000)) },
  { what: "a name of 100,000 characters (S02)", body: () => beforeKey(`<${"a".repeat(100_000)}/>`) },
])("$what takes less than a second of processor time", async ({ body, before }) => {
  for (const version of versions) {
    const text = enveloped(version, body(), before);
    const { send } = served();
    const started = processorTime();
    await send(posted(version, text));
    expect(processorTime() - started).toBeLessThan(1_000);
  }
});
