/**
 * The exports of the module `xs`, except for the facet `pattern`, whose automaton is larger than the code of all types.
 */
import type { SimpleType } from "./simple-type.js";
import { createBase64BinaryType, createHexBinaryType } from "./types/binary.js";
import { createBooleanType } from "./types/boolean.js";
import {
  createDateTimeType,
  createDateType,
  createDurationType,
  dateForm,
  dateTimeForm,
  gDayForm,
  gMonthDayForm,
  gMonthForm,
  gYearForm,
  gYearMonthForm,
  timeForm,
} from "./types/date-time.js";
import {
  createBigIntInteger,
  createDecimalType,
  createFloatType,
  createNumberDecimal,
  createNumberInteger,
  createSafeInteger,
  createStringInteger,
  integerRange,
  longRange,
  negativeIntegerRange,
  nonNegativeIntegerRange,
  nonPositiveIntegerRange,
  positiveIntegerRange,
  unsignedLongRange,
} from "./types/numbers.js";
import { createAnySimpleType, createAnyURIType, createTextType, createTokenType, isLanguage } from "./types/text.js";

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
} from "./types/name-types.js";

export const anySimpleType: SimpleType<string> = /* @__PURE__ */ createAnySimpleType();

export const string: SimpleType<string> = /* @__PURE__ */ createTextType({ name: "xs:string", whiteSpace: "preserve" });
export const normalizedString: SimpleType<string> = /* @__PURE__ */ createTextType({
  name: "xs:normalizedString",
  whiteSpace: "replace",
});
export const token: SimpleType<string> = /* @__PURE__ */ createTextType({ name: "xs:token", whiteSpace: "collapse" });
export const language: SimpleType<string> = /* @__PURE__ */ createTokenType("xs:language", isLanguage);

export const boolean: SimpleType<boolean> = /* @__PURE__ */ createBooleanType();

export const decimal: SimpleType<string> = /* @__PURE__ */ createDecimalType();
export const integer: SimpleType<bigint> = /* @__PURE__ */ createBigIntInteger(integerRange);
export const nonPositiveInteger: SimpleType<bigint> = /* @__PURE__ */ createBigIntInteger(nonPositiveIntegerRange);
export const negativeInteger: SimpleType<bigint> = /* @__PURE__ */ createBigIntInteger(negativeIntegerRange);
export const nonNegativeInteger: SimpleType<bigint> = /* @__PURE__ */ createBigIntInteger(nonNegativeIntegerRange);
export const positiveInteger: SimpleType<bigint> = /* @__PURE__ */ createBigIntInteger(positiveIntegerRange);
export const long: SimpleType<bigint> = /* @__PURE__ */ createBigIntInteger(longRange);
export const int: SimpleType<number> = /* @__PURE__ */ createNumberInteger({
  name: "xs:int",
  min: -2147483648,
  max: 2147483647,
});
export const short: SimpleType<number> = /* @__PURE__ */ createNumberInteger({
  name: "xs:short",
  min: -32768,
  max: 32767,
});
export const byte: SimpleType<number> = /* @__PURE__ */ createNumberInteger({ name: "xs:byte", min: -128, max: 127 });
export const unsignedLong: SimpleType<bigint> = /* @__PURE__ */ createBigIntInteger(unsignedLongRange);
export const unsignedInt: SimpleType<number> = /* @__PURE__ */ createNumberInteger({
  name: "xs:unsignedInt",
  min: 0,
  max: 4294967295,
});
export const unsignedShort: SimpleType<number> = /* @__PURE__ */ createNumberInteger({
  name: "xs:unsignedShort",
  min: 0,
  max: 65535,
});
export const unsignedByte: SimpleType<number> = /* @__PURE__ */ createNumberInteger({
  name: "xs:unsignedByte",
  min: 0,
  max: 255,
});

export const float: SimpleType<number> = /* @__PURE__ */ createFloatType("xs:float");
export const double: SimpleType<number> = /* @__PURE__ */ createFloatType("xs:double");

export const duration: SimpleType<string> = /* @__PURE__ */ createDurationType();
export const dateTime: SimpleType<string> = /* @__PURE__ */ createDateTimeType(dateTimeForm);
export const time: SimpleType<string> = /* @__PURE__ */ createDateTimeType(timeForm);
export const date: SimpleType<string> = /* @__PURE__ */ createDateTimeType(dateForm);
export const gYearMonth: SimpleType<string> = /* @__PURE__ */ createDateTimeType(gYearMonthForm);
export const gYear: SimpleType<string> = /* @__PURE__ */ createDateTimeType(gYearForm);
export const gMonthDay: SimpleType<string> = /* @__PURE__ */ createDateTimeType(gMonthDayForm);
export const gDay: SimpleType<string> = /* @__PURE__ */ createDateTimeType(gDayForm);
export const gMonth: SimpleType<string> = /* @__PURE__ */ createDateTimeType(gMonthForm);

export const hexBinary: SimpleType<Uint8Array> = /* @__PURE__ */ createHexBinaryType();
export const base64Binary: SimpleType<Uint8Array> = /* @__PURE__ */ createBase64BinaryType();

export const anyURI: SimpleType<string> = /* @__PURE__ */ createAnyURIType();

// Variants of these types with other JavaScript values, for the setting `typeMap`.
export const dateTimeAsDate: SimpleType<Date> = /* @__PURE__ */ createDateType(dateTimeForm);
export const dateAsDate: SimpleType<Date> = /* @__PURE__ */ createDateType(dateForm);
export const decimalAsNumber: SimpleType<number> = /* @__PURE__ */ createNumberDecimal();
export const integerAsNumber: SimpleType<number> = /* @__PURE__ */ createSafeInteger(integerRange);
export const nonPositiveIntegerAsNumber: SimpleType<number> =
  /* @__PURE__ */ createSafeInteger(nonPositiveIntegerRange);
export const negativeIntegerAsNumber: SimpleType<number> = /* @__PURE__ */ createSafeInteger(negativeIntegerRange);
export const nonNegativeIntegerAsNumber: SimpleType<number> =
  /* @__PURE__ */ createSafeInteger(nonNegativeIntegerRange);
export const positiveIntegerAsNumber: SimpleType<number> = /* @__PURE__ */ createSafeInteger(positiveIntegerRange);
export const longAsNumber: SimpleType<number> = /* @__PURE__ */ createSafeInteger(longRange);
export const unsignedLongAsNumber: SimpleType<number> = /* @__PURE__ */ createSafeInteger(unsignedLongRange);
export const integerAsString: SimpleType<string> = /* @__PURE__ */ createStringInteger(integerRange);
export const nonPositiveIntegerAsString: SimpleType<string> =
  /* @__PURE__ */ createStringInteger(nonPositiveIntegerRange);
export const negativeIntegerAsString: SimpleType<string> = /* @__PURE__ */ createStringInteger(negativeIntegerRange);
export const nonNegativeIntegerAsString: SimpleType<string> =
  /* @__PURE__ */ createStringInteger(nonNegativeIntegerRange);
export const positiveIntegerAsString: SimpleType<string> = /* @__PURE__ */ createStringInteger(positiveIntegerRange);
export const longAsString: SimpleType<string> = /* @__PURE__ */ createStringInteger(longRange);
export const unsignedLongAsString: SimpleType<string> = /* @__PURE__ */ createStringInteger(unsignedLongRange);
