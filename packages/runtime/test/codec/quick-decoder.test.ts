import { messageLimits } from "@bothends/xml";
import { XmlReader } from "@bothends/xml/reader";
import { DONE } from "@bothends/xml/reader-events";
import { describe, expect, test } from "vitest";
import { Decoder } from "../../src/codec/decoder.js";
import { QuickDecoder } from "../../src/codec/quick/quick-decoder.js";
import { QuickReader } from "../../src/codec/quick/quick-reader.js";
import * as xs from "../../src/xs.js";

const line = {
  kind: "record",
  name: "{urn:o}Line",
  namespace: "urn:o",
  fields: {
    sku: { type: xs.string },
    count: { type: xs.int, min: 0, nillable: true },
    note: { type: xs.token, min: 0 },
  },
} as const;
const order = {
  kind: "record",
  name: "{urn:o}Order",
  namespace: "urn:o",
  fields: {
    id: { type: xs.int },
    name: { type: xs.string, nillable: true },
    kind: { type: xs.QName, min: 0 },
    lines: { type: () => line, min: 0, max: "unbounded" },
    parent: { type: () => order, min: 0 },
    tag: { type: xs.string, namespace: "urn:t", min: 0, max: "unbounded", nillable: true },
  },
} as const satisfies object;
const withAttribute = {
  kind: "record",
  name: "{urn:o}Order",
  namespace: "urn:o",
  fields: { id: { kind: "attribute", by: xs.attribute, type: xs.int } },
} as const;

const strict = new Decoder({ repeated: "error", loss: "error" });
const quick = new QuickDecoder();
const prefixes = new Map([["xsi", "http://www.w3.org/2001/XMLSchema-instance"]]);

function decode(text: string): unknown {
  const reader = new XmlReader(text, messageLimits, prefixes);
  reader.next();
  const value = strict.decode(reader, () => order as never, {});
  while (reader.next() !== DONE) {}
  return value;
}

function decodeQuickly(text: string, type: object = order, limits = messageLimits): unknown {
  const reader = new QuickReader(text, limits, prefixes);
  reader.nextChild();
  const value = quick.decode(reader, () => type as never);
  reader.finish();
  return value;
}

const usual = [
  `<Order xmlns="urn:o"><id>1</id><name>a</name></Order>`,
  `<?xml version="1.0" encoding="utf-8"?>\r\n<o:Order xmlns:o="urn:o">\r\n  <o:id> 1 </o:id>\r\n  <o:name>a\r\nb</o:name>\r\n</o:Order>\r\n`,
  `<?xml version='1.0' encoding='UTF-8' standalone='yes'?><Order xmlns="urn:o"><id>1</id><name>&lt;&amp;&gt;&#13;</name></Order>`,
  `<Order xmlns="urn:o"><name>b</name><id>1</id><unknown a="1"><deep>x</deep> text <deep/></unknown></Order>`,
  `<Order xmlns="urn:o"><id>1</id></Order>`,
  `<Order xmlns="urn:o" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><id>1</id><name xsi:nil="true" /><lines><sku>a</sku><count xsi:nil="true" /></lines><lines><sku></sku><count xsi:nil="true" /><note/></lines></Order>`,
  `<p:Order xmlns:p="urn:o" xmlns:t="urn:t" xmlns:q="urn:q"><p:id>1</p:id><p:name>n</p:name><p:kind>q:x</p:kind><p:parent><p:id>2</p:id><p:name xsi:nil='1'/></p:parent><t:tag>1</t:tag><tag xmlns="urn:t" xsi:nil="true"/><t:tag/></p:Order>`,
  `<Order xmlns="urn:o"><id xmlns="urn:o">1</id><name>é ü 𝄞</name></Order>`,
];

test.each(usual)("usual messages are read like others: %s", (text) => {
  expect(decodeQuickly(text)).toEqual(decode(text));
});

/** Returns the bookmark at the start tag of a document. */
function bookmarkOf(text: string, limits = messageLimits): QuickReader | undefined {
  const reader = new QuickReader(text, limits, prefixes);
  reader.nextChild();
  return reader.bookmark();
}

/** Returns the value of a document, or "refused". Continues at a bookmark, if there is one for its beginning. */
function outcomeOf(text: string, bookmark: QuickReader | undefined, limits = messageLimits): unknown {
  try {
    const reader = new QuickReader(text, limits, prefixes);
    if (!reader.resume(bookmark)) {
      reader.nextChild();
    }
    const value = quick.decode(reader, () => order as never);
    reader.finish();
    return value;
  } catch {
    return "refused";
  }
}

test("a bookmark of any message changes no outcome", () => {
  const cutOff = usual.flatMap((text) => [text.slice(0, -1), text.slice(0, text.indexOf("><") + 1), `${text}<a/>`]);
  for (const text of usual) {
    expect(new QuickReader(text, messageLimits, prefixes).resume(bookmarkOf(text))).toBe(true);
    for (const other of [...usual, ...cutOff]) {
      expect(outcomeOf(other, bookmarkOf(text))).toEqual(outcomeOf(other, undefined));
    }
  }
});

test("a bookmark is used only with the same limits, and what precedes it counts", () => {
  const [text = ""] = usual;
  expect(new QuickReader(text, { ...messageLimits }, prefixes).resume(bookmarkOf(text))).toBe(false);
  const outcomes = Array.from({ length: 30 }, (_, index) => ({ ...messageLimits, nodes: index + 4 })).map((limits) => {
    const outcome = outcomeOf(text, bookmarkOf(text, limits), limits);
    expect(outcome).toEqual(outcomeOf(text, undefined, limits));
    return outcome === "refused";
  });
  expect(new Set(outcomes).size).toBe(2);
});

