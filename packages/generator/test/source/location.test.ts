import { expect, test } from "vitest";
import { resolveLocation } from "../../src/source/document-addresses.js";

const inside = [
  { location: "b.xsd", importing: "a.wsdl", want: "b.xsd" },
  { location: "types/b.xsd", importing: "x/a.wsdl", want: "x/types/b.xsd" },
  { location: "../b.xsd", importing: "x/y/a.wsdl", want: "x/b.xsd" },
  { location: "./../x/./b.xsd", importing: "x/a.wsdl", want: "x/b.xsd" },
  { location: "types\\b.xsd", importing: "x/a.wsdl", want: "x/types/b.xsd" },
  { location: " b%20c.xsd ", importing: "a.wsdl", want: "b c.xsd" },
  { location: "b%zz.xsd", importing: "a.wsdl", want: "b%zz.xsd" },
  { location: "b..xsd", importing: "a.wsdl", want: "b..xsd" },
];

test.each(inside)("$location in $importing leads to $want", ({ location, importing, want }) => {
  expect(resolveLocation(location, importing)).toEqual({ kind: "path", path: want });
});

const refused = [
  { location: "http://169.254.169.254/latest", kind: "remote", suggestion: "latest" },
  { location: "HTTPS://x.example/a/b.xsd?c#d", kind: "remote", suggestion: "b.xsd" },
  { location: "//host/b.xsd", kind: "remote", suggestion: "b.xsd" },
  { location: "\\\\unc\\share\\b.xsd", kind: "remote", suggestion: "b.xsd" },
  { location: "urn:b", kind: "remote", suggestion: "b" },
  { location: "file:///etc/passwd", kind: "outside", suggestion: "passwd" },
  { location: "C:\\b.xsd", kind: "outside", suggestion: "b.xsd" },
  { location: "/etc/b.xsd", kind: "outside", suggestion: "b.xsd" },
  { location: "\\b.xsd", kind: "outside", suggestion: "b.xsd" },
  { location: "../../etc/b.xsd", kind: "outside", suggestion: "b.xsd" },
  { location: "..\\..\\b.xsd", kind: "outside", suggestion: "b.xsd" },
  { location: "%2e%2e/b.xsd", kind: "outside", suggestion: "__" },
  { location: "x/%2E./b.xsd", kind: "outside", suggestion: "b.xsd" },
  { location: "..%2fb.xsd", kind: "outside", suggestion: ".._b.xsd" },
  { location: "b%00.xsd", kind: "outside", suggestion: "b_.xsd" },
  { location: "b\0.xsd", kind: "outside", suggestion: "b_.xsd" },
  { location: "", kind: "outside", suggestion: "imported.xsd" },
  { location: ".", kind: "outside", suggestion: "imported.xsd" },
];

test.each(refused)("$location in x/a.wsdl is refused as $kind", ({ location, kind }) => {
  expect(resolveLocation(location, "x/a.wsdl").kind).toBe(kind);
});

test("a suggested file name has no folders", () => {
  for (const { location } of refused) {
    const resolved = resolveLocation(location, "x/a.wsdl");
    expect(resolved.kind !== "path" && resolved.suggestion).toMatch(/^[\w.-]+$/);
  }
});
