import { convertToUtf16Position, DONE, END, START, TEXT, XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";

function events(source: string): readonly string[] {
  const reader = new XmlReader(source);
  const seen: string[] = [];
  for (;;) {
    switch (reader.next()) {
      case START: {
        const attributes = reader.attributes
          .map((attribute) => ` {${attribute.namespace}}${attribute.localName}=${attribute.value}`)
          .join("");
        seen.push(`<{${reader.namespace}}${reader.localName}${attributes}>`);
        break;
      }
      case END:
        seen.push(`</{${reader.namespace}}${reader.localName}>`);
        break;
      case TEXT:
        seen.push(reader.text);
        break;
      default:
        return seen;
    }
  }
}

const cases: readonly { readonly given: string; readonly want: readonly string[] }[] = [
  { given: "<a/>", want: ["<{}a>", "</{}a>"] },
  { given: "<a></a >", want: ["<{}a>", "</{}a>"] },
  { given: "\ufeff<?xml version='1.0' encoding='x'?>\n<a/>\n<!-- c --><?p i?>", want: ["<{}a>", "</{}a>"] },
  { given: "<a>1<!-- c -->2<![CDATA[<3>]]><?p?>4</a>", want: ["<{}a>", "12<3>4", "</{}a>"] },
  { given: "<a><![CDATA[]]><!----></a>", want: ["<{}a>", "</{}a>"] },
  { given: "<a>\r\n1\r2\n&#13;&#xD;</a>", want: ["<{}a>", "\n1\n2\n\r\r", "</{}a>"] },
  { given: "<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x1F600;</a>", want: ["<{}a>", "<>&'\"A\u{1f600}", "</{}a>"] },
  { given: "<a b='1\r\n2\t3\n4\r5&#9;&#10;&#13;'/>", want: ["<{}a {}b=1 2 3 4 5\t\n\r>", "</{}a>"] },
  { given: "<a b=\"'\" c = '\"'/>", want: ["<{}a {}b=' {}c=\">", "</{}a>"] },
  {
    given: "<a xmlns='u'><b xmlns=''><c/></b><d/></a>",
    want: ["<{u}a>", "<{}b>", "<{}c>", "</{}c>", "</{}b>", "<{u}d>", "</{u}d>", "</{u}a>"],
  },
  {
    given: "<p:a xmlns:p='u' p:b='1' b='2' xml:lang='en'/>",
    want: ["<{u}a {u}b=1 {}b=2 {http://www.w3.org/XML/1998/namespace}lang=en>", "</{u}a>"],
  },
  {
    given: "<p:a xmlns:p='u'><p:b xmlns:p='v'/><p:c/></p:a>",
    want: ["<{u}a>", "<{v}b>", "</{v}b>", "<{u}c>", "</{u}c>", "</{u}a>"],
  },
  { given: "<é·><日本>ł</日本></é·>", want: ["<{}é·>", "<{}日本>", "ł", "</{}日本>", "</{}é·>"] },
];

test.each(cases)("the events of the document $given", ({ given, want }) => {
  expect(events(given)).toEqual(want);
});

test("every event has its offsets", () => {
  const source = "<a>\n  <b c='1'/>x</a>";
  const reader = new XmlReader(source);
  const places: string[] = [];
  while (reader.next() !== DONE) {
    places.push(source.slice(reader.offset, reader.end));
  }
  expect(places).toEqual(["<a>", "\n  ", "<b c='1'/>", "", "x", "</a>"]);
  expect(convertToUtf16Position(source, 6)).toEqual({ line: 2, column: 3 });
});

test("an attribute has the offsets of its name and value", () => {
  const source = "<a p:b = 'v&amp;w' xmlns:p='u'/>";
  const reader = new XmlReader(source);
  reader.next();
  const [attribute] = reader.attributes;
  expect(attribute?.value).toBe("v&w");
  expect(source.slice(attribute?.valueStart, attribute?.valueEnd)).toBe("v&amp;w");
  expect(attribute?.offset).toBe(3);
  expect(reader.attribute("u", "b")).toBe("v&w");
  expect(reader.attribute("", "b")).toBeUndefined();
});

test("depth, skip and the namespaces in scope follow the elements", () => {
  const reader = new XmlReader("<a xmlns='d' xmlns:p='u'><b xmlns:q='v'><c/>t<c><d/></c></b><e/></a>");
  reader.next();
  expect([reader.depth, reader.resolve(""), reader.resolve("p"), reader.resolve("q")]).toEqual([
    1,
    "d",
    "u",
    undefined,
  ]);
  expect(reader.declaredPrefixes()).toEqual(["", "p"]);
  reader.next();
  expect([reader.depth, reader.resolve("q"), reader.resolve("xml")]).toEqual([
    2,
    "v",
    "http://www.w3.org/XML/1998/namespace",
  ]);
  reader.skip();
  expect([reader.kind, reader.localName, reader.depth, reader.resolve("q")]).toEqual([END, "b", 2, "v"]);
  reader.next();
  expect([reader.kind, reader.localName, reader.resolve("q")]).toEqual([START, "e", undefined]);
  reader.skip();
  expect([reader.next(), reader.localName, reader.next(), reader.next()]).toEqual([END, "a", DONE, DONE]);
});

test.each([
  { given: "<a>text</a>", want: "text" },
  { given: "<a></a>", want: "" },
  { given: "<a/>", want: "" },
  { given: "<a>x&amp;<!-- -->y<![CDATA[z]]></a\n>", want: "x&yz" },
  { given: "<p:a xmlns:p='u'>t</p:a>", want: "t" },
])("the whole text of $given", ({ given, want }) => {
  const reader = new XmlReader(given);
  reader.next();
  expect(reader.readText()).toBe(want);
  expect([reader.kind, reader.localName, reader.depth, reader.next()]).toEqual([END, "a", 1, DONE]);
});

test("readText refuses an element inside the text", () => {
  const reader = new XmlReader("<a>x<b/></a>");
  reader.next();
  expect(() => reader.readText()).toThrow(
    expect.objectContaining({ code: "xml.unexpected-element", offset: 4, column: 5 }),
  );
});

test("outer prefixes are bound where the document does not declare them", () => {
  const reader = new XmlReader(
    `<o:a><b xmlns:o="inner" o:x="1"/><b o:x="2"/></o:a>`,
    undefined,
    new Map([["o", "outer"]]),
  );
  reader.next();
  expect(reader.namespace).toBe("outer");
  reader.next();
  expect(reader.attribute("inner", "x")).toBe("1");
  reader.skip();
  reader.next();
  expect(reader.attribute("outer", "x")).toBe("2");
  expect(() => new XmlReader("<p:a/>", undefined, new Map([["o", "outer"]])).next()).toThrow("not declared");
});
