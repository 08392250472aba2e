import { XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { Decoder } from "../../src/codec/decoder.js";
import type { ArrayDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";

type Words = (string | null)[];
type Grid = (Words | null)[];

const words: ArrayDescriptor<Words> = {
  kind: "array",
  by: xs.array,
  name: "{urn:a}Words",
  element: "item",
  item: xs.string,
};
const grid: ArrayDescriptor<Grid> = {
  kind: "array",
  by: xs.array,
  name: "{urn:a}Grid",
  element: "item",
  item: () => words,
};

test("a size that consists only of brackets is read in one step", () => {
  const xml = `<a xmlns:soapenc="http://schemas.xmlsoap.org/soap/encoding/">${`<i soapenc:arrayType="${"[".repeat(60_000)}"/>`.repeat(4)}</a>`;
  const started = processorTime();
  const reader = new XmlReader(xml);
  reader.next();
  expect(new Decoder().decode(reader, () => grid, { encoding: xs.soapEncoding.headerRules })).toEqual([[], [], [], []]);
  expect(processorTime() - started).toBeLessThan(1_000);
});
