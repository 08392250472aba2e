import type { BuiltinName } from "../model/index.js";

/** What a value of a simple type is in JavaScript; `lexical` is a string in the type's own notation. */
export type ValueKind = "string" | "lexical" | "number" | "bigint" | "boolean" | "bytes" | "strings" | "date" | "any";

/** How a built-in type appears in code: its value, and the runtime's constant. */
export interface BuiltinPlan {
  readonly value: ValueKind;
  /** The name in `xs`. */
  readonly descriptor: string;
  /** The alias that types use instead of `string`. */
  readonly alias: string | undefined;
}

const byValue = {
  string: "string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anySimpleType",
  lexical: "decimal duration dateTime time date gYearMonth gYear gMonthDay gDay gMonth anyURI QName NOTATION",
  number: "int short byte unsignedInt unsignedShort unsignedByte float double",
  bigint: "integer nonPositiveInteger negativeInteger nonNegativeInteger positiveInteger long unsignedLong",
  boolean: "boolean",
  bytes: "hexBinary base64Binary",
  strings: "NMTOKENS IDREFS ENTITIES",
  any: "anyType",
} as const;

/** The plain names of lexical strings; `Date` is JavaScript's, so that one says what it lacks. */
export const aliasNames: ReadonlyMap<string, string> = new Map([
  ["decimal", "Decimal"],
  ["duration", "Duration"],
  ["dateTime", "DateTime"],
  ["time", "Time"],
  ["date", "DateOnly"],
  ["gYearMonth", "YearMonth"],
  ["gYear", "Year"],
  ["gMonthDay", "MonthDay"],
  ["gDay", "Day"],
  ["gMonth", "Month"],
  ["anyURI", "AnyURI"],
  ["QName", "QName"],
  ["NOTATION", "Notation"],
]);

const wideIntegers: readonly string[] = byValue.bigint.split(" ");

/** What `typeMap` may say: the TypeScript side of a built-in, and the runtime's constant for it. */
export const mappings: ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly value: ValueKind; readonly descriptor: string }>
> = new Map([
  ["dateTime", new Map([["Date", { value: "date", descriptor: "dateTimeAsDate" }]])],
  ["date", new Map([["Date", { value: "date", descriptor: "dateAsDate" }]])],
  ["decimal", new Map([["number", { value: "number", descriptor: "decimalAsNumber" }]])],
  ...wideIntegers.map(
    (name) =>
      [
        name,
        new Map<string, { readonly value: ValueKind; readonly descriptor: string }>([
          ["number", { value: "number", descriptor: `${name}AsNumber` }],
          ["string", { value: "string", descriptor: `${name}AsString` }],
        ]),
      ] as const,
  ),
]);

/** Every built-in with its ordinary side, before `typeMap`; the alias is still its wished name. */
export const ordinaryBuiltins: ReadonlyMap<BuiltinName, BuiltinPlan> = new Map(
  (Object.keys(byValue) as (keyof typeof byValue)[]).flatMap((value) =>
    (byValue[value].split(" ") as BuiltinName[]).map(
      (name) => [name, { value, descriptor: name, alias: aliasNames.get(name) }] as const,
    ),
  ),
);
