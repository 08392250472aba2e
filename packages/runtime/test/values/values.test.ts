import { describe, expect, test } from "vitest";
import type { AnyElement, DerivedSimpleType, PolymorphicDescriptor, RecordDescriptor } from "../../src/index.js";
import {
  decodeAny,
  encodeAny,
  formatAny,
  fromDate,
  fromJson,
  parseAny,
  toDate,
  toJson,
} from "../../src/values/conversions.js";
import * as xs from "../../src/xs.js";

describe("dates", () => {
  test.each([
    { text: "2026-11-22T10:00:00+02:00", want: "2026-11-22T08:00:00.000Z" },
    { text: "2026-11-22T10:00:00.5Z", want: "2026-11-22T10:00:00.500Z" },
    { text: "2026-11-22T10:00:00", want: "2026-11-22T10:00:00.000Z" },
    { text: "2026-11-22", want: "2026-11-22T00:00:00.000Z" },
    { text: "2026-11-22+13:00", want: "2026-11-22T00:00:00.000Z" },
    { text: "2026-11-22-11:00", want: "2026-11-22T00:00:00.000Z" },
    { text: "2026-11-22Z", want: "2026-11-22T00:00:00.000Z" },
  ])("$text is $want", ({ text, want }) => {
    expect(toDate(text).toISOString()).toBe(want);
  });

  test("a Date is written as a dateTime, or as its date in UTC", () => {
    const date = new Date("2026-11-22T23:30:00Z");
    expect([fromDate(date), fromDate(date, "date")]).toEqual(["2026-11-22T23:30:00Z", "2026-11-22"]);
  });

  test("text that is not a date is refused", () => {
    expect(() => toDate("22.11.2026")).toThrow("xs:date");
    expect(() => fromDate(new Date(Number.NaN))).toThrow("the Date is not valid");
    expect(() => fromDate(new Date(-1e15))).toThrow("years 1 to 9999");
  });
});

interface Line {
  Count: bigint;
  Note?: string | null | undefined;
}
interface Order {
  id: bigint;
  Photo: Uint8Array;
  Price: string;
  Kind: string;
  Rate: number;
  On: Date;
  Sizes: readonly bigint[];
  Lines?: readonly Line[] | undefined;
  any?: readonly AnyElement[] | undefined;
}

const line: RecordDescriptor<Line> = {
  kind: "record",
  name: "{urn:o}Line",
  namespace: "urn:o",
  fields: { Count: { type: xs.long }, Note: { type: xs.string, min: 0, nillable: true } },
};
const sizes: DerivedSimpleType<readonly bigint[]> = { kind: "derived", name: "Sizes", by: xs.list, types: [xs.long] };
const order: RecordDescriptor<Order> = {
  kind: "record",
  name: "{urn:o}Order",
  namespace: "urn:o",
  fields: {
    id: { kind: "attribute", by: xs.attribute, type: xs.long, required: true },
    Photo: { type: xs.base64Binary },
    Price: { type: xs.decimal },
    Kind: { type: xs.QName },
    Rate: { type: xs.double },
    On: { type: xs.dateAsDate },
    Sizes: { type: () => sizes },
    Lines: { type: () => line, min: 0, max: "unbounded" },
    any: { kind: "any", by: xs.any, min: 0, max: "unbounded", namespaces: { not: "urn:o" }, process: "lax" },
  },
};

const value: Order = {
  id: 9007199254740993n,
  Photo: new Uint8Array([1, 2, 255]),
  Price: "1.50",
  Kind: "{urn:o}special",
  Rate: Number.POSITIVE_INFINITY,
  On: new Date("2026-11-22T00:00:00Z"),
  Sizes: [1n, 2n],
  Lines: [
    { Count: 1n, Note: null },
    { Count: 2n, Note: "x" },
  ],
  any: [{ name: "{urn:p}extra", content: ["text"] }],
};

