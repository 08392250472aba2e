import { XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { Decoder } from "../../src/codec/decoder.js";
import { Encoder } from "../../src/codec/encoder.js";
import type { FieldDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { type Loose, ns, record, xsi } from "./messages.js";

const pair = record({
  CurrentValue: { type: xs.string, nillable: true },
  CurrentTextValue: { type: xs.string, nillable: true },
});
const fields: Record<string, FieldDescriptor<NonNullable<unknown>>> = {};
const value: Loose = {};
for (let index = 0; index < 18; index += 1) {
  const key = `SomeFieldName${index}`;
  const isPair = index % 3 === 2;
  fields[key] = isPair ? { type: pair, min: 0 } : { type: xs.string, min: 0 };
  value[key] = isPair ? { CurrentValue: null, CurrentTextValue: `text of ${index}` } : `some text of field ${index}`;
}
const type = record(fields);
const encoder = new Encoder();
const decoder = new Decoder();
const encode = (): string => encoder.encode(`{${ns}}R`, type, value, { declarations: ` xmlns:xsi="${xsi}"` });
const xml = encode();
const json = JSON.stringify(value);

function decode(): Loose {
  const reader = new XmlReader(xml);
  reader.next();
  return decoder.decode(reader, type);
}

/** The lowest of several rounds, in nanoseconds per operation. */
function cost(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12; round += 1) {
    const start = processorTime();
    for (let index = 0; index < 1000; index += 1) {
      run();
    }
    best = Math.min(best, processorTime() - start);
  }
  return Math.round(best * 1000);
}

test("a record takes a small multiple of the time of its JSON", () => {
  expect(decode()).toStrictEqual(value);
  const reading = cost(decode) / cost(() => JSON.parse(json));
  const writing = cost(() => Buffer.from(encode())) / cost(() => Buffer.from(JSON.stringify(value)));
  console.log(`decode ${reading.toFixed(1)} x JSON.parse, encode ${writing.toFixed(1)} x JSON.stringify`);
  // Far above the time on an idle machine: a quadratic loop exceeds the bound, other load does not.
  expect(reading).toBeLessThan(60);
  expect(writing).toBeLessThan(30);
});

test("time grows with the size of a document, not with its square", () => {
  const list = record({ e: { type: xs.int, min: 0, max: "unbounded" }, last: { type: xs.int, min: 0 } });
  const time = (count: number): number => {
    const items = { e: Array.from({ length: count }, (_, index) => index) };
    const text = encoder.encode(`{${ns}}R`, list, items);
    return cost10(() => {
      const reader = new XmlReader(text);
      reader.next();
      decoder.decode(reader, list);
    });
  };
  time(1000);
  // The lowest time of several interleaved rounds. Quadratic growth would take a hundred times as long, however busy
  // the machine is.
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 6 && !(large < 40 * small); round += 1) {
    [small, large] = [Math.min(small, time(4000)), Math.min(large, time(40_000))];
  }
  expect(large / small).toBeLessThan(40);
});

function cost10(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round += 1) {
    const start = processorTime();
    run();
    best = Math.min(best, processorTime() - start);
  }
  return best;
}
