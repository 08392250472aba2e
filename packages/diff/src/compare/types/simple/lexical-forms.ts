import { isDerivedFrom } from "./effective-type.js";

// The texts of built-in types as patterns (XSD 1.0 Part 2 §3).

type Forms = readonly (readonly [builtin: string, pattern: string, isExact?: "exact"])[];

function findForm(forms: Forms, builtin: string): Forms[number] | undefined {
  return forms.find(([base]) => isDerivedFrom(builtin, base));
}

/** Returns a pattern that matches at least all texts of a built-in type; undefined if there is none. */
export function getLexicalForm(builtin: string): string | undefined {
  return findForm(lexicalForms, builtin)?.[1];
}

/** Whether the built-in type allows all texts that its pattern matches. */
export function isExactForm(builtin: string): boolean {
  return findForm(lexicalForms, builtin)?.[2] === "exact";
}

/**
 * Returns a pattern for the texts that generated writers prefer; undefined for types whose writers send any text of the
 * type.
 */
export function getPreferredForm(builtin: string): string | undefined {
  return findForm(preferredForms, builtin)?.[1];
}

const decimalForm = "[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)";
const floatForm = `${decimalForm}([eE][+\\-]?[0-9]+)?|-?INF|NaN`;
const zone = "(Z|[+\\-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?";
const year = "-?([1-9][0-9]{3,}|0([1-9][0-9]{2}|0[1-9][0-9]|00[1-9]))";
const month = "(0[1-9]|1[0-2])";
const time = "(([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?|24:00:00(\\.0+)?)";

/** Two digits whose number is a multiple of four, and those without 00. */
const [multipleOfFour, positiveMultiple] = ["([02468][048]|[13579][26])", "(0[48]|[2468][048]|[13579][26])"];
const moreDigits = "([1-9][0-9]*)?";
/** Leap years. The year before 0001 is -0001, which is one, so negative years are those numbers plus one. */
const leapYear = [
  `${moreDigits}[0-9]{2}${positiveMultiple}`,
  `([1-9][0-9]*${multipleOfFour}|${positiveMultiple})00`,
  `-${moreDigits}[0-9]{2}(0[59]|[2468][159]|[13579][37])`,
  `-${moreDigits}${multipleOfFour}01`,
].join("|");
const [upToThirty, upToTwentyEight] = ["(0[1-9]|[12][0-9]|30)", "(0[1-9]|1[0-9]|2[0-8])"];
const [february, otherMonths] = ["02", "(0[13-9]|1[0-2])"];
const lateDays = `(0[13578]|1[02])-31|${otherMonths}-${upToThirty}`;
const date = `(${year}-(${lateDays}|${february}-${upToTwentyEight})|(${leapYear})-${february}-29)`;
const monthDay = `(${lateDays}|${february}-(${upToTwentyEight}|29))`;

const seconds = "([0-9]+(\\.[0-9]+)?S)";
const minutes = `([0-9]+M${seconds}?)`;
const timeOfDuration = `T([0-9]+H(${minutes}|${seconds})?|${minutes}|${seconds})`;
const days = "([0-9]+D)";
const months = `([0-9]+M${days}?)`;
const duration = `-?P(([0-9]+Y(${months}|${days})?|${months}|${days})(${timeOfDuration})?|${timeOfDuration})`;

const uriCharacter = (excluded: string) => `([^%#${excluded}]|%[0-9A-Fa-f]{2})`;
const ncName = "[\\i-[:]][\\c-[:]]*";

const digit64 = "[A-Za-z0-9+/] ?";
/** Three bytes in Base64; two bytes, and one byte, at its end. */
const [threeBytes, twoBytes, oneByte] = [
  `(${digit64}){4}`,
  `(${digit64}){2}[AEIMQUYcgkosw048] ?= ?`,
  `${digit64}[AQgw] ?= ?= ?`,
];
const lastBytes = `(${twoBytes}|${oneByte})`;
const base64Form = `(${threeBytes})*${lastBytes}?`;

/** Returns a pattern for Base64 with at least a number of bytes. */
export function expressLeastBytes(count: number): string {
  const groups = Math.floor(count / 3);
  const rest = ["", `|(${threeBytes}){${groups}}${lastBytes}`, `|(${threeBytes}){${groups}}(${twoBytes})`][count % 3];
  return `(${threeBytes}){${groups + (count % 3 === 0 ? 0 : 1)},}${lastBytes}?${rest}`;
}

/** Returns a pattern for Base64 with at most a number of bytes. */
export function expressMostBytes(count: number): string {
  const groups = Math.floor(count / 3);
  const last = ["", `(${oneByte})?`, `${lastBytes}?`][count % 3];
  const fewer = groups === 0 ? "" : `|(${threeBytes}){0,${groups - 1}}${lastBytes}?`;
  return `(${threeBytes}){0,${groups}}${last}${fewer}`;
}

/** Patterns that match at least all texts of built-in types, and only these if they are exact. */
const lexicalForms: Forms = [
  ["boolean", "true|false|0|1", "exact"],
  ["integer", "[+\\-]?[0-9]+", "exact"],
  ["decimal", decimalForm, "exact"],
  ["float", floatForm, "exact"],
  ["double", floatForm, "exact"],
  ["dateTime", `${date}T${time}${zone}`, "exact"],
  ["date", `${date}${zone}`, "exact"],
  ["time", `${time}${zone}`, "exact"],
  ["gYearMonth", `${year}-${month}${zone}`, "exact"],
  ["gYear", `${year}${zone}`, "exact"],
  ["gMonthDay", `--${monthDay}${zone}`, "exact"],
  ["gMonth", `--${month}${zone}`, "exact"],
  ["gDay", `---(0[1-9]|[12][0-9]|3[01])${zone}`, "exact"],
  ["duration", duration, "exact"],
  ["hexBinary", "([0-9a-fA-F]{2})*", "exact"],
  ["base64Binary", base64Form, "exact"],
  ["anyURI", `(${uriCharacter(":")}${uriCharacter("")}*)?(#${uriCharacter("")}*)?`, "exact"],
  ["language", "[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*", "exact"],
  ["NCName", ncName, "exact"],
  ["Name", "\\i\\c*", "exact"],
  ["NMTOKEN", "\\c+", "exact"],
  // A name with a prefix is refused unless the prefix is declared.
  ["QName", `(${ncName}:)?${ncName}`],
  ["NOTATION", `(${ncName}:)?${ncName}`],
];

const preferredForms: Forms = [
  ["boolean", "true|false"],
  ["integer", "0|-?[1-9][0-9]*"],
  ["hexBinary", "([0-9A-F]{2})*"],
  ["base64Binary", "([A-Za-z0-9+/=]{4})*"],
];

/** The form of decimals without superfluous signs and zeros. */
export const canonicalDecimal = "-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?";
