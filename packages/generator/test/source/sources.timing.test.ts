import { expect, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { Sources } from "../../src/source/sources.js";

test("exponential entities and a million levels are refused in a short time", () => {
  const laughs = Array.from({ length: 10 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`);
  const texts = [`<!DOCTYPE l [<!ENTITY l0 "ha">${laughs.join("")}]><l>&l9;</l>`, "<a>".repeat(1_000_000)];
  const time = processorTimeOf(() => {
    for (const text of texts) {
      const diagnostics = new Diagnostics();
      const bytes = new TextEncoder().encode(text);
      const sources = new Sources({ readFile: () => ({ kind: "file", bytes }), diagnostics });
      const reference = { source: { path: "bothends.json", text: "" }, start: 0, end: 0 };
      expect(sources.readXml("a.wsdl", { reference, expected: "a WSDL 1.1 document" })).toBeUndefined();
      expect(diagnostics.all).toHaveLength(1);
    }
  });
  expect(time).toBeLessThan(1_000);
});
