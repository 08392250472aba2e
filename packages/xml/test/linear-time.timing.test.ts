import { DONE, decodeXml, XmlError, type XmlLimits, XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { processorTime } from "../../../testing/processor-time.js";

const unlimited: XmlLimits = {
  depth: 1e9,
  attributes: 1e9,
  namespaces: 1e9,
  attributeChars: 1e9,
  namespaceChars: 1e9,
  children: 1e9,
  nodes: 1e9,
  textChars: 1e9,
  nameChars: 1e9,
  comments: 1e9,
};

const numbered = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(" ");

const shapes: Readonly<Record<string, (n: number) => string>> = {
  "open tags": (n) => "<a>".repeat(n),
  "deep elements": (n) => "<a>".repeat(n) + "</a>".repeat(n),
  "deep declarations": (n) => "<a xmlns:p='u'>".repeat(n) + "</a>".repeat(n),
  "many declarations": (n) => `<a ${numbered(n / 8, (i) => `xmlns:p${i}='u'`)}/>`,
  "many attributes": (n) => `<a ${numbered(n / 4, (i) => `a${i}=''`)}/>`,
  "attributes in a long namespace": (n) =>
    `<a xmlns:p='${"u".repeat(n)}'>${`<b ${numbered(9, (i) => `p:c${i}=''`)}/>`.repeat(n / 80)}</a>`,
  "attributes in long namespaces with different ends": (n) =>
    `<a ${numbered(8, (i) => `xmlns:p${i}='${"u".repeat(n)}${i}'`)}>${`<b ${numbered(8, (i) => `p${i}:c=''`)}/>`.repeat(n / 80)}</a>`,
  siblings: (n) => `<a>${"<b/>".repeat(n)}</a>`,
  comments: (n) => `<a>${"<!---->".repeat(n)}</a>`,
  "CDATA sections": (n) => `<a>${"<![CDATA[x]]>".repeat(n)}</a>`,
  "CDATA brackets": (n) => `<a><![CDATA[${"]]".repeat(n)}]]></a>`,
  references: (n) => `<a>${"&lt;".repeat(n)}</a>`,
  "carriage returns before a far reference": (n) => `<a>${"\r<b/>".repeat(n)}&lt;]]</a>`,
  "bare ampersands": (n) => `<a>${"&".repeat(n)}</a>`,
  "a long reference": (n) => `<a>&#x${"0".repeat(n)}41;</a>`,
  "a long entity": (n) => `<a>&${"b".repeat(n)};</a>`,
  "an unclosed value": (n) => `<a b='${"<a b=".repeat(n)}`,
  "an unclosed comment": (n) => `<!--${"<!- ".repeat(n)}`,
  "white space in a tag": (n) => `<a${" ".repeat(n)}`,
  "white space in the declaration": (n) => `<?xml${" ".repeat(n)}x`,
  "white space after the version": (n) => `<?xml version='1.0'${" ".repeat(n)}x?>`,
  "a long name": (n) => `<${"a".repeat(n)}/>`,
  "a long name beyond ASCII": (n) => `<${"é".repeat(n)}/>`,
  "carriage returns": (n) => `<a>${"\r".repeat(n)}</a>`,
  "carriage returns in a value": (n) => `<a b='${"\r".repeat(n)}'/>`,
  "half pairs": (n) => `<a>${"\ud800".repeat(n)}</a>`,
  "control characters": (n) => `<a>${"\u0001".repeat(n)}</a>`,
  "an instruction without an end": (n) => `<a><?p ${"? >".repeat(n)}`,
};

function cost(source: string): number {
  const start = processorTime();
  try {
    const reader = new XmlReader(source, unlimited);
    while (reader.next() !== DONE) {}
  } catch (error) {
    if (!(error instanceof XmlError)) {
      throw error;
    }
  }
  return processorTime() - start;
}

const n = 20_000;
test.each(Object.keys(shapes))("eight times the %s cost about eight times the time, not sixty-four", (name) => {
  const shape = shapes[name];
  if (shape === undefined) {
    throw new Error(name);
  }
  const once = shape(n);
  const eightTimes = shape(8 * n);
  cost(once);
  // The lowest of several interleaved rounds: quadratic growth shows in all of them, a disturbance only in some.
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20 && !(large < 24 * small || large < 2); round += 1) {
    small = Math.min(small, cost(once));
    large = Math.min(large, cost(eightTimes));
  }
  expect(large < 2 || large < 24 * small, `${small} ms, ${large} ms`).toBe(true);
});

test("malformed bytes are found in linear time", () => {
  const bytes = new Uint8Array(4_000_000).fill(0x61);
  bytes[bytes.length - 1] = 0xff;
  const start = processorTime();
  expect(() => decodeXml(bytes)).toThrow(expect.objectContaining({ offset: bytes.length - 1 }));
  expect(processorTime() - start).toBeLessThan(1_000);
});
