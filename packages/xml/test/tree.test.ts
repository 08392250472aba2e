import { messageLimits, readEditedTree, readTree, schemaLimits, type XmlElement, type XmlText } from "@bothends/xml";
import fc from "fast-check";
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

/** Everything that a tree contains, with what each element resolves. */
function contentOf(node: XmlElement | XmlText): unknown {
  if (node.kind === "text") {
    return node;
  }
  const { kind, prefix, localName, namespace, attributes, children, start, end, nameEnd, declarations } = node;
  const resolved = ["", "p", "q"].map((each) => node.resolve(each));
  const members = { kind, prefix, localName, namespace, attributes, start, end, nameEnd, resolved };
  return { ...members, declarations: [...declarations], children: children.map(contentOf) };
}

function treeOf(text: string): XmlElement | undefined {
  try {
    return readTree(text);
  } catch {
    return undefined;
  }
}

const editedDocument = `<?xml version="1.0"?><!-- <a> -->
<p:a xmlns:p="urn:p" xmlns='urn:"d>"' title='>'>
  <b one="1" p:two="&lt;2">text<!-- c --> and more <![CDATA[<b>]]></b>
  <b xmlns:q="urn:q"><q:c/><c q:three="3">x</c><c></c>tail</b><b
  ><c>é😀</c></b ><d/>
</p:a> <?end?>`;

test("an edited text that is read around the edit gives the tree of the whole text", () => {
  const pieces = [
    ..."<>/\"'&x ",
    "<b>",
    "</b>",
    "<c/>",
    "<!--",
    "-->",
    "</b><b>",
    "<![CDATA[",
    "]]>",
    ' n="1"',
    "&amp;",
    "é",
  ];
  const edit = fc.record({
    at: fc.nat(editedDocument.length),
    removed: fc.oneof(fc.constant(0), fc.nat(12), fc.nat(90)),
    inserted: fc.array(fc.constantFrom(...pieces), { maxLength: 3 }),
  });
  let reused = 0;
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
      let known = { text: editedDocument, root: readTree(editedDocument) };
      for (const { at, removed, inserted } of edits) {
        const text = known.text.slice(0, at) + inserted.join("") + known.text.slice(at + removed);
        const whole = treeOf(text);
        const edited = readEditedTree(known, text);
        if (edited !== undefined) {
          reused += 1;
          expect(whole && contentOf(edited)).toEqual(whole && contentOf(whole));
          expect(whole).toBeDefined();
          known = { text, root: edited };
        } else {
          expect(contentOf(known.root)).toEqual(contentOf(readTree(known.text)));
        }
      }
    }),
    { numRuns: 1500, seed: 20_261_123 },
  );
  expect(reused).toBeGreaterThan(200);
});

test("elements outside an edit stay the same objects, at their new positions", () => {
  const text = "<a><b><c/></b><b/><d>x</d></a>";
  const root = readTree(text);
  const [first, second, third] = root.children;
  const edited = readEditedTree({ text, root }, text.replace("<c/>", "<c>new</c>"));
  expect(edited?.children.map((child) => child === first || child === second || child === third)).toEqual([
    false,
    true,
    true,
  ]);
  expect(third).toMatchObject({ start: 24, end: 32 });
});

test.each([
  ["a change of the document element's tag", "<a/>", "<b/>"],
  ["a change before the document element", "<a>x</a>", "<!-- --><a>x</a>"],
  ["more nodes than the limit", "<a>x</a>", `<a>${"<b/>".repeat(9)}</a>`],
])("%s needs the whole text", (_, text, edited) => {
  const limits = { ...messageLimits, nodes: 12 };
  expect(readEditedTree({ text, root: readTree(text) }, edited, limits)).toBeUndefined();
});
