import { expect, test } from "vitest";
import { indentElements } from "../../src/protocol/http/server-answers.js";

test.each([
  { xml: '<R xmlns="urn:r"><A>1</A><B /></R>', want: ' xmlns="urn:r">\n  <A>1</A>\n  <B />\n</R>' },
  { xml: '<R xmlns="urn:r" />', want: ' xmlns="urn:r" />' },
  { xml: '<R xsi:nil="true" xmlns="urn:r" />', want: ' xsi:nil="true" xmlns="urn:r" />' },
  { xml: "<R />", want: " />" },
  { xml: "<R><A><B>x</B></A></R>", want: ">\n  <A>\n    <B>x</B>\n  </A>\n</R>" },
  { xml: "<R></R>", want: "></R>" },
  { xml: "<R><A>a>b</A><A>></A></R>", want: ">\n  <A>a>b</A>\n  <A>></A>\n</R>" },
  { xml: "<R><A><B /></A><A><A />c</A></R>", want: ">\n  <A>\n    <B />\n  </A>\n  <A><A />c</A>\n</R>" },
  { xml: '<R><A b="1">c</A><A b="1" /></R>', want: '>\n  <A b="1">c</A>\n  <A b="1" />\n</R>' },
  { xml: "<R>text</R>", want: ">text</R>" },
  { xml: "<R> </R>", want: "> </R>" },
  { xml: "<R><A></A></R>", want: ">\n  <A></A>\n</R>" },
  { xml: '<R a="x>y"><A b="/>" /></R>', want: ' a="x>y">\n  <A b="/>" />\n</R>' },
  { xml: "<R><A>a<B>b</B>c</A><C /></R>", want: ">\n  <A>a<B>b</B>c</A>\n  <C />\n</R>" },
  { xml: "<R><A><B><C /></B>c</A></R>", want: ">\n  <A><B><C /></B>c</A>\n</R>" },
])("$xml is indented where white space has no meaning", ({ xml, want }) => {
  expect(indentElements(xml, "\n")).toBe(`\n<R${want}`);
});

test("documents of any length and depth are indented, also after longer ones", () => {
  for (const count of [1, 3_000, 2, 500]) {
    const depth = Math.min(count, 200);
    const rows = "<Größe>1</Größe>".repeat(count);
    const xml = `<R>${"<A>".repeat(depth)}${rows}${"</A>".repeat(depth)}</R>`;
    const open = Array.from({ length: depth }, (_, at) => `\n${"  ".repeat(at + 1)}<A>`).join("");
    const close = Array.from({ length: depth }, (_, at) => `\n${"  ".repeat(depth - at)}</A>`).join("");
    const want = `>${open}${`\n${"  ".repeat(depth + 1)}<Größe>1</Größe>`.repeat(count)}${close}\n</R>`;
    expect(indentElements(xml, "\n")).toBe(`\n<R${want}`);
  }
});
