import { DONE, END, messageLimits, START, TEXT, type XmlAttribute, XmlReader } from "@bothends/xml";
import { ExpectedName } from "@bothends/xml/expected-name";
import { expect, test } from "vitest";

/** A reader after the first START. */
function inside(source: string, limits = messageLimits): XmlReader {
  const reader = new XmlReader(source, limits);
  reader.next();
  return reader;
}

test.each([
  { given: "<r><a>1</a></r>", namespace: "" },
  { given: "<r>\r\n\t <a>1</a></r>", namespace: "" },
  { given: "<r><a/></r>", namespace: "" },
  { given: "<r xmlns='u'><a>1</a></r>", namespace: "u" },
  { given: "<p:r xmlns:p='u'> <p:a>1</p:a></p:r>", namespace: "u" },
])("nextIs reads the expected element of $given", ({ given, namespace }) => {
  const reader = inside(given);
  expect(reader.nextIs(new ExpectedName(namespace, "a"))).toBe(true);
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
])("nextIs reads nothing before $why: $given", ({ given }) => {
  const reader = inside(given);
  const before = [reader.kind, reader.offset, reader.depth];
  expect(reader.nextIs(new ExpectedName("", "a"))).toBe(false);
  expect([reader.kind, reader.offset, reader.depth]).toEqual(before);
});

test("nextIs ignores the namespaces of the element that has ended", () => {
  const reader = inside("<r><x xmlns='u'/><a/></r>");
  reader.next();
  reader.skip();
  expect(reader.nextIs(new ExpectedName("u", "a"))).toBe(false);
  expect(reader.nextIs(new ExpectedName("", "a"))).toBe(true);
  expect(reader.resolve("")).toBe("");
});

test.each([
  { given: "<r><a>1</a><b/></r>", namespace: "", want: "1" },
  { given: "<r>\n <a></a><b/></r>", namespace: "", want: "" },
  { given: "<r xmlns='u'><a> 1 </a><b/></r>", namespace: "u", want: " 1 " },
  { given: "<p:r xmlns:p='u'><p:a>1</p:a><b/></p:r>", namespace: "u", want: "1" },
])("nextText reads the text of $given", ({ given, namespace, want }) => {
  const reader = inside(given);
  expect([reader.nextText(new ExpectedName(namespace, "a")), reader.text, reader.depth]).toEqual([want, want, 1]);
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
  { given: "<r><a>]]></a></r>", why: "]]> in text" },
  { given: "<r><a>\u0001</a></r>", why: "a forbidden character" },
  { given: "<r><a>1", why: "the end of the text" },
  { given: "<r><a/></r>", why: "an empty tag" },
  { given: "<r xmlns='u'><a>1</a></r>", why: "another namespace" },
  { given: "<p:r xmlns:p='u'><q:a>1</q:a></p:r>", why: "another prefix" },
  { given: "<r/>", why: "no content" },
])("nextText reads nothing before $why: $given", ({ given }) => {
  const reader = inside(given);
  const before = [reader.kind, reader.offset, reader.depth];
  for (const namespace of given.includes("xmlns:p") ? ["u"] : [""]) {
    expect(reader.nextText(new ExpectedName(namespace, "a"))).toBeUndefined();
  }
  expect([reader.kind, reader.offset, reader.depth]).toEqual(before);
});

test.each([
  { name: "depth", limit: 1 },
  { name: "children", limit: 0 },
  { name: "nodes", limit: 2 },
  { name: "textChars", limit: 2 },
])("nextText counts for the limit $name", ({ name, limit }) => {
  const reader = inside("<r><a>123</a></r>", { ...messageLimits, [name]: limit });
  expect(() => reader.nextText(new ExpectedName("", "a"))).toThrow(expect.objectContaining({ code: `limit.${name}` }));
});

test("nextText ignores the namespaces of the element that has ended", () => {
  const reader = inside("<r><x xmlns='u'/><a>1</a><b/></r>");
  reader.next();
  reader.skip();
  expect(reader.nextText(new ExpectedName("u", "a"))).toBeUndefined();
  expect(reader.nextText(new ExpectedName("", "a"))).toBe("1");
  expect(reader.resolve("")).toBe("");
  expect([reader.next(), reader.localName, reader.depth]).toEqual([START, "b", 2]);
});

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

