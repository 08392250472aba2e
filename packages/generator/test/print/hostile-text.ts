import fc from "fast-check";

/** Pieces of text that have broken code generators. */
const fragments = [
  "*/",
  "/*",
  "/**",
  "//",
  "//#",
  "#__PURE__",
  "#__#__PURE__PURE__",
  "sourceMappingURL=x.map",
  "@ts-ignore",
  "@ts-nocheck",
  "@ts-expect-error",
  "@jsx h",
  "\\",
  "\\u002a/",
  "*\\/",
  "$" + "{process.exit(1)}",
  "`",
  '"',
  "'",
  "');process.exit(1)//",
  "\n",
  "\r",
  "\r\n",
  "\u0085",
  "\u2028",
  "\u2029",
  "\u0000",
  "\u202e",
  "\u200b",
  "\ufeff",
  "\u{e0041}",
  "\ud800",
  "\udc00",
  "__proto__",
  "constructor",
  "</script>",
  "<reference path='x'/>",
  "import('x')",
  "é",
  "名",
  " ",
  "\t",
];

/** Any text, with many pieces that break code. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: "binary", maxLength: 6 })), { maxLength: 12 })
  .map((parts) => parts.join(""));
