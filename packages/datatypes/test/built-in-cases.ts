import type { SimpleType } from "@bothends/datatypes";
import * as xs from "@bothends/datatypes/xs";

/** Texts of the built-in types. */
export interface Case {
  readonly type: SimpleType<unknown>;
  /** Valid texts with their values. A text without a value is equal to its value. */
  readonly valid: readonly (string | readonly [string, unknown])[];
  readonly invalid: readonly string[];
}

const bytes = (...octets: number[]) => Uint8Array.from(octets);

/** Cases for every built-in type except QName and NOTATION, which need namespaces, and for anySimpleType. */
export const builtInCases: readonly Case[] = [
  { type: xs.string, valid: ["", " a\tb ", "\u{1F600}"], invalid: [] },
  { type: xs.normalizedString, valid: ["a  b", ["a\tb\n", "a b "]], invalid: [] },
  { type: xs.token, valid: ["", "a b", ["  a \n b ", "a b"]], invalid: [] },
  {
    type: xs.language,
    valid: ["en", "pt-PT", "x-klingon-1", "i-a1"],
    invalid: ["", "en_GB", "toolonglang", "e1", "en-"],
  },
  { type: xs.Name, valid: ["a", ":a:b", "_1", "é"], invalid: ["", "1a", "-a", "a b"] },
  { type: xs.NCName, valid: ["a", "a.b-c_1"], invalid: ["", "a:b", "1", ".a"] },
  { type: xs.ID, valid: ["a1"], invalid: ["1a", "a:b"] },
  { type: xs.IDREF, valid: ["a1"], invalid: [""] },
  { type: xs.ENTITY, valid: ["a1"], invalid: ["a b"] },
  { type: xs.NMTOKEN, valid: ["1-a.b:c"], invalid: ["", "a b", "a,b"] },
  { type: xs.NMTOKENS, valid: [["a  1 ", ["a", "1"]]], invalid: ["", "a ,"] },
  { type: xs.IDREFS, valid: [["a b", ["a", "b"]]], invalid: ["", "a 1"] },
  { type: xs.ENTITIES, valid: [["a", ["a"]]], invalid: [" "] },
  {
    type: xs.boolean,
    valid: [
      ["true", true],
      ["false", false],
      ["1", true],
      [" 0 ", false],
    ],
    invalid: ["", "True", "yes", "2", "tru"],
  },
  {
    type: xs.decimal,
    valid: ["0", "-1.50", "+1", ".5", "5.", "0001", "123456789012345678901234567890.5"],
    invalid: ["", ".", "+", "1e3", "1,5", "1.2.3", "INF", "0x1", "1 2", "١"],
  },
  {
    type: xs.integer,
    valid: [
      ["-0", 0n],
      ["+12", 12n],
      ["00123456789012345678901234567890", 123456789012345678901234567890n],
    ],
    invalid: ["", "1.0", "1e3", "-", "--1", "1".repeat(5000)],
  },
  {
    type: xs.nonPositiveInteger,
    valid: [
      ["0", 0n],
      ["-5", -5n],
    ],
    invalid: ["1"],
  },
  { type: xs.negativeInteger, valid: [["-1", -1n]], invalid: ["0", "-0"] },
  {
    type: xs.nonNegativeInteger,
    valid: [
      ["-0", 0n],
      ["7", 7n],
    ],
    invalid: ["-1"],
  },
  { type: xs.positiveInteger, valid: [["1", 1n]], invalid: ["0"] },
  {
    type: xs.long,
    valid: [
      ["9223372036854775807", 9223372036854775807n],
      ["-9223372036854775808", -9223372036854775808n],
    ],
    invalid: ["9223372036854775808", "-9223372036854775809"],
  },
  {
    type: xs.int,
    valid: [
      [" 12 ", 12],
      ["+1", 1],
      ["-0", 0],
      ["007", 7],
      ["2147483647", 2147483647],
      ["-2147483648", -2147483648],
    ],
    invalid: ["2147483648", "-2147483649", "1e3", "0x1F", "", "+", "1.0", "1 2", "١٢", "1".repeat(1_000_000)],
  },
  { type: xs.short, valid: [["-32768", -32768]], invalid: ["32768"] },
  { type: xs.byte, valid: [["127", 127]], invalid: ["128", "-129"] },
  {
    type: xs.unsignedLong,
    valid: [["18446744073709551615", 18446744073709551615n]],
    invalid: ["18446744073709551616", "-1"],
  },
  {
    type: xs.unsignedInt,
    valid: [
      ["4294967295", 4294967295],
      ["-0", 0],
    ],
    invalid: ["4294967296", "-1"],
  },
  { type: xs.unsignedShort, valid: [["65535", 65535]], invalid: ["65536"] },
  { type: xs.unsignedByte, valid: [["255", 255]], invalid: ["256"] },
  ...[xs.float, xs.double].map(
    (type): Case => ({
      type,
      valid: [
        ["1", 1],
        ["-1.5E2", -150],
        ["1e-3", 0.001],
        [".5", 0.5],
        ["+1.", 1],
        ["INF", Number.POSITIVE_INFINITY],
        ["-INF", Number.NEGATIVE_INFINITY],
        ["NaN", Number.NaN],
        ["-0", -0],
      ],
      invalid: ["", "+INF", "inf", "Infinity", "nan", "1e", "1e1.5", "0x1", "1f", "."],
    }),
  ),
  {
    type: xs.duration,
    valid: ["P1Y2M3DT4H5M6.7S", "-P1D", "PT0S", "P0Y", "PT1H", "P1Y1D", "PT1.5S"],
    invalid: ["", "P", "PT", "P1YT", "1Y", "P1S", "PT1Y", "P1.5Y", "P-1Y", "+P1Y", "P1D1Y", "PT1.S", "PT.5S", "P1Y 2M"],
  },
  {
    type: xs.dateTime,
    valid: [
      "2026-03-31T00:00:00",
      "2026-03-31T00:00:00Z",
      "2026-03-31T24:00:00",
      "2026-03-31T24:00:00.000-05:00",
      "0001-01-01T00:00:00",
      "-0045-01-01T00:00:00",
      "12345-01-01T00:00:00",
      "2026-03-31T23:59:59.1234567+14:00",
      "2026-03-31T00:00:00-14:00",
      "2024-02-29T00:00:00",
      "2000-02-29T00:00:00",
    ],
    invalid: [
      "",
      "2026-03-31",
      "2026-03-31 00:00:00",
      "2026-03-31T00:00",
      "0000-01-01T00:00:00",
      "-0000-01-01T00:00:00",
      "+2026-01-01T00:00:00",
      "026-01-01T00:00:00",
      "02026-01-01T00:00:00",
      "2026-02-29T00:00:00",
      "1900-02-29T00:00:00",
      "2026-04-31T00:00:00",
      "2026-13-01T00:00:00",
      "2026-00-01T00:00:00",
      "2026-01-00T00:00:00",
      "2026-01-01T25:00:00",
      "2026-01-01T24:00:01",
      "2026-01-01T24:00:00.1",
      "2026-01-01T00:60:00",
      "2026-01-01T00:00:60",
      "2026-01-01T00:00:00.",
      "2026-01-01T00:00:00z",
      "2026-01-01T00:00:00+14:01",
      "2026-01-01T00:00:00+15:00",
      "2026-01-01T00:00:00+1:00",
      "2026-01-01T00:00:00+01:60",
      "2026-1-1T00:00:00",
    ],
  },
  {
    type: xs.date,
    valid: ["2026-03-31", "2026-03-31Z", "-0001-01-01", "2026-03-31+05:30"],
    invalid: ["2026-02-30", "2026-3-1", "2026-03-31T", "26-03-31"],
  },
  {
    type: xs.time,
    valid: ["00:00:00", "24:00:00", "12:34:56.7Z", "12:00:00-14:00"],
    invalid: ["24:00:01", "12:00", "1:00:00", "12:60:00"],
  },
  { type: xs.gYearMonth, valid: ["2026-03", "-0001-12Z"], invalid: ["2026-13", "0000-01", "2026"] },
  { type: xs.gYear, valid: ["2026", "12026+01:00", "-0001"], invalid: ["0000", "226", "02026"] },
  { type: xs.gMonthDay, valid: ["--02-29", "--12-31Z"], invalid: ["--02-30", "--04-31", "02-01", "--13-01"] },
  { type: xs.gDay, valid: ["---31", "---01-05:00"], invalid: ["---32", "---00", "31", "--31"] },
  { type: xs.gMonth, valid: ["--12", "--01Z"], invalid: ["--13", "--00", "12", "--1"] },
  {
    type: xs.hexBinary,
    valid: [
      ["", bytes()],
      ["0fB7", bytes(15, 183)],
      [" FF ", bytes(255)],
    ],
    invalid: ["0", "0g", "0x", "FF FF", "F\u0130"],
  },
  {
    type: xs.base64Binary,
    valid: [
      ["", bytes()],
      ["AQ==", bytes(1)],
      ["AQI=", bytes(1, 2)],
      ["AQID", bytes(1, 2, 3)],
      ["A Q\nI D", bytes(1, 2, 3)],
      ["+/+/", bytes(251, 255, 191)],
    ],
    invalid: ["A", "AQ", "AQI", "AR==", "AQJ=", "A===", "====", "AQ==AQ==", "-_-_", "AQ=D", "é==="],
  },
  { type: xs.anyURI, valid: ["", "http://example/a b", "../x#y", "mailto:a@b", "%7e"], invalid: ["%", "%7", "a%zz"] },
  { type: xs.anySimpleType, valid: [" a ", "1"], invalid: [] },
];
