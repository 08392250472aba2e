import { XmlError, XmlReader } from "@bothends/xml";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DecodeError, EncodeError } from "../../src/answer-errors.js";
import { Decoder } from "../../src/codec/decoder.js";
import { Encoder } from "../../src/codec/encoder.js";
import { inOrder } from "../../src/codec/kinds/in-order.js";
import { valuesOf } from "./arbitrary.js";
import { recordDescriptor } from "./arbitrary-record.js";
import { ns, xsi } from "./messages.js";

const declarations = ` xmlns:xsi="${xsi}" xmlns:xsd="http://www.w3.org/2001/XMLSchema"`;
const encoder = new Encoder();
const decoders = [new Decoder(), new Decoder({ strict: inOrder })];

/** A value in which one part is replaced by an arbitrary value. */
function damaged(value: unknown, other: unknown, pick: (count: number) => number): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const at = pick(value.length);
    return value.map((item, index) => (index === at ? damaged(item, other, pick) : item));
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) {
    return other;
  }
  const keys = Object.keys(value);
  const at = pick(keys.length + 2);
  if (at >= keys.length) {
    return at === keys.length ? other : { ...value, surplus: other };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, held], index) => [key, index === at ? damaged(held, other, pick) : held]),
  );
}

test("encoding any value gives XML or an EncodeError", () => {
  const outcomes = new Set<string>();
  const cases = recordDescriptor().chain((type) =>
    fc.record({
      type: fc.constant(type),
      value: valuesOf(type),
      other: fc.anything({ withDate: true, withMap: true }),
      at: fc.infiniteStream(fc.nat()),
    }),
  );
  fc.assert(
    fc.property(cases, ({ type, value, other, at }) => {
      const broken = damaged(value, other, (count) => Number(at.next().value) % count);
      try {
        const reader = new XmlReader(encoder.encode(`{${ns}}R`, type, broken, { declarations }));
        reader.next();
        new Decoder().decode(reader, type);
        outcomes.add("XML");
      } catch (error) {
        if (!(error instanceof EncodeError)) {
          throw error;
        }
        outcomes.add("EncodeError");
      }
    }),
    { numRuns: 500 },
  );
  expect([...outcomes].sort()).toEqual(["EncodeError", "XML"]);
});

test("whatever a document is, decoding gives a value, a DecodeError or an XmlError", () => {
  const outcomes = new Set<string>();
  const cases = recordDescriptor().chain((type) =>
    fc.record({
      type: fc.constant(type),
      value: valuesOf(type),
      cuts: fc.array(
        fc.tuple(
          fc.nat(),
          fc.nat(20),
          fc.constantFrom("", "<n1>", "</n2>", "<n3/>", "x", ' xsi:nil="true"', "<", "&", "n1", "<!---->"),
        ),
        { maxLength: 3 },
      ),
    }),
  );
  fc.assert(
    fc.property(cases, ({ type, value, cuts }) => {
      let xml = encoder.encode(`{${ns}}R`, type, value, { declarations });
      for (const [place, length, insert] of cuts) {
        const at = place % xml.length;
        xml = xml.slice(0, at) + insert + xml.slice(at + length);
      }
      for (const decoder of decoders) {
        try {
          const reader = new XmlReader(xml);
          reader.next();
          decoder.decode(reader, type);
          outcomes.add("value");
        } catch (error) {
          if (!(error instanceof DecodeError) && !(error instanceof XmlError)) {
            throw error;
          }
          outcomes.add(error.name);
        }
      }
    }),
    { numRuns: 1000 },
  );
  expect([...outcomes].sort()).toEqual(["DecodeError", "XmlError", "value"]);
});

test("a value that a tolerant decoder reads from a document without a tag can be written again", () => {
  const outcomes = new Set<string>();
  const cases = recordDescriptor().chain((type) =>
    fc.record({ type: fc.constant(type), value: valuesOf(type), cut: fc.nat() }),
  );
  fc.assert(
    fc.property(cases, ({ type, value, cut }) => {
      const xml = encoder.encode(`{${ns}}R`, type, value, { declarations });
      const tags = xml.split(/(?=<)/);
      tags.splice(1 + (cut % tags.length), 1);
      try {
        const reader = new XmlReader(tags.join(""));
        reader.next();
        encoder.encode(`{${ns}}R`, type, new Decoder().decode(reader, type));
        outcomes.add("XML");
      } catch (error) {
        if (!(error instanceof DecodeError) && !(error instanceof XmlError)) {
          throw error;
        }
        outcomes.add(error.name);
      }
    }),
    { numRuns: 500 },
  );
  expect(outcomes).toContain("XML");
});
