import { expect, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import { Redactor } from "../../src/observe/redact.js";

test("redaction takes linear time", () => {
  const redact = (text: string) => new Redactor({}).body(new TextEncoder().encode(text), undefined);
  const time = processorTimeOf(() => {
    redact(`<${"a".repeat(30_000)} ${'"password'.repeat(5_000)}`);
    redact(`{"${"password".repeat(8_000)}`);
    for (const part of ["<", "<!--", "<a ", "<password>", "<UsernameToken>", '<a b="', "<![CDATA[", "<!", "<a b=  "]) {
      redact(`<a>${part.repeat(60_000 / part.length)}`);
    }
    for (const part of ["[", '{"token":', '"a"', '"a" ', "\\", " ", "1 "]) {
      redact(`[${part.repeat(60_000 / part.length)}`);
      redact(`{"token":${part.repeat(60_000 / part.length)}`);
    }
    for (const part of ["\n--x\na:b\n\n", "\n--x\ntoken:\n\n", "\n--x", "--", "a=?", "?a", "%", "a ", "a=1&"]) {
      redact(part.repeat(60_000 / part.length));
    }
  });
  expect(time).toBeLessThan(2_000);
});
