import { expect, test } from "vitest";
import { bundleOf, programs } from "../src/areas/bundle.js";

// A fifth above what is measured: what is added on purpose may move them.
const most: Readonly<Record<keyof typeof programs, number>> = {
  "one operation, SOAP 1.1": 38_000,
  "one operation, SOAP 1.2": 38_000,
  "one operation, HTTP GET": 28_000,
  "one endpoint, REST": 17_500,
  "SOAP client classes": 44_000,
  "REST client classes": 21_000,
};

/** What no part of a program's start may be: paths below `packages`. */
const kept: Readonly<Record<keyof typeof programs, RegExp>> = {
  "one operation, SOAP 1.1":
    /\/(server|rest|http-binding|ws|pattern|transports\/node)|multipart|calendar|duration|float/,
  "one operation, SOAP 1.2":
    /\/(server|rest|http-binding|ws|pattern|transports\/node)|multipart|calendar|duration|float/,
  "one operation, HTTP GET": /\/(server|rest|ws|pattern|transports\/node)|encode|envelope|multipart|calendar/,
  "one endpoint, REST": /^xml\/src\/reader|\/(server|codec|soap|lexical|transports\/node)/,
  "SOAP client classes": /\/(server|rest|ws|transports\/node)|multipart/,
  "REST client classes": /^xml\/src\/reader|\/(server|codec|soap|lexical|transports\/node)/,
};

test.each(Object.entries(programs) as [keyof typeof programs, string][])("%s", async (name, program) => {
  const { bytes, modules } = await bundleOf(program);
  expect(modules.filter((path) => kept[name].test(path))).toEqual([]);
  expect(bytes).toBeLessThan(most[name]);
  // A program that imports nothing would pass, too.
  expect(bytes).toBeGreaterThan(most[name] / 2);
});
