import { expect, test } from "vitest";
import { END, messageLimits, START, XmlReader } from "../../src/index.js";

function inside(source: string, limits = messageLimits): XmlReader {
  const reader = new XmlReader(source, limits);
  reader.next();
  return reader;
}

test.each([
  { given: "<r><a>1</a><b/></r>", namespace: "", want: "1" },
  { given: "<r>\n <a></a><b/></r>", namespace: "", want: "" },
  { given: "<r xmlns='u'><a> 1 </a><b/></r>", namespace: "u", want: " 1 " },
  { given: "<p:r xmlns:p='u'><p:a>1</p:a><b/></p:r>", namespace: "u", want: "1" },
])("takes the text of $given", ({ given, namespace, want }) => {
  const reader = inside(given);
  expect([reader.nextText(namespace, "a"), reader.text, reader.depth]).toEqual([want, want, 1]);
  expect([reader.next(), reader.localName, reader.depth]).toEqual([START, "b", 2]);
  expect([reader.next(), reader.next(), reader.localName]).toEqual([END, END, "r"]);
});

test.each([
  { given: "<r><ab>1</ab></r>", why: "a longer name" },
  { given: "<r><a b='1'>1</a></r>", why: "an attribute" },
  { given: "<r><a>1<b/></a></r>", why: "a child" },
  { given: "<r><a>1&amp;</a></r>", why: "a reference" },
  { given: "<r><a><![CDATA[1]]></a></r>", why: "CDATA" },
  { given: "<r><a>1</b></r>", why: "another end" },
  { given: "<r><a>1</a ></r>", why: "white space in the end tag" },
  { given: "<r><a>]]></a></r>", why: "what text may not hold" },
  { given: "<r><a>\u0001</a></r>", why: "a character XML does not have" },
  { given: "<r><a>1", why: "the end of the text" },
  { given: "<r><a/></r>", why: "an empty tag" },
  { given: "<r xmlns='u'><a>1</a></r>", why: "another namespace" },
  { given: "<p:r xmlns:p='u'><q:a>1</q:a></p:r>", why: "another prefix" },
  { given: "<r/>", why: "no content" },
])("stays before $why: $given", ({ given }) => {
  const reader = inside(given);
  const before = [reader.kind, reader.offset, reader.depth];
  for (const namespace of given.includes("xmlns:p") ? ["u"] : [""]) {
    expect(reader.nextText(namespace, "a")).toBeUndefined();
  }
  expect([reader.kind, reader.offset, reader.depth]).toEqual(before);
});

test.each([
  { name: "depth", limit: 1 },
  { name: "children", limit: 0 },
  { name: "nodes", limit: 2 },
  { name: "textChars", limit: 2 },
])("counts for the limit $name", ({ name, limit }) => {
  const reader = inside("<r><a>123</a></r>", { ...messageLimits, [name]: limit });
  expect(() => reader.nextText("", "a")).toThrow(expect.objectContaining({ code: `limit.${name}` }));
});

test("leaves the namespaces of an element that has ended", () => {
  const reader = inside("<r><x xmlns='u'/><a>1</a><b/></r>");
  reader.next();
  reader.skip();
  expect(reader.nextText("u", "a")).toBeUndefined();
  expect(reader.nextText("", "a")).toBe("1");
  expect(reader.resolve("")).toBe("");
  expect([reader.next(), reader.localName, reader.depth]).toEqual([START, "b", 2]);
});
