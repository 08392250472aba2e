import { readTree, schemaLimits, type XmlElement } from "@bothends/xml";
import { expect, test } from "vitest";

const source = "<a xmlns='u' xmlns:p='v'>\n t <p:b c='1 2'>x&amp;y</p:b><d xmlns=''/></a>";

function element(parent: XmlElement, index: number): XmlElement {
  const child = parent.children[index];
  if (child?.kind !== "element") {
    throw new Error("not an element");
  }
  return child;
}

test("a tree has names, attributes, text and offsets", () => {
  const root = readTree(source);
  expect([root.namespace, root.localName, root.start, root.end]).toEqual(["u", "a", 0, source.length]);
  expect(source.slice(root.start + 1, root.nameEnd)).toBe("a");
  expect(root.children.map((child) => child.kind)).toEqual(["text", "element", "element"]);
  const b = element(root, 1);
  expect([b.prefix, b.namespace, b.localName]).toEqual(["p", "v", "b"]);
  expect(source.slice(b.start, b.end)).toBe("<p:b c='1 2'>x&amp;y</p:b>");
  expect(source.slice(b.start + 1, b.nameEnd)).toBe("p:b");
  const [attribute] = b.attributes;
  expect(source.slice(attribute?.valueStart, attribute?.valueEnd)).toBe("1 2");
  const [text] = b.children;
  expect(text).toMatchObject({ kind: "text", text: "x&y" });
  expect(source.slice(text?.start, text?.end)).toBe("x&amp;y");
});

test("each element resolves prefixes in its own scope, long after reading", () => {
  const root = readTree(source);
  const b = element(root, 1);
  const d = element(root, 2);
  expect([root.resolve(""), b.resolve(""), d.resolve("")]).toEqual(["u", "u", ""]);
  expect([d.resolve("p"), d.resolve("q"), d.resolve("xml")]).toEqual([
    "v",
    undefined,
    "http://www.w3.org/XML/1998/namespace",
  ]);
  expect([...root.declarations]).toEqual([
    ["", "u"],
    ["p", "v"],
  ]);
  expect(b.declarations.size).toBe(0);
});

test("a tree of many nodes is within the limits of schemas", () => {
  expect(() => readTree(`<a>${"<b/>".repeat(60_000)}</a>`, schemaLimits)).toThrow(
    expect.objectContaining({ code: "limit.children" }),
  );
});