test("an empty element and a long beginning have no bookmark", () => {
  expect(bookmarkOf(`<Order xmlns="urn:o"/>`)).toBeUndefined();
  expect(bookmarkOf(`<Order xmlns="urn:o" xmlns:a="${"a".repeat(1024)}"><id>1</id></Order>`)).toBeUndefined();
});

const unusual = [
  ["a comment", `<Order xmlns="urn:o"><!-- c --><id>1</id><name>a</name></Order>`],
  ["a CDATA section", `<Order xmlns="urn:o"><id>1</id><name><![CDATA[a]]></name></Order>`],
  ["a document type", `<!DOCTYPE Order><Order xmlns="urn:o"><id>1</id></Order>`],
  ["another encoding", `<?xml version="1.0" encoding="iso-8859-1"?><Order xmlns="urn:o"><id>1</id></Order>`],
  ["a missing element", `<Order xmlns="urn:o"><name>a</name></Order>`],
  ["a repeated element", `<Order xmlns="urn:o"><id>1</id><id>1</id></Order>`],
  ["an invalid value", `<Order xmlns="urn:o"><id>x</id></Order>`],
  ["another namespace", `<Order xmlns="urn:x"><id>1</id></Order>`],
  ["a reference", `<Order xmlns="urn:o"><id>1</id><parent href="#1"/></Order>`],
  ["nil where it is not allowed", `<Order xmlns="urn:o"><id xsi:nil="true"/></Order>`],
  ["text between elements", `<Order xmlns="urn:o">a<id>1</id></Order>`],
  ["a second document element", `<Order xmlns="urn:o"><id>1</id></Order><a/>`],
  ["an unknown entity", `<Order xmlns="urn:o"><id>1</id><name>&x;</name></Order>`],
  ["a duplicate attribute", `<Order xmlns="urn:o"><id a="1" a="1">1</id></Order>`],
  ["a duplicate declaration", `<Order xmlns="urn:o" xmlns="urn:o"><id>1</id></Order>`],
  ["an undeclared prefix", `<Order xmlns="urn:o"><x:id>1</x:id></Order>`],
  ["a wrong end tag", `<Order xmlns="urn:o"><id>1</name></Order>`],
  ["a missing end tag", `<Order xmlns="urn:o"><id>1</id>`],
  ["a control character", `<Order xmlns="urn:o"><id>1</id><name>\u0001</name></Order>`],
  ["a forbidden character", `<Order xmlns="urn:o"><id>1</id><name>\uffff</name></Order>`],
  ["the end of a section in text", `<Order xmlns="urn:o"><id>1</id><name>]]></name></Order>`],
  ["mixed quotes", `<?xml version="1.0'?><Order xmlns="urn:o"><id>1</id></Order>`],
] as const;

test.each(unusual)("quick reading stops at %s", (_, text) => {
  expect(() => decodeQuickly(text)).toThrow();
});

test("quick reading does not support descriptors with more than elements", () => {
  expect(() => decodeQuickly(`<Order xmlns="urn:o" id="1"/>`, withAttribute)).toThrow("unusual");
});

describe("quick reading stops where a limit may be exceeded", () => {
  const text = `<Order xmlns="urn:o"><id>1</id><name>four</name><parent><id>2</id></parent></Order>`;
  test.each([
    ["depth", 2],
    ["children", 3],
    ["nodes", 9],
    ["textChars", 3],
    ["nameChars", 3],
    ["attributeChars", 4],
    ["namespaceChars", 4],
    ["namespaces", 0],
  ] as const)("%s", (name, value) => {
    expect(decodeQuickly(text)).toEqual(decode(text));
    expect(() => decodeQuickly(text, order, { ...messageLimits, [name]: value })).toThrow("unusual");
  });
});

/** A repeatable sequence of numbers below 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const pieces = [
  ..."<>/=\"'&;: \n\t\r!?-x1é\u0001]",
  "<id>1</id>",
  "</id>",
  "<x/>",
  "<x:y/>",
  ' xmlns:o="urn:x"',
  ' xmlns=""',
  ' xmlns:xml="urn:x"',
  ' xsi:nil="true"',
  ' a="1"',
  "&amp;",
  "&amp",
  "&#13;",
  "&#x41;",
  "]]>",
  "<!-- -->",
  "<?x y?>",
];

test("a randomly changed document that quick reading accepts is also accepted by other reading, with the same value", () => {
  const random = randomNumbers(7);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let accepted = 0;
  for (let run = 0; run < 8_000; run += 1) {
    let text = pick(usual);
    for (let change = 0; change <= run % 3; change += 1) {
      const at = Math.floor(random() * text.length);
      const removed = random() < 0.5 ? 0 : Math.floor(random() * 6);
      text = text.slice(0, at) + (random() < 0.3 ? "" : pick(pieces)) + text.slice(at + removed);
    }
    // Decoded from UTF-8, a text has no half of a surrogate pair.
    text = Buffer.from(text).toString();
    let value: unknown;
    try {
      value = decodeQuickly(text);
    } catch {
      continue;
    }
    accepted += 1;
    expect({ text, value }).toEqual({ text, value: decode(text) });
  }
  expect(accepted).toBeGreaterThan(500);
});
