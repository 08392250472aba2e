import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import { codeScript } from "../../src/pages/browser/call-scripts.js";

function scriptFunction(name: string): (text: string) => unknown {
  const document = { querySelectorAll: () => [], getElementById: () => null };
  return runInNewContext(`${codeScript}; ${name}`, { document });
}

const splitXml = scriptFunction("splitXml");
const splitJson = scriptFunction("splitJson");

test.each(["<a b=", '<a "', "<!--", "<", '"\\', '{"a":', "<a b='", "-"])(
  "the syntax of many of %s is colored in linear time",
  (part) => {
    const timeOf = (count: number) =>
      processorTimeOf(() => {
        const text = part.repeat(count);
        splitXml(text);
        splitJson(text);
      });
    timeOf(1000);
    expect(timeOf(20_000)).toBeLessThan(Math.max(400, timeOf(5_000) * 12));
  },
);
