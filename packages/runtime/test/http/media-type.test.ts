import { expect, test } from "vitest";
import { parseMediaType, readMediaType } from "../../src/http/media-type.js";

test.each([
  { text: "Text/XML", name: "text/xml", charset: undefined, whole: true },
  { text: ' text/xml ; Charset="utf-\\8" ', name: "text/xml", charset: "utf-8", whole: true },
  { text: 'text/xml; a="x;charset=b, \\"y"; charset=c', name: "text/xml", charset: "c", whole: true },
  { text: "text/xml;charset=a;charset=b;", name: "text/xml", charset: "a", whole: true },
  { text: "text/xml; charset = utf-8", name: "text/xml", charset: "utf-8", whole: true },
  { text: "text/xml; charset=utf-8, text/xml", name: "text/xml", charset: "utf-8", whole: false },
  { text: "text/xml, text/xml", name: "text/xml", charset: undefined, whole: false },
  { text: "text/xml; charset", name: "text/xml", charset: undefined, whole: false },
  { text: "text", name: "", charset: undefined, whole: false },
  { text: "", name: "", charset: undefined, whole: false },
  { text: undefined, name: "", charset: undefined, whole: false },
])("the media type of the header $text is $name", ({ text, name, charset, whole }) => {
  const read = readMediaType(text);
  expect([read.name, read.parameters.get("charset")]).toEqual([name, charset]);
  expect(parseMediaType(text) !== undefined).toBe(whole);
});
