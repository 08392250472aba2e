import { expect, test } from "vitest";
import { END, START, XmlReader } from "../../src/index.js";

function inside(source: string): XmlReader {
  const reader = new XmlReader(source);
  reader.next();
  return reader;
}

test.each([
  { given: "<r><a>1</a></r>", namespace: "" },
  { given: "<r>\r\n\t <a>1</a></r>", namespace: "" },
  { given: "<r><a/></r>", namespace: "" },
  { given: "<r xmlns='u'><a>1</a></r>", namespace: "u" },
  { given: "<p:r xmlns:p='u'> <p:a>1</p:a></p:r>", namespace: "u" },
])("goes on to the expected element of $given", ({ given, namespace }) => {
  const reader = inside(given);
  expect(reader.nextIs(namespace, "a")).toBe(true);
  expect([reader.kind, reader.localName, reader.namespace, reader.depth]).toEqual([START, "a", namespace, 2]);
  expect(reader.offset).toBe(given.search(/<(p:)?a/));
  reader.skip();
  expect([reader.kind, reader.localName, reader.namespace]).toEqual([END, "a", namespace]);
  expect([reader.next(), reader.localName, reader.depth]).toEqual([END, "r", 1]);
});

test.each([
  { given: "<r><ab/></r>", why: "a longer name" },
  { given: "<r><b/></r>", why: "another name" },
  { given: "<r>a<a/></r>", why: "text before it" },
  { given: "<r><!-- --><a/></r>", why: "a comment before it" },
  { given: "<r><a b=''/></r>", why: "attributes" },
  { given: "<r><a xmlns='u'/></r>", why: "another namespace" },
  { given: "<r xmlns='u'><a/></r>", why: "the parent's namespace" },
  { given: "<r/>", why: "no content" },
  { given: "<p:r xmlns:p='u'><a/></p:r>", why: "no prefix" },
  { given: "<r xmlns:p='u'><p:a/></r>", why: "a prefix" },
  { given: "<r></r>", why: "the end" },
  { given: "<r>", why: "the end of the text" },
])("stays before $why: $given", ({ given }) => {
  const reader = inside(given);
  const before = [reader.kind, reader.offset, reader.depth];
  expect(reader.nextIs("", "a")).toBe(false);
  expect([reader.kind, reader.offset, reader.depth]).toEqual(before);
});

test("namespaces of an element that has ended do not reach its sibling", () => {
  const reader = inside("<r><x xmlns='u'/><a/></r>");
  reader.next();
  reader.skip();
  expect(reader.nextIs("u", "a")).toBe(false);
  expect(reader.nextIs("", "a")).toBe(true);
  expect(reader.resolve("")).toBe("");
});
