import { type Rule, toCode, toNewReader, toOldReader, toReadingCode, toWritingCode } from "./rule.js";

const replacedValuesText = "the versions have no value in common";

/** Rules about the values of simple types: enumerations and restrictions. */
export const valueRules = [
  {
    id: "enum-value-added",
    kind: "exchange",
    title: "An enumeration has more values.",
    verdict: "N S S S",
    variants: {
      replaced: { when: replacedValuesText, verdict: "N B S S" },
      otherKind: {
        when: "the old version has no value of the JSON type of the new value",
        verdict: "N S S B",
        reason: [
          toReadingCode("Code that uses a member of the old values, such as a method of a string, no longer compiles."),
        ],
      },
    },
    reason: [
      toOldReader(
        "An old reader refuses the new value.",
        "An old reader accepts the new value, but may read it as another value.",
      ),
      toCode(
        "Code that lists every value, such as a `switch` or a `Record`, needs a branch or a member for the new value.",
      ),
    ],
    strictPeers: "A reader that keeps unknown values accepts the value.",
    oppositeRule: "enum-value-removed",
  },
  {
    id: "enum-value-removed",
    kind: "exchange",
    title: "An enumeration has fewer values.",
    verdict: "S N B S",
    variants: { replaced: { when: replacedValuesText, verdict: "B N B S" } },
    reason: [
      toNewReader(
        "The new reader refuses the removed value.",
        "The new reader accepts the removed value, but may read it as another value.",
      ),
      toWritingCode("Code that names the removed value no longer compiles."),
    ],
    strictPeers: "A reader that keeps unknown values accepts the value.",
    oppositeRule: "enum-value-added",
  },
  {
    id: "enum-opened",
    kind: "exchange",
    title: "An enumeration became a type without enumeration values.",
    verdict: "N S S B",
    reason: [
      toOldReader(
        "An old reader refuses values that its enumeration does not contain.",
        "An old reader accepts values that its enumeration does not contain, but may read them as other values.",
      ),
      toWritingCode("Code that lists every value, such as a `switch`, no longer handles all of them."),
    ],
    oppositeRule: "enum-closed",
  },
  {
    id: "enum-closed",
    kind: "exchange",
    title: "A type without enumeration values became an enumeration.",
    verdict: "S N B S",
    reason: [
      toNewReader(
        "The new reader refuses values that its enumeration does not contain.",
        "The new reader accepts values that its enumeration does not contain, but may read them as other values.",
      ),
      toReadingCode("Code that compares the value with another one no longer compiles."),
    ],
    oppositeRule: "enum-opened",
  },
  {
    id: "range-tightened",
    kind: "exchange",
    title: "The range of a number or date was narrowed.",
    verdict: "S N N N",
    reason: [
      toNewReader(
        "The new reader refuses values outside the narrower range.",
        "The new reader accepts values outside the narrower range, but may read them as other values.",
      ),
    ],
    oppositeRule: "range-loosened",
  },
  {
    id: "range-loosened",
    kind: "exchange",
    title: "The range of a number or date was widened.",
    verdict: "N S N N",
    reason: [
      toOldReader(
        "An old reader refuses values outside its range.",
        "An old reader accepts values outside its range, but may read them as other values.",
      ),
    ],
    oppositeRule: "range-tightened",
  },
  {
    id: "range-changed",
    kind: "exchange",
    title: "A limit of dates or durations became another one, which is neither less nor greater.",
    verdict: "S S N N",
    reason: [
      toNewReader(
        "The new reader refuses values that only the old limit allows.",
        "The new reader accepts values that only the old limit allows, but may read them as other values.",
      ),
      toOldReader(
        "An old reader refuses values that only the new limit allows.",
        "An old reader accepts values that only the new limit allows, but may read them as other values.",
      ),
      "Dates of which only one has a time zone may have no order, and neither may durations in days and in months.",
    ],
  },
  {
    id: "length-tightened",
    kind: "exchange",
    title: "The allowed length or size of a value was narrowed.",
    verdict: "S N N N",
    reason: [
      toNewReader(
        "The new reader refuses values with a length or size that is no longer allowed.",
        "The new reader accepts values with a length or size that is no longer allowed, but may read them as other values.",
      ),
    ],
    oppositeRule: "length-loosened",
  },
  {
    id: "length-loosened",
    kind: "exchange",
    title: "The allowed length or size of a value was widened.",
    verdict: "N S N N",
    reason: [
      toOldReader(
        "An old reader refuses values with a length or size that its schema does not allow.",
        "An old reader accepts values with a length or size that its schema does not allow, but may read them as other values.",
      ),
    ],
    oppositeRule: "length-tightened",
  },
  {
    id: "digits-tightened",
    kind: "exchange",
    title: "Fewer digits are allowed.",
    verdict: "S N N N",
    reason: [
      toNewReader(
        "The new reader refuses values with more digits.",
        "The new reader accepts values with more digits, but may read them as other values.",
      ),
    ],
    oppositeRule: "digits-loosened",
  },
  {
    id: "digits-loosened",
    kind: "exchange",
    title: "More digits are allowed.",
    verdict: "N S N N",
    reason: [
      toOldReader(
        "An old reader refuses values with more digits.",
        "An old reader accepts values with more digits, but may read them as other values.",
      ),
    ],
    oppositeRule: "digits-tightened",
  },
  {
    id: "pattern-added",
    kind: "exchange",
    title: "A pattern was added.",
    verdict: "S N N N",
    reason: [
      toNewReader(
        "The new reader refuses values that do not match the pattern.",
        "The new reader accepts values that do not match the pattern, but may read them as other values.",
      ),
    ],
    oppositeRule: "pattern-removed",
  },
  {
    id: "pattern-removed",
    kind: "exchange",
    title: "A pattern was removed.",
    verdict: "N S N N",
    reason: [
      toOldReader(
        "An old reader refuses values that do not match the pattern.",
        "An old reader accepts values that do not match the pattern, but may read them as other values.",
      ),
    ],
    oppositeRule: "pattern-added",
  },
  {
    id: "pattern-changed",
    kind: "exchange",
    title: "A pattern changed.",
    verdict: "S S N N",
    reason: [
      toNewReader("The new reader refuses values that its pattern does not match."),
      toOldReader("An old reader refuses values that its pattern does not match."),
    ],
    undecided: "the patterns are too complex to compare, or values that only one of them matches may be valid",
  },
  {
    id: "format-added",
    kind: "exchange",
    title: "The format of a string is now restricted.",
    verdict: "S N N N",
    reason: [
      toNewReader(
        "The new reader may refuse values that do not have the format.",
        "The new reader accepts values that do not have the format, but may read them as other values.",
      ),
    ],
    oppositeRule: "format-removed",
  },
  {
    id: "format-removed",
    kind: "exchange",
    title: "The format of a string is no longer restricted.",
    verdict: "N S N N",
    reason: [
      toOldReader(
        "An old reader may refuse values that do not have the format.",
        "An old reader accepts values that do not have the format, but may read them as other values.",
      ),
    ],
    oppositeRule: "format-added",
  },
  {
    id: "format-changed",
    kind: "exchange",
    title: "The format of a string changed.",
    verdict: "S S N N",
    variants: {
      unchecked: {
        when: "servers check neither format, as with `uri`",
        verdict: "N N N N",
      },
    },
    reason: [
      toNewReader("The new reader may refuse values that have only the old format."),
      toOldReader("An old reader may refuse values that have only the new format."),
    ],
    undecided: "the diff does not determine which values both formats allow",
  },
  {
    id: "whitespace-changed",
    kind: "exchange",
    title: "White space is treated differently.",
    verdict: "T T N N",
    reason: [
      toNewReader(
        "The new reader normalizes the white space of old values, and refuses some of the results.",
        "The new reader reads white space in old values differently.",
      ),
      toOldReader(
        "An old reader normalizes the white space of new values, and refuses some of the results.",
        "An old reader reads white space in new values differently.",
      ),
    ],
    strictPeers: "A third-party writer may send white space that only the old or only the new reader keeps.",
  },
  {
    id: "type-in-code-changed",
    kind: "exchange",
    title: "The TypeScript type of a value changed.",
    verdict: "N N B B",
    variants: {
      narrower: {
        when: "the new type cannot represent some of the old values, as `number` and `Date`",
        verdict: "S N B B",
      },
      wider: {
        when: "the old type cannot represent some of the new values, as `number` and `Date`",
        verdict: "N S B B",
      },
    },
    reason: [
      "The text in messages is the same. Either `typeMap` now maps the type to a different TypeScript type, or an enumeration has another base type, or attributes were added or removed: a value with attributes is an object.",
      toNewReader(
        "The new reader refuses values that its TypeScript type cannot represent, such as integers of 20 digits.",
      ),
      toOldReader(
        "The old reader refuses values that its TypeScript type cannot represent, such as integers of 20 digits.",
      ),
    ],
  },
] as const satisfies readonly Rule[];
