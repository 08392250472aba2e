import { XmlReader } from "@bothends/xml";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Decoder } from "../../src/codec/decoder.js";
import { Encoder } from "../../src/codec/encoder.js";
import { inOrder } from "../../src/codec/kinds/in-order.js";
import { indentElements } from "../../src/protocol/http/server-answers.js";
import { valuesOf } from "./arbitrary.js";
import { recordDescriptor } from "./arbitrary-record.js";
import { ns, xsi } from "./messages.js";

const declarations = ` xmlns:xsi="${xsi}" xmlns:xsd="http://www.w3.org/2001/XMLSchema"`;
const encoder = new Encoder();
const decoders = [new Decoder(), new Decoder({ unknown: "error" }), new Decoder({ strict: inOrder })];

const cases = recordDescriptor().chain((type) => valuesOf(type).map((value) => ({ type, value })));

test("random values of random records survive encoding and decoding, also in strict mode", () => {
  fc.assert(
    fc.property(cases, ({ type, value }) => {
      const xml = encoder.encode(`{${ns}}R`, type, value, { declarations });
      for (const decoder of decoders) {
        const reader = new XmlReader(xml);
        reader.next();
        expect(decoder.decode(reader, type), xml).toEqual(value);
      }
    }),
    { numRuns: 500 },
  );
});

test("random values are indented alike while they are written and afterwards", () => {
  fc.assert(
    fc.property(cases, ({ type, value }) => {
      const xml = encoder.encode(`{${ns}}R`, type, value, { declarations });
      const indented = encoder.encode(`{${ns}}R`, type, value, { declarations, indent: indentElements });
      expect(`\n${indented}`).toBe(indentElements(xml, "\n"));
    }),
    { numRuns: 500 },
  );
});
