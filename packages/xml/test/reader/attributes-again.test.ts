import { expect, test } from "vitest";
import { DONE, END, START, TEXT, type XmlAttribute, XmlReader } from "../../src/index.js";

function attributesOf(source: string): readonly XmlAttribute[] {
  const reader = new XmlReader(source);
  const found: XmlAttribute[] = [];
  for (let kind = reader.next(); kind !== DONE; kind = reader.next()) {
    if (kind === START) {
      found.push(...reader.attributes);
    }
  }
  return found;
}

test("an attribute that is written as the one before has its own place", () => {
  const source = '<r xmlns:x="u"><a x:n="1" /><b x:n="1" /><c x:n="1">t</c></r>';
  const found = attributesOf(source);
  expect(found.map(({ namespace, localName, value }) => `{${namespace}}${localName}=${value}`)).toEqual(
    Array(3).fill("{u}n=1"),
  );
  for (const { offset, valueStart, valueEnd } of found) {
    expect(source.slice(offset, valueEnd + 1)).toBe('x:n="1"');
    expect(source.slice(valueStart, valueEnd)).toBe("1");
  }
  expect(new Set(found.map(({ offset }) => offset)).size).toBe(3);
});

test("the same text under another binding of its prefix is another attribute", () => {
  const found = attributesOf('<r xmlns:x="u"><a x:n="1"/><b xmlns:x="v"><a x:n="1"/></b><a x:n="1"/></r>');
  expect(found.map(({ namespace }) => namespace)).toEqual(["u", "v", "u"]);
});

test("the same text where its prefix is no longer declared is refused", () => {
  expect(() => attributesOf('<r><a xmlns:x="u"><b x:n="1"/></a><c x:n="1"/></r>')).toThrow(
    expect.objectContaining({ code: "xml.namespace" }),
  );
});

test("an expected element may have the attribute of the one before", () => {
  const reader = new XmlReader('<r xmlns:x="u"><a x:n="1" /> <b x:n="1" /><c x:n="2" /></r>');
  reader.next();
  expect(reader.nextIs("", "a")).toBe(false);
  reader.next();
  reader.next();
  expect(reader.nextIs("", "b")).toBe(true);
  expect([reader.kind, reader.localName, reader.attribute("u", "n"), reader.depth]).toEqual([START, "b", "1", 2]);
  expect([reader.next(), reader.localName]).toEqual([END, "b"]);
  expect(reader.nextIs("", "c")).toBe(false);
});

test("an expected element does not have the attribute by a prefix that has ended", () => {
  const reader = new XmlReader('<r><a xmlns:x="u"><b x:n="1"/></a><c x:n="1"/></r>');
  while (reader.next() !== END || reader.localName !== "a") {}
  expect(reader.nextIs("", "c")).toBe(false);
  expect(() => reader.next()).toThrow(expect.objectContaining({ code: "xml.namespace" }));
});

test.each([
  { given: "<r> \r\n<a/></r>", want: [START, "a"] },
  { given: "<r> \n </r>", want: [END, "r"] },
  { given: "<r/>", want: [END, "r"] },
])("white space before a tag is passed over in $given", ({ given, want }) => {
  const reader = new XmlReader(given);
  reader.next();
  expect([reader.nextTag(), reader.localName]).toEqual(want);
});

test.each([
  { given: "<r> a <b/></r>", want: " a " },
  { given: "<r> <![CDATA[a]]></r>", want: " a" },
  { given: "<r> <!-- --> a</r>", want: "  a" },
])("text is not passed over in $given", ({ given, want }) => {
  const reader = new XmlReader(given);
  reader.next();
  expect([reader.nextTag(), reader.text]).toEqual([TEXT, want]);
});