describe("JSON", () => {
  const json = {
    id: "9007199254740993",
    Photo: "AQL/",
    Price: "1.50",
    Kind: "{urn:o}special",
    Rate: "INF",
    On: "2026-11-22",
    Sizes: "1 2",
    Lines: [
      { Count: "1", Note: null },
      { Count: "2", Note: "x" },
    ],
    any: [{ name: "{urn:p}extra", content: ["text"] }],
  };

  test("has the texts of XML for values that JSON lacks", () => {
    expect(toJson(order, value)).toEqual(json);
  });

  test("gives the same value again, through a string", () => {
    expect(fromJson(order, JSON.parse(JSON.stringify(toJson(order, value))))).toEqual(value);
  });

  test("accepts a simple type or a reference", () => {
    expect(toJson(xs.long, 5n)).toBe("5");
    expect(fromJson(() => line, { Count: "5" })).toEqual({ Count: 5n });
  });

  test("leaves out members that the type does not have", () => {
    expect(toJson(line, { Count: 1n, More: 2n } as Line)).toEqual({ Count: "1" });
  });

  test("chooses a derived type by $type", () => {
    type Shape =
      | ({ side: bigint } & { readonly $type?: "Square" })
      | ({ radius: bigint } & { readonly $type: "Circle" });
    const square: RecordDescriptor<{ side: bigint }> = {
      kind: "record",
      name: "Square",
      fields: { side: { type: xs.long } },
    };
    const circle: RecordDescriptor<{ radius: bigint }> = {
      kind: "record",
      name: "Circle",
      fields: { radius: { type: xs.long } },
    };
    const shape: PolymorphicDescriptor<Shape> = {
      kind: "polymorphic",
      by: xs.polymorphic,
      name: "Square",
      declared: "Square",
      alternatives: { Square: () => square, Circle: () => circle },
    };
    expect(toJson<Shape>(shape, { $type: "Circle", radius: 2n })).toEqual({ $type: "Circle", radius: "2" });
    expect(fromJson<Shape>(shape, { side: "2" })).toEqual({ side: 2n });
    expect(() => fromJson<Shape>(shape, { $type: "Star" })).toThrow("must be one of Square, Circle");
  });

  test.each([
    { json: { Lines: [{ Count: "x" }] }, path: "/Lines/0/Count" },
    { json: { Lines: {} }, path: "/Lines" },
    { json: { id: true }, path: "/id" },
    { json: [], path: "/" },
  ])("that does not fit is refused at $path", ({ json: wrong, path }) => {
    expect(() => fromJson(order, wrong)).toThrow(expect.objectContaining({ name: "DecodeError", path }));
  });
});

describe("the content of a wildcard", () => {
  const xml = '<o:Line xmlns:o="urn:o"><o:Count>7</o:Count></o:Line>';

  test("is read from XML text and written to it", () => {
    const element = parseAny(xml);
    expect(element).toEqual({ name: "{urn:o}Line", content: [{ name: "{urn:o}Count", content: ["7"] }] });
    expect(parseAny(formatAny(element))).toEqual(element);
    expect(() => parseAny("<a>")).toThrow(expect.objectContaining({ name: "XmlError" }));
    expect(() => parseAny("<a/><b/>")).toThrow(expect.objectContaining({ name: "XmlError" }));
  });

  test("is decoded by a descriptor, and encoded by it", () => {
    expect(decodeAny(parseAny(xml), line)).toEqual({ Count: 7n });
    expect(encodeAny("{urn:o}Line", line, { Count: 7n })).toMatchObject(parseAny(xml));
    expect(decodeAny(encodeAny("{urn:o}Line", line, { Count: 1n, Note: null }), line)).toEqual({
      Count: 1n,
      Note: null,
    });
    expect(decodeAny(parseAny("<a>5</a>"), xs.long)).toBe(5n);
  });

  test("that does not fit is refused with its path", () => {
    expect(() => decodeAny(parseAny(xml.replace("7", "x")), line)).toThrow(
      expect.objectContaining({ name: "DecodeError", path: "/Line/Count" }),
    );
    expect(() => encodeAny("{urn:o}Line", line, { Count: 5 } as never)).toThrow("it must be a bigint, for example 5n");
  });
});
