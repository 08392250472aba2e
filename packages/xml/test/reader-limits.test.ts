import { DONE, messageLimits, readTree, START, XmlError, type XmlLimits, XmlReader } from "@bothends/xml";
import { ExpectedName } from "@bothends/xml/expected-name";
import { expect, test } from "vitest";

function refusalOf(source: string, limits: XmlLimits): XmlError | undefined {
  try {
    const reader = new XmlReader(source, limits);
    while (reader.next() !== DONE) {}
    return undefined;
  } catch (error) {
    if (error instanceof XmlError) {
      return error;
    }
    throw error;
  }
}

const cases: readonly {
  readonly limit: keyof XmlLimits;
  readonly value: number;
  readonly fits: string;
  readonly passes: string;
}[] = [
  { limit: "depth", value: 2, fits: "<a><b/><b/></a>", passes: "<a><b><c/></b></a>" },
  { limit: "attributes", value: 1, fits: "<a b='' xmlns='u'/>", passes: "<a b='' c=''/>" },
  { limit: "namespaces", value: 1, fits: "<a xmlns='u' b=''/>", passes: "<a xmlns='u' xmlns:p='v'/>" },
  { limit: "attributeChars", value: 3, fits: "<a b='123'/>", passes: "<a b='1234'/>" },
  { limit: "namespaceChars", value: 3, fits: "<a xmlns='u:1' b='1234'/>", passes: "<a><b xmlns:p='u:12'/></a>" },
  { limit: "namespaceChars", value: 3, fits: "<a xmlns='u&amp;b'/>", passes: "<a xmlns='u&amp;bc'/>" },
  { limit: "children", value: 2, fits: "<a><b/>t<b><c/></b></a>", passes: "<a><b/><b/><b/></a>" },
  { limit: "nodes", value: 4, fits: "<a b='' xmlns='u'>t</a>", passes: "<a b='' xmlns='u'>t<c/></a>" },
  { limit: "textChars", value: 3, fits: "<a>1&#50;3</a>", passes: "<a>1<!-- -->2<![CDATA[34]]></a>" },
  { limit: "textChars", value: 3, fits: "<a b='1234'>123<b/>123</a>", passes: "<a>1234</a>" },
  { limit: "nameChars", value: 3, fits: "<abc/>", passes: "<abcd/>" },
  { limit: "nameChars", value: 3, fits: "<a abc=''/>", passes: "<a abcd=''/>" },
  { limit: "comments", value: 2, fits: "<!-- --><a><?p?></a>", passes: "<!-- --><a><?p?></a><!-- -->" },
];

test.each(cases)("$limit = $value lets $fits through and stops $passes", ({ limit, value, fits, passes }) => {
  const limits = { ...messageLimits, [limit]: value };
  expect(refusalOf(fits, limits)).toBeUndefined();
  const error = refusalOf(passes, limits);
  expect(error?.code).toBe(`limit.${limit}`);
  expect(error?.limit).toEqual({ name: limit, value });
  expect(error?.message).toContain(`limits.${limit}`);
});

test.each([
  ["depth", "<a/>"],
  ["attributes", "<a b=''/>"],
  ["namespaces", "<a xmlns='u'/>"],
  ["attributeChars", "<a b='1'/>"],
  ["namespaceChars", "<a xmlns='u'/>"],
  ["children", "<a><b/></a>"],
  ["nodes", "<a/>"],
  ["textChars", "<a>t</a>"],
  ["nameChars", "<a/>"],
  ["comments", "<a><!-- --></a>"],
] as const)("%s = 0 means none", (limit, source) => {
  expect(refusalOf(source, { ...messageLimits, [limit]: 0 })?.code).toBe(`limit.${limit}`);
});

test("the fast paths count nodes as the slow one does", () => {
  const reader = new XmlReader("<a><b>12</b><b>1234</b></a>", { ...messageLimits, textChars: 3 });
  reader.next();
  expect(reader.nextIs(new ExpectedName("", "b"))).toBe(true);
  expect(reader.readText()).toBe("12");
  expect(reader.nextIs(new ExpectedName("", "b"))).toBe(true);
  expect(() => reader.readText()).toThrow(expect.objectContaining({ code: "limit.textChars" }));

  const deep = new XmlReader("<a><b/></a>", { ...messageLimits, depth: 1 });
  expect(deep.next()).toBe(START);
  expect(() => deep.nextIs(new ExpectedName("", "b"))).toThrow(expect.objectContaining({ code: "limit.depth" }));
});

test("a million levels exceed the limit, not the stack", () => {
  const source = "<a>".repeat(1_000_000);
  expect(refusalOf(source, { ...messageLimits, depth: 2_000_000, nodes: 2_000_000 })?.code).toBe("xml.not-well-formed");
  expect(() => readTree(source)).toThrow(expect.objectContaining({ code: "limit.depth" }));
  const closed = `${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}`;
  expect(readTree(closed, { ...messageLimits, depth: 100_000 }).end).toBe(closed.length);
});
