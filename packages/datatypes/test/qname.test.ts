import { getValueSpace, LexicalError, type TextContext } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { readText, writeValue } from "./reading.js";

const namespaces: ReadonlyMap<string, string> = new Map([["p", "urn:one"]]);
const context: TextContext = { resolve: (prefix) => namespaces.get(prefix), prefixFor: () => "n1" };
const withDefault: TextContext = { ...context, resolve: (prefix) => (prefix === "" ? "urn:two" : undefined) };

test("a name in a union is equal to itself, whatever its prefix", () => {
  const type = xs.union([xs.int, xs.QName], [], "T");
  const { key, literal } = getValueSpace(type);
  expect(key("{urn:b}n")).toBe(key(literal?.("{urn:b}n")));
});

test("reads a prefixed name in Clark notation", () => {
  expect(readText(xs.QName, " p:a ", context)).toBe("{urn:one}a");
});

test("reads a name without prefix in the default namespace", () => {
  expect(readText(xs.QName, "a", context)).toBe("a");
  expect(readText(xs.NOTATION, "a", withDefault)).toBe("{urn:two}a");
});

test.each(["q:a", "p:", ":a", "p:1", "p:a:b", "", "a b"])("xs:QName refuses %j", (text) => {
  expect(() => readText(xs.QName, text, context)).toThrow(LexicalError);
});

test("writes with the prefix that the context gives", () => {
  expect(writeValue(xs.QName, "{urn:one}a", context)).toBe("n1:a");
  expect(writeValue(xs.QName, "a", context)).toBe("a");
});

test.each(["{urn:one}", "a:b", "{urn:one}1", 7])("xs:QName does not write %j", (value) => {
  expect(() => writeValue(xs.QName, value, context)).toThrow(LexicalError);
});

test("xs:QName does not write a name in no namespace where it would get one", () => {
  expect(() => writeValue(xs.QName, "a", withDefault)).toThrow("default namespace");
});

test("an enumeration of names is in Clark notation", () => {
  const type = xs.restriction([xs.QName], [[xs.enumeration, ["{urn:one}a"]]], "t");
  expect(readText(type, "p:a", context)).toBe("{urn:one}a");
  expect(() => readText(type, "p:b", context)).toThrow(LexicalError);
});
