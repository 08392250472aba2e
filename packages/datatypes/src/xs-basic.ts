/** The exports of the module `xs`, except for the facet `pattern`, whose automaton is larger than the code of all types. */
import type { SimpleType } from "./simple-type.js";
import { base64BinaryType, hexBinaryType } from "./types/binary.js";
import { booleanType } from "./types/boolean.js";
import { dateTimeType, dateType, durationType } from "./types/date-time.js";
import {
  bigintInteger,
  decimalType,
  floatType,
  integerRange,
  longRange,
  negativeIntegerRange,
  nonNegativeIntegerRange,
  nonPositiveIntegerRange,
  numberDecimal,
  numberInteger,
  positiveIntegerRange,
  safeInteger,
  textInteger,
  unsignedLongRange,
} from "./types/numbers.js";
import { anySimpleTypeType, anyURIType, isLanguage, textType, tokenType } from "./types/text.js";

export { list, restriction, union, withConversions } from "./derivation.js";
export {
  enumeration,
  fractionDigits,
  length,
  maxExclusive,
  maxInclusive,
  maxLength,
  minExclusive,
  minInclusive,
  minLength,
  totalDigits,
  whiteSpace,
} from "./facets.js";
export {
  ENTITIES,
  ENTITY,
  ID,
  IDREF,
  IDREFS,
  Name,
  NCName,
  NMTOKEN,
  NMTOKENS,
  NOTATION,
  QName,
} from "./types/names.js";

export const anySimpleType: SimpleType<string> = /* @__PURE__ */ anySimpleTypeType();

export const string: SimpleType<string> = /* @__PURE__ */ textType({ name: "xs:string", whiteSpace: "preserve" });
export const normalizedString: SimpleType<string> = /* @__PURE__ */ textType({
  name: "xs:normalizedString",
  whiteSpace: "replace",
});
export const token: SimpleType<string> = /* @__PURE__ */ textType({ name: "xs:token", whiteSpace: "collapse" });
export const language: SimpleType<string> = /* @__PURE__ */ tokenType("xs:language", isLanguage);

export const boolean: SimpleType<boolean> = /* @__PURE__ */ booleanType();

export const decimal: SimpleType<string> = /* @__PURE__ */ decimalType();
export const integer: SimpleType<bigint> = /* @__PURE__ */ bigintInteger(integerRange);
export const nonPositiveInteger: SimpleType<bigint> = /* @__PURE__ */ bigintInteger(nonPositiveIntegerRange);
export const negativeInteger: SimpleType<bigint> = /* @__PURE__ */ bigintInteger(negativeIntegerRange);
export const nonNegativeInteger: SimpleType<bigint> = /* @__PURE__ */ bigintInteger(nonNegativeIntegerRange);
export const positiveInteger: SimpleType<bigint> = /* @__PURE__ */ bigintInteger(positiveIntegerRange);
export const long: SimpleType<bigint> = /* @__PURE__ */ bigintInteger(longRange);
export const int: SimpleType<number> = /* @__PURE__ */ numberInteger({
  name: "xs:int",
  min: -2147483648,
  max: 2147483647,
});
export const short: SimpleType<number> = /* @__PURE__ */ numberInteger({ name: "xs:short", min: -32768, max: 32767 });
export const byte: SimpleType<number> = /* @__PURE__ */ numberInteger({ name: "xs:byte", min: -128, max: 127 });
export const unsignedLong: SimpleType<bigint> = /* @__PURE__ */ bigintInteger(unsignedLongRange);
export const unsignedInt: SimpleType<number> = /* @__PURE__ */ numberInteger({
  name: "xs:unsignedInt",
  min: 0,
  max: 4294967295,
});
export const unsignedShort: SimpleType<number> = /* @__PURE__ */ numberInteger({
  name: "xs:unsignedShort",
  min: 0,
  max: 65535,
});
export const unsignedByte: SimpleType<number> = /* @__PURE__ */ numberInteger({
  name: "xs:unsignedByte",
  min: 0,
  max: 255,
});

export const float: SimpleType<number> = /* @__PURE__ */ floatType("xs:float");
export const double: SimpleType<number> = /* @__PURE__ */ floatType("xs:double");

export const duration: SimpleType<string> = /* @__PURE__ */ durationType();
export const dateTime: SimpleType<string> = /* @__PURE__ */ dateTimeType("dateTime");
export const time: SimpleType<string> = /* @__PURE__ */ dateTimeType("time");
export const date: SimpleType<string> = /* @__PURE__ */ dateTimeType("date");
export const gYearMonth: SimpleType<string> = /* @__PURE__ */ dateTimeType("gYearMonth");
export const gYear: SimpleType<string> = /* @__PURE__ */ dateTimeType("gYear");
export const gMonthDay: SimpleType<string> = /* @__PURE__ */ dateTimeType("gMonthDay");
export const gDay: SimpleType<string> = /* @__PURE__ */ dateTimeType("gDay");
export const gMonth: SimpleType<string> = /* @__PURE__ */ dateTimeType("gMonth");

export const hexBinary: SimpleType<Uint8Array> = /* @__PURE__ */ hexBinaryType();
export const base64Binary: SimpleType<Uint8Array> = /* @__PURE__ */ base64BinaryType();

export const anyURI: SimpleType<string> = /* @__PURE__ */ anyURIType();

// Variants of these types with other JavaScript values, for the setting `typeMap`.
export const dateTimeAsDate: SimpleType<Date> = /* @__PURE__ */ dateType("dateTime");
export const dateAsDate: SimpleType<Date> = /* @__PURE__ */ dateType("date");
export const decimalAsNumber: SimpleType<number> = /* @__PURE__ */ numberDecimal();
export const integerAsNumber: SimpleType<number> = /* @__PURE__ */ safeInteger(integerRange);
export const nonPositiveIntegerAsNumber: SimpleType<number> = /* @__PURE__ */ safeInteger(nonPositiveIntegerRange);
export const negativeIntegerAsNumber: SimpleType<number> = /* @__PURE__ */ safeInteger(negativeIntegerRange);
export const nonNegativeIntegerAsNumber: SimpleType<number> = /* @__PURE__ */ safeInteger(nonNegativeIntegerRange);
export const positiveIntegerAsNumber: SimpleType<number> = /* @__PURE__ */ safeInteger(positiveIntegerRange);
export const longAsNumber: SimpleType<number> = /* @__PURE__ */ safeInteger(longRange);
export const unsignedLongAsNumber: SimpleType<number> = /* @__PURE__ */ safeInteger(unsignedLongRange);
export const integerAsString: SimpleType<string> = /* @__PURE__ */ textInteger(integerRange);
export const nonPositiveIntegerAsString: SimpleType<string> = /* @__PURE__ */ textInteger(nonPositiveIntegerRange);
export const negativeIntegerAsString: SimpleType<string> = /* @__PURE__ */ textInteger(negativeIntegerRange);
export const nonNegativeIntegerAsString: SimpleType<string> = /* @__PURE__ */ textInteger(nonNegativeIntegerRange);
export const positiveIntegerAsString: SimpleType<string> = /* @__PURE__ */ textInteger(positiveIntegerRange);
export const longAsString: SimpleType<string> = /* @__PURE__ */ textInteger(longRange);
export const unsignedLongAsString: SimpleType<string> = /* @__PURE__ */ textInteger(unsignedLongRange);
