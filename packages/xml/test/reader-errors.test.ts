import { DONE, messageLimits, type XmlError, type XmlLimits, XmlReader } from "@bothends/xml";
import { describe, expect, test } from "vitest";

function refusalOf(source: string, limits: XmlLimits = messageLimits): XmlError | undefined {
  try {
    const reader = new XmlReader(source, limits);
    while (reader.next() !== DONE) {}
    return undefined;
  } catch (error) {
    return error as XmlError;
  }
}

const cases: readonly (readonly [given: string, code: string, offset: number])[] = [
  ["", "xml.not-well-formed", 0],
  ["  ", "xml.not-well-formed", 2],
  ["x<a/>", "xml.not-well-formed", 0],
  ["<a/>x", "xml.not-well-formed", 4],
  ["<a/><b/>", "xml.not-well-formed", 4],
  ["<a>", "xml.not-well-formed", 3],
  ["<a", "xml.not-well-formed", 2],
  ["<a><b></a>", "xml.not-well-formed", 6],
  ["<a></ab>", "xml.not-well-formed", 3],
  ["<ab></a>", "xml.not-well-formed", 4],
  ["<a></a b>", "xml.not-well-formed", 3],
  ["</a>", "xml.not-well-formed", 1],
  ["< a/>", "xml.not-well-formed", 1],
  ["<1/>", "xml.not-well-formed", 1],
  ["<a b/>", "xml.not-well-formed", 4],
  ["<a b=1/>", "xml.not-well-formed", 5],
  ["<a b='1'c='2'/>", "xml.not-well-formed", 8],
  ["<a b='<'/>", "xml.not-well-formed", 6],
  ["<a b='1", "xml.not-well-formed", 5],
  ["<a b='1' b='2'/>", "xml.not-well-formed", 9],
  ["<a / >", "xml.not-well-formed", 3],
  ["<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "xml.not-well-formed", 34],
  ["<a b1='' b2='' b3='' b4='' b5='' b6='' b7='' b8='' b9='' b1=''/>", "xml.not-well-formed", 57],
  ["<a xmlns:p='u' xmlns:p='u'/>", "xml.not-well-formed", 15],
  ["<a xmlns='u' xmlns='v'/>", "xml.not-well-formed", 13],
  ["<a>]]></a>", "xml.not-well-formed", 3],
  ["<a>&</a>", "xml.not-well-formed", 3],
  ["<a>&amp</a>", "xml.not-well-formed", 3],
  ["<a>& amp;</a>", "xml.not-well-formed", 3],
  ["<a>&#;</a>", "xml.not-well-formed", 3],
  ["<a>&#xg;</a>", "xml.not-well-formed", 3],
  ["<a>&#X41;</a>", "xml.not-well-formed", 3],
  ["<a>&nbsp;</a>", "xml.entity", 3],
  ["<a b='&nbsp;'/>", "xml.entity", 6],
  ["<a>&#0;</a>", "xml.character", 3],
  ["<a>&#xD800;</a>", "xml.character", 3],
  ["<a>&#xFFFE;</a>", "xml.character", 3],
  ["<a>&#x110000;</a>", "xml.character", 3],
  [`<a>&#${"9".repeat(400)};</a>`, "xml.character", 3],
  ["<a>x\0</a>", "xml.character", 4],
  ["<a>\u000b</a>", "xml.character", 3],
  ["<a>\ud800</a>", "xml.character", 3],
  ["<a>\udc00\ud800</a>", "xml.character", 3],
  ["<a>\uffff</a>", "xml.character", 3],
  ["<a b='\u0001'/>", "xml.character", 6],
  ["<a><!--\u0001--></a>", "xml.character", 7],
  ["<a><?p \u0001?></a>", "xml.character", 7],
  ["<a><![CDATA[\u0001]]></a>", "xml.character", 12],
  ["\u0001<a/>", "xml.character", 0],
  ["<a/>\u0001", "xml.character", 4],
  ["<p:a/>", "xml.namespace", 1],
  ["<a p:b=''/>", "xml.namespace", 3],
  ["<a><b xmlns:p='u'/><p:c/></a>", "xml.namespace", 20],
  ["<xmlns:a/>", "xml.namespace", 1],
  ["<a xmlns:p=''/>", "xml.namespace", 3],
  ["<a xmlns:xmlns='u'/>", "xml.namespace", 3],
  ["<a xmlns:xml='u'/>", "xml.namespace", 3],
  ["<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>", "xml.namespace", 3],
  ["<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "xml.namespace", 3],
  ["<a xmlns='http://www.w3.org/2000/xmlns/'/>", "xml.namespace", 3],
  ["<a:b:c xmlns:a='u'/>", "xml.not-well-formed", 4],
  ["<:a/>", "xml.not-well-formed", 1],
  ["<a:/>", "xml.not-well-formed", 1],
  ["<a :b=''/>", "xml.not-well-formed", 3],
  ["<a><!-- -- --></a>", "xml.not-well-formed", 8],
  ["<a><!-- ---></a>", "xml.not-well-formed", 8],
  ["<a><!-- </a>", "xml.not-well-formed", 3],
  ["<a><![CDATA[ </a>", "xml.not-well-formed", 3],
  ["<![CDATA[]]><a/>", "xml.not-well-formed", 0],
  ["<a><![cdata[]]></a>", "xml.not-well-formed", 3],
  ["<a><?p</a>", "xml.not-well-formed", 3],
  ["<a><? p?></a>", "xml.not-well-formed", 3],
  ["<a><?p:q?></a>", "xml.not-well-formed", 3],
  ["<a><?xMl?></a>", "xml.not-well-formed", 3],
  [" <?xml version='1.0'?><a/>", "xml.not-well-formed", 1],
  ["<?xml version='2.0'?><a/>", "xml.not-well-formed", 0],
  ["<?xml encoding='utf-8'?><a/>", "xml.not-well-formed", 0],
  ["<?xml version='1.0' standalone='YES'?><a/>", "xml.not-well-formed", 0],
  ["<?xml version='1.0'encoding='utf-8'?><a/>", "xml.not-well-formed", 0],
  ["<!DOCTYPE a><a/>", "xml.dtd", 0],
  ["<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "xml.dtd", 0],
  ["<a><!DOCTYPE a></a>", "xml.dtd", 3],
  ["<!doctype a><a/>", "xml.not-well-formed", 0],
];

test.each(cases)("%j is refused as %s at %d", (text, code, offset) => {
  const error = refusalOf(text);
  expect([error?.code, error?.offset]).toEqual([code, offset]);
});

test.each(cases.filter(([, code]) => /^xml\.(?:not-well-formed|character|entity)$/.test(code)))(
  "the error about %j has its problem, so that nobody needs to recognize its message",
  (text) => {
    expect(refusalOf(text)?.problem).toMatch(/^[a-zA-Z]+$/);
  },
);

test.each([
  ["<a>\0</a>", "nullCharacter", "XML forbids the character U+0000."],
  ["<a>\v</a>", "forbiddenCharacter", "XML forbids the character U+000B."],
  ["<a b='' b=''/>", "repeatedAttribute", 'The attribute "b" appears twice; remove one.'],
  ["<a>&$name;</a>", "noReference", "This & does not begin a reference; in text, write &amp;."],
  ["<p:a/>", "undeclaredPrefix", 'The prefix "p" is not declared.'],
  ["<a><b></a>", "otherEndTag", "The end tag of <b> is expected here."],
  ["<a>", "openElement", "The element <a> is not closed."],
])("%j has the problem %s", (text, problem, message) => {
  expect(refusalOf(text)).toMatchObject({ problem, message });
});

test("an error has a line and column, whatever ends the lines", () => {
  const error = refusalOf("<a>\r\n<b/>\r<c>\n  &x;</c></a>");
  expect([error?.line, error?.column]).toEqual([4, 3]);
  expect(error?.name).toBe("XmlError");
});

describe("attributes whose namespaces have 65,000 characters", () => {
  const namespace = "u".repeat(65_000);
  const limits = { ...messageLimits, namespaceChars: 65_000 };
  const others = Array.from({ length: 9 }, (_, index) => `p:c${index}=""`).join(" ");
  const tagOf = (otherNamespace: string, attributes: string) =>
    `<a xmlns:p="${namespace}" xmlns:q="${otherNamespace}" p:b="" q:b="" ${attributes}/>`;

  test.each([
    ["two attributes", ""],
    ["eleven attributes", others],
  ])("in a tag with %s, are refused if two have the same name", (_, attributes) => {
    expect(refusalOf(tagOf(namespace, attributes), limits)?.message).toContain('The attribute "b" appears twice');
  });

  test.each([
    ["two attributes", ""],
    ["eleven attributes", others],
  ])("in a tag with %s, are read if their namespaces differ in the last character", (_, attributes) => {
    expect(refusalOf(tagOf(`${namespace.slice(1)}v`, attributes), limits)).toBeUndefined();
  });
});