test("a repeated attribute has its own position", () => {
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

test("a repeated attribute has the namespace that its prefix has there", () => {
  const found = attributesOf('<r xmlns:x="u"><a x:n="1"/><b xmlns:x="v"><a x:n="1"/></b><a x:n="1"/></r>');
  expect(found.map(({ namespace }) => namespace)).toEqual(["u", "v", "u"]);
});

test("a repeated attribute is refused where its prefix is not declared", () => {
  expect(() => attributesOf('<r><a xmlns:x="u"><b x:n="1"/></a><c x:n="1"/></r>')).toThrow(
    expect.objectContaining({ code: "xml.namespace" }),
  );
});

test("nextIs reads an element that repeats an attribute", () => {
  const reader = new XmlReader('<r xmlns:x="u"><a x:n="1" /> <b x:n="1" /><c x:n="2" /></r>');
  reader.next();
  expect(reader.nextIs(new ExpectedName("", "a"))).toBe(false);
  reader.next();
  reader.next();
  expect(reader.nextIs(new ExpectedName("", "b"))).toBe(true);
  expect([reader.kind, reader.localName, reader.attribute("u", "n"), reader.depth]).toEqual([START, "b", "1", 2]);
  expect([reader.next(), reader.localName]).toEqual([END, "b"]);
  expect(reader.nextIs(new ExpectedName("", "c"))).toBe(false);
});

test("nextIs does not read a repeated attribute after its prefix has ended", () => {
  const reader = new XmlReader('<r><a xmlns:x="u"><b x:n="1"/></a><c x:n="1"/></r>');
  while (reader.next() !== END || reader.localName !== "a") {}
  expect(reader.nextIs(new ExpectedName("", "c"))).toBe(false);
  expect(() => reader.next()).toThrow(expect.objectContaining({ code: "xml.namespace" }));
});

test.each([
  { given: "<r> \r\n<a/></r>", want: [START, "a"] },
  { given: "<r> \n </r>", want: [END, "r"] },
  { given: "<r/>", want: [END, "r"] },
])("nextTag skips white space before a tag in $given", ({ given, want }) => {
  const reader = new XmlReader(given);
  reader.next();
  expect([reader.nextTag(), reader.localName]).toEqual(want);
});

test.each([
  { given: "<r> a <b/></r>", want: " a " },
  { given: "<r> <![CDATA[a]]></r>", want: " a" },
  { given: "<r> <!-- --> a</r>", want: "  a" },
])("nextTag reads text in $given", ({ given, want }) => {
  const reader = new XmlReader(given);
  reader.next();
  expect([reader.nextTag(), reader.text]).toEqual([TEXT, want]);
});

/** A reader after the END of `<x p:n="1"/>`, whose attribute may be repeated. */
function afterEmpty(content: string, limits = messageLimits): XmlReader {
  const reader = inside(`<r xmlns:p="u"><x p:n="1" />${content}</r>`, limits);
  reader.next();
  reader.skip();
  return reader;
}

test.each(['<a p:n="1" /><b/>', '\r\n  <a p:n="1" /><b/>'])("nextEmpty reads a repeated empty tag: %j", (content) => {
  const reader = afterEmpty(content);
  expect(reader.repeatableAttribute).toMatchObject({ namespace: "u", localName: "n", value: "1" });
  expect(reader.nextEmpty(new ExpectedName("", "a"))).toBe(true);
  expect([reader.kind, reader.depth]).toEqual([TEXT, 1]);
  expect([reader.nextIs(new ExpectedName("", "b")), reader.localName, reader.depth]).toEqual([true, "b", 2]);
});

test.each([
  { given: '<b p:n="1" />', why: "another name" },
  { given: '<a p:n="1"></a>', why: "a tag that is not empty" },
  { given: '<a p:n="2" />', why: "another value" },
  { given: '<a q:n="1" xmlns:q="u" />', why: "another prefix" },
  { given: '<a p:n="1" xmlns:p="v" />', why: "a declaration" },
  { given: "<a />", why: "no attribute" },
  { given: 'text<a p:n="1" />', why: "text before it" },
  { given: "", why: "the end" },
])("nextEmpty reads nothing before $why: $given", ({ given }) => {
  const reader = afterEmpty(given);
  const before = [reader.kind, reader.offset, reader.depth];
  expect(reader.nextEmpty(new ExpectedName("", "a"))).toBe(false);
  expect([reader.kind, reader.offset, reader.depth]).toEqual(before);
});

test("nextEmpty reads nothing where the prefix has another namespace", () => {
  const reader = inside('<r><x xmlns:p="u" ><y p:n="1" /></x><z xmlns:p="v"><a p:n="1" /></z></r>');
  while (reader.next() !== START || reader.localName !== "z") {}
  expect(reader.nextEmpty(new ExpectedName("", "a"))).toBe(false);
  expect(reader.next()).toBe(START);
  expect(reader.attribute("v", "n")).toBe("1");
});

test("nextEmpty reads nothing before a tag of the document that it has not read", () => {
  expect(inside('<r xmlns:p="u"><a p:n="1" /></r>').nextEmpty(new ExpectedName("", "a"))).toBe(false);
});

test.each([
  { name: "nodes", limit: { nodes: 4 } },
  { name: "children", limit: { children: 1 } },
])("nextEmpty counts for the limit $name", ({ name, limit }) => {
  const reader = afterEmpty('<a p:n="1" />', { ...messageLimits, ...limit });
  expect(() => reader.nextEmpty(new ExpectedName("", "a"))).toThrow(expect.objectContaining({ code: `limit.${name}` }));
});

test("nextEmpty refuses a forbidden character before the end of its tag", () => {
  const reader = afterEmpty('\u0001<a p:n="1" />');
  expect(reader.nextEmpty(new ExpectedName("", "a"))).toBe(false);
  expect(() => reader.next()).toThrow(expect.objectContaining({ code: "xml.character" }));
});

test.each(["", "p", "abc", "a-prefix-of-more-than-twelve-characters"])(
  "an expected name with the prefix %j is found before and after the prefix is stored",
  (prefix) => {
    const expected = new ExpectedName("u", "name");
    const name = prefix === "" ? "name" : `${prefix}:name`;
    for (let count = 0; count < 40; count += 1) {
      expect(expected.findEnd(`<${name}>`, 1, prefix)).toBe(1 + name.length);
      expect(expected.findEnd("<q:name>", 1, "q")).toBe(7);
      for (const other of ["x:name", "names", "nam", `${prefix}-name`, `${prefix}:nam`, `x${name}`, ""]) {
        const isFound = other.startsWith(name);
        expect(expected.findEnd(`<${other}`, 1, prefix), other).toBe(isFound ? 1 + name.length : -1);
      }
    }
  },
);

test("an expected name of more than twelve characters is compared completely under prefixes that alternate", () => {
  const expected = new ExpectedName("u", "RegistrationNumber");
  for (const prefix of ["", "p", "q", "", "p"].flatMap((each) => Array<string>(40).fill(each))) {
    const name = prefix === "" ? "RegistrationNumber" : `${prefix}:RegistrationNumber`;
    expect(expected.findEnd(`<${name}>`, 1, prefix)).toBe(1 + name.length);
    expect(expected.findEnd(`<${name.replace("Number", "Letter")}>`, 1, prefix)).toBe(-1);
    expect(expected.findEnd(`<${name.slice(0, -1)}`, 1, prefix)).toBe(-1);
  }
});

test("an expected name stores the prefix of most tags, not a prefix that is used in turn with others", () => {
  const expected = new ExpectedName("u", "name");
  const storedNames = () => ["", "p", "q"].flatMap((prefix) => expected.getStoredName(prefix) ?? []);
  for (let count = 0; count < 16; count += 1) {
    expected.findEnd("<p:name>", 1, "p");
  }
  expect(storedNames()).toEqual(["name"]);
  expected.findEnd("<p:name>", 1, "p");
  expect(storedNames()).toEqual(["p:name"]);
  expected.findEnd("<q:name>", 1, "q");
  expect(storedNames()).toEqual(["p:name"]);
});

test("nextText and nextIs read elements with changing prefixes by the same expected names", () => {
  const [a, b] = [new ExpectedName("u", "a"), new ExpectedName("u", "b")];
  for (let count = 0; count < 60; count += 1) {
    const prefix = ["p", "q", "p", "longer-than-twelve"][count % 4];
    const reader = inside(
      `<${prefix}:r xmlns:${prefix}='u'><${prefix}:a>1</${prefix}:a><${prefix}:b> </${prefix}:b></${prefix}:r>`,
    );
    expect([reader.nextText(a), reader.nextText(a), reader.nextIs(a), reader.nextIs(b)]).toEqual([
      "1",
      undefined,
      false,
      true,
    ]);
    expect([reader.prefix, reader.localName, reader.namespace, reader.readText()]).toEqual([prefix, "b", "u", " "]);
    expect([reader.next(), reader.localName, reader.next()]).toEqual([END, "r", DONE]);
  }
});
