import { describe, expect, test } from "vitest";
import { createJsonExample, createSimpleValue, findDocumentedExample } from "../../src/pages/example-values.js";
import { createOperationFields } from "../../src/pages/operation-fields.js";
import { readPublishedWsdl } from "../../src/pages/wsdl/published-wsdl.js";
import { wsdlOf } from "./wsdl-text.js";

describe("an example of a built-in type", () => {
  test.each([
    { type: "string", facets: {}, want: "string" },
    { type: "string", facets: { maxLength: "3" }, want: "str" },
    { type: "string", facets: { minLength: "8" }, want: "stringst" },
    { type: "string", facets: { length: "2" }, want: "st" },
    { type: "string", facets: { pattern: "[A-Z]{2}" }, want: "AB" },
    { type: "int", facets: {}, want: "1" },
    { type: "int", facets: { minInclusive: "18", maxInclusive: "99" }, want: "18" },
    { type: "int", facets: { minExclusive: "18" }, want: "19" },
    { type: "int", facets: { maxInclusive: "-5" }, want: "-5" },
    { type: "integer", facets: { maxExclusive: "0" }, want: "-1" },
    { type: "negativeInteger", facets: {}, want: "-1" },
    { type: "decimal", facets: {}, want: "1.5" },
    { type: "decimal", facets: { fractionDigits: "0" }, want: "1" },
    { type: "decimal", facets: { maxInclusive: "1" }, want: "1" },
    { type: "date", facets: {}, want: "2026-01-31" },
    { type: "date", facets: { minInclusive: "2030-01-01" }, want: "2030-01-01" },
    { type: "boolean", facets: {}, want: "true" },
  ])("of $type with $facets is $want", ({ type, facets, want }) => {
    expect(createSimpleValue(type, facets)).toBe(want);
  });
});

describe("documentation", () => {
  test.each([
    { text: 'The code, for example "AB-12".', want: "AB-12" },
    { text: "The code (e.g. 'x y').", want: "x y" },
    { text: "The state, e.g. NY or TX.", want: "NY" },
    { text: "Example: 2024-05-01.", want: "2024-05-01" },
    { text: "Things such as cars.", want: undefined },
    { text: "For example, the first one.", want: undefined },
    { text: "No more.", want: undefined },
    { text: undefined, want: undefined },
  ])("$text names the example $want", ({ text, want }) => {
    expect(findDocumentedExample(text)).toBe(want);
  });

  test.each([
    { type: "x:string", text: 'for example "AB-12"', want: "AB-12" },
    { type: "x:int", text: "for example 42", want: "42" },
    { type: "x:int", text: "for example AB-12", want: "1" },
    { type: "t:Colour", text: 'for example "blue"', want: "blue" },
    { type: "t:Colour", text: 'for example "green"', want: "red" },
    { type: "t:Age", text: "for example 12", want: "18" },
    { type: "t:Age", text: "for example 20", want: "20" },
  ])("of a $type that says $text gives the field the value $want", ({ type, text, want }) => {
    const schema =
      '<x:simpleType name="Colour"><x:restriction base="x:string"><x:enumeration value="red"/><x:enumeration value="blue"/></x:restriction></x:simpleType>' +
      '<x:simpleType name="Age"><x:restriction base="x:int"><x:minInclusive value="18"/></x:restriction></x:simpleType>' +
      `<x:element name="Op"><x:complexType><x:sequence><x:element name="a" type="${type}"><x:annotation><x:documentation>${text}</x:documentation></x:annotation></x:element></x:sequence></x:complexType></x:element>`;
    const [operation] = readPublishedWsdl(wsdlOf({ schema }))?.operations ?? [];
    expect(operation && createOperationFields(operation).fields[0]?.value).toBe(want);
  });
});

describe("an example of a JSON schema", () => {
  test.each([
    { schema: { type: "string" }, want: "string" },
    { schema: { type: "string", example: "x" }, want: "x" },
    { schema: { type: "string", enum: ["b", "a"] }, want: "b" },
    { schema: { type: "string", enum: ["b", "a"], default: "a" }, want: "a" },
    { schema: { type: "string", enum: ["b", "a"], default: "" }, want: "b" },
    { schema: { type: ["string", "null"], format: "date-time" }, want: "2026-01-31T12:00:00" },
    { schema: { type: "string", description: "Published after an ISO 8601 date." }, want: "2026-01-31T12:00:00" },
    { schema: { type: "string", pattern: "^[a-z]{2}$" }, want: "ab" },
    { schema: { type: "integer", minimum: 5 }, want: 5 },
    { schema: { type: "integer", default: 0 }, want: 0 },
    { schema: { type: "integer", minimum: 5, exclusiveMinimum: true }, want: 6 },
    { schema: { type: "boolean", default: false }, want: false },
    { schema: { type: "array", items: { type: "integer" } }, want: [1] },
    {
      schema: {
        type: "object",
        properties: { raw: { type: "string" }, rendered: { type: "string", readonly: true }, n: { type: "number" } },
      },
      want: { raw: "string", n: 1.5 },
    },
  ])("of $schema is $want", ({ schema, want }) => {
    expect(createJsonExample(schema)).toEqual(want);
  });

  test("ends, however deep the schema is", () => {
    let schema = { type: "array", items: {} };
    for (let depth = 0; depth < 50; depth += 1) {
      schema = { type: "array", items: schema };
    }
    expect(JSON.stringify(createJsonExample(schema))).toBe("[[[[[]]]]]");
  });
});
