import { type Rule, sentAsText, unknownMembersText, validatingText } from "./rule.js";

const abstractValuesText = "A validating reader refuses a value of an abstract type.";
const replacedValuesText = "the versions have no value in common";
const restrictedText = "its elements are required in the other version, or may occur only once";
const nillableElementsText = "elements that are all optional or nillable, of which some are required";
const refusedTypesText =
  "If the declared type is abstract, the reader refuses the value. A server also refuses it if it knows other derived types.";
const lenientReaderText =
  "A reader of elements that may be absent ignores text, and a reader of text reads an element without content as empty text.";
const orderedUnionText =
  "A reader uses the first member type that accepts the text of a value. If several accept it, old and new peers may read it as different values.";
const codeConditionText = "Code is affected only if the TypeScript type differs.";

/**
 * Rules about the values of simple types, about whole types, and about content that the schema does not declare.
 * `Verdict` in `rule.ts` explains the letters of verdicts.
 */
export const typeRules = [
  {
    id: "type-widened",
    kind: "exchange",
    title: "A type allows more values.",
    verdict: "N S B B",
    variants: {
      union: { when: "the type became any type, or a union that contains the old type", verdict: "N S N B" },
      overlap: {
        when: "an alternative of `oneOf` that accepted values of another alternative was removed",
        title: "An alternative of oneOf that accepted values of another one was removed",
        verdict: "N S N N",
      },
      derived: { when: "the old type is derived from the new one", verdict: "T S S B" },
      derivedOfAbstract: { when: "the old type is derived from the new one, which is abstract", verdict: "B S B B" },
    },
    reason: `An old reader refuses the additional values. ${codeConditionText}`,
    oppositeRule: "type-narrowed",
  },
  {
    id: "type-narrowed",
    kind: "exchange",
    title: "A type allows fewer values.",
    verdict: "S N B B",
    variants: {
      union: {
        when: "the type was any type, or only one member of a union is left",
        verdict: "S N B S",
        reason:
          "Code that selects one of the values from the union no longer compiles if it uses a member that only this value has.",
      },
      overlap: {
        when: "an added alternative of `oneOf` accepts values of another alternative",
        title: "An added alternative of oneOf accepts values of another one",
        verdict: "S N N N",
      },
      derived: { when: "the new type is derived from the old one", verdict: "S T B S" },
      derivedOfAbstract: { when: "the new type is derived from the old one, which is abstract", verdict: "S B B B" },
    },
    reason: `The new reader refuses the values that are no longer allowed. ${codeConditionText}`,
    oppositeRule: "type-widened",
  },
  {
    id: "type-overlaps",
    kind: "exchange",
    title: "A type was replaced with another type.",
    verdict: "S S B B",
    reason: `Each reader refuses or misreads some values of the other type. ${codeConditionText}`,
    rest: {
      reason: `Each reader refuses or misreads some values of the other type. For arguments, the diff determines which values clients send: a server converts the text \`5\` to a number, but refuses a number in place of a text. If a pattern is too complex to compare, the diff reports that calls may break. ${codeConditionText}`,
    },
  },
  {
    id: "type-changed",
    kind: "exchange",
    title: "A type was replaced with one that shares none of its values.",
    verdict: "B B B B",
    variants: {
      textNow: {
        when: "text that may be empty replaces elements that are all optional",
        verdict: "S T B B",
        reason: lenientReaderText,
      },
      textBefore: {
        when: "elements that are all optional replace text that may be empty",
        verdict: "T S B B",
        reason: lenientReaderText,
      },
      empty: {
        when: "text that may be empty replaces a type without elements, or the reverse",
        verdict: "T T B B",
        reason: lenientReaderText,
      },
      valueNow: {
        when: "a value that is not empty replaces elements that are all optional",
        verdict: "B T B B",
        reason: lenientReaderText,
      },
      valueBefore: {
        when: "elements that are all optional replace a value that is not empty",
        verdict: "T B B B",
        reason: lenientReaderText,
      },
      nillableNow: { when: `a value replaces ${nillableElementsText}`, verdict: "B T B B", reason: lenientReaderText },
      nillableBefore: {
        when: `${nillableElementsText} replace a value`,
        verdict: "T B B B",
        reason: lenientReaderText,
      },
    },
    reason: `A reader accepts no value of the other type. ${codeConditionText}`,
  },
  {
    id: "type-replaced",
    kind: "exchange",
    title: "The complex type was replaced with another one.",
    verdict: "B B B B",
    variants: {
      answer: {
        when: "the setting `responses` names the schema of another object",
        title: "Answers now contain another object.",
        verdict: "B B B B",
      },
      unusedNow: {
        when: "no route uses the entry of `responses` any more",
        title: "No route uses the entry of `responses` any more.",
        verdict: "B B B B",
        direction: "output",
      },
      usedNow: {
        when: "no route used the entry of `responses` before",
        title: "A route uses the entry of `responses`, which was not used before.",
        verdict: "B B B B",
        direction: "output",
      },
    },
    reason:
      "The consequences are those of the differences between the two types: a member that only one of them has is an added or a removed member, for example.",
  },
  {
    id: "type-in-code-changed",
    kind: "exchange",
    title: "The TypeScript type of a value changed.",
    verdict: "N N B B",
    reason:
      "The text in messages is the same. Either `typeMap` now maps the type to a different TypeScript type, or attributes were added or removed: a value with attributes is an object.",
  },
  {
    id: "enum-value-added",
    kind: "exchange",
    title: "An enumeration has more values.",
    verdict: "N S N S",
    variants: { replaced: { when: replacedValuesText, verdict: "N B N S" } },
    reason: "An old reader refuses the new value. Code that handles every value needs a branch for the new value.",
    strictPeers: "A reader that keeps unknown values accepts the value.",
    oppositeRule: "enum-value-removed",
  },
  {
    id: "enum-value-removed",
    kind: "exchange",
    title: "An enumeration has fewer values.",
    verdict: "S N B S",
    variants: { replaced: { when: replacedValuesText, verdict: "B N B S" } },
    reason: "The new reader refuses the removed value. Code that names the removed value no longer compiles.",
    strictPeers: "A reader that keeps unknown values accepts the value.",
    oppositeRule: "enum-value-added",
  },
  {
    id: "enum-opened",
    kind: "exchange",
    title: "An enumeration became a type without enumeration values.",
    verdict: "N S N B",
    reason: "An old reader refuses values that its enumeration does not contain.",
    oppositeRule: "enum-closed",
  },
  {
    id: "enum-closed",
    kind: "exchange",
    title: "A type without enumeration values became an enumeration.",
    verdict: "S N B S",
    reason:
      "The new reader refuses values that its enumeration does not contain. Code that compares the value with another one no longer compiles.",
    oppositeRule: "enum-opened",
  },
  {
    id: "range-tightened",
    kind: "exchange",
    title: "The range of a number or date was narrowed.",
    verdict: "S N N N",
    reason: "The new reader refuses values outside the narrower range.",
    oppositeRule: "range-loosened",
  },
  {
    id: "range-loosened",
    kind: "exchange",
    title: "The range of a number or date was widened.",
    verdict: "N S N N",
    reason: "An old reader refuses values outside its range.",
    oppositeRule: "range-tightened",
  },
  {
    id: "length-tightened",
    kind: "exchange",
    title: "The allowed length or size of a value was narrowed.",
    verdict: "S N N N",
    reason: "The new reader refuses values with a length or size that is no longer allowed.",
    oppositeRule: "length-loosened",
  },
  {
    id: "length-loosened",
    kind: "exchange",
    title: "The allowed length or size of a value was widened.",
    verdict: "N S N N",
    reason: "An old reader refuses values with a length or size that its schema does not allow.",
    oppositeRule: "length-tightened",
  },
  {
    id: "digits-tightened",
    kind: "exchange",
    title: "Fewer digits are allowed.",
    verdict: "S N N N",
    reason: "The new reader refuses values with more digits.",
    oppositeRule: "digits-loosened",
  },
  {
    id: "digits-loosened",
    kind: "exchange",
    title: "More digits are allowed.",
    verdict: "N S N N",
    reason: "An old reader refuses values with more digits.",
    oppositeRule: "digits-tightened",
  },
  {
    id: "pattern-added",
    kind: "exchange",
    title: "A pattern was added.",
    verdict: "S N N N",
    reason: "The new reader refuses values that do not match the pattern.",
    oppositeRule: "pattern-removed",
  },
  {
    id: "pattern-removed",
    kind: "exchange",
    title: "A pattern was removed.",
    verdict: "N S N N",
    reason: "An old reader refuses values that do not match the pattern.",
    oppositeRule: "pattern-added",
  },
  {
    id: "pattern-changed",
    kind: "exchange",
    title: "A pattern changed.",
    verdict: "S S N N",
    reason: "Each reader refuses values that its pattern does not match.",
    undecided: "the patterns are too complex to compare, or values that only one of them matches may be valid",
  },
  {
    id: "format-added",
    kind: "exchange",
    title: "The format of a string is now restricted.",
    verdict: "S N N N",
    reason: "The new reader may refuse values that do not have the format.",
    oppositeRule: "format-removed",
  },
  {
    id: "format-removed",
    kind: "exchange",
    title: "The format of a string is no longer restricted.",
    verdict: "N S N N",
    reason: "An old reader may refuse values that do not have the format.",
    oppositeRule: "format-added",
  },
  {
    id: "format-changed",
    kind: "exchange",
    title: "The format of a string changed.",
    verdict: "S S N N",
    variants: { unchecked: { when: "servers check neither format, as with `uri`", verdict: "N N N N" } },
    reason: "Each reader may refuse values that have only the other format.",
    undecided: "the diff does not determine which values both formats allow",
  },
  {
    id: "whitespace-changed",
    kind: "exchange",
    title: "White space is treated differently.",
    verdict: "T T N N",
    reason: "Old and new peers read white space in the same text differently.",
    strictPeers: "A third-party writer may send white space that only the old or only the new reader keeps.",
  },
  {
    id: "union-member-added",
    kind: "exchange",
    title: "A union gained a member type.",
    verdict: "N S N B",
    variants: { text: { when: `${sentAsText} old type accepts any text`, verdict: "N N N B" } },
    reason: `An old reader refuses values of the added type. ${codeConditionText}`,
    oppositeRule: "union-member-removed",
  },
  {
    id: "union-member-removed",
    kind: "exchange",
    title: "A union lost a member type.",
    verdict: "S N B S",
    variants: { text: { when: `${sentAsText} new type accepts any text`, verdict: "N N B S" } },
    reason: `The new reader refuses values of the removed type. Code that uses members of the removed type, such as a method of a string, no longer compiles. ${codeConditionText}`,
    oppositeRule: "union-member-added",
  },
  {
    id: "union-order-changed",
    kind: "exchange",
    title: "The order of a union's member types changed.",
    verdict: "S S N N",
    reason: orderedUnionText,
    rest: {
      reason: `${orderedUnionText} A server may also refuse a value that an earlier type now accepts, but whose restrictions it does not fulfil.`,
    },
  },
  {
    id: "type-renamed",
    kind: "call",
    title: "The name of a type changed.",
    verdict: "N N B B",
    variants: {
      encoded: { when: "encoded messages contain the name of the type", verdict: "T T B B" },
      replaced: {
        when: "encoded messages contain the name of another type, because a value has another type of the same structure",
        title: "A type replaced another type.",
        verdict: "T T N N",
      },
    },
    reason:
      "Only SOAP-encoded messages contain the name of the type, and generated readers accept other names there. Code that imports a renamed type by its old name no longer compiles.",
    strictPeers: "A reader that checks the names of types in encoded messages refuses other names.",
  },
  {
    id: "derived-type-added",
    kind: "exchange",
    title: "A type gained a derived type.",
    verdict: "N T N S",
    variants: {
      abstract: { when: "the declared type is abstract", verdict: "N S N S" },
      refused: { when: "the declared type had other derived types", verdict: "N S N S", direction: "input" },
    },
    reason: `An old reader reads a value of the derived type as the declared type. ${refusedTypesText}`,
    strictPeers: "A validating reader refuses the value.",
    oppositeRule: "derived-type-removed",
  },
  {
    id: "derived-type-removed",
    kind: "exchange",
    title: "A type lost a derived type.",
    verdict: "T N B S",
    variants: {
      abstract: { when: "the declared type is abstract", verdict: "S N B S" },
      refused: { when: "the declared type still has other derived types", verdict: "S N B S", direction: "input" },
    },
    reason: `The new reader reads a value of the derived type as the declared type. ${refusedTypesText}`,
    strictPeers: "A validating reader refuses the value.",
    oppositeRule: "derived-type-added",
  },
  {
    id: "type-became-abstract",
    kind: "exchange",
    title: "A type became abstract.",
    verdict: "S N B S",
    variants: { alone: { when: "no other type is derived from the type", verdict: "T N N N" } },
    reason: "The new reader refuses a value of the type itself, unless no other type is derived from the type.",
    strictPeers: abstractValuesText,
    oppositeRule: "type-became-concrete",
  },
  {
    id: "type-became-concrete",
    kind: "exchange",
    title: "A type is no longer abstract.",
    verdict: "N S N S",
    variants: { alone: { when: "no other type is derived from the type", verdict: "N T N N" } },
    reason: "If other types are derived from the type, an old reader refuses a value of the type itself.",
    strictPeers: abstractValuesText,
    oppositeRule: "type-became-abstract",
  },
  {
    id: "wildcard-opened",
    kind: "exchange",
    title: "The schema now allows elements or attributes that it does not declare.",
    verdict: "N T N N",
    reason: "An old reader ignores the additional elements and attributes.",
    rest: {
      title: "The schema now allows members that it does not list.",
      reason: "The types of the old version do not contain such members.",
    },
    strictPeers: unknownMembersText,
    oppositeRule: "wildcard-closed",
  },
  {
    id: "wildcard-closed",
    kind: "exchange",
    title: "The schema no longer allows elements or attributes that it does not declare.",
    verdict: "T N B B",
    reason: "The new reader ignores elements and attributes that the schema does not declare.",
    rest: {
      title: "The schema no longer allows members that it does not list.",
      reason:
        "The types of the new version do not contain such members, so code that uses them no longer compiles. Objects of the old version may contain them.",
    },
    strictPeers: unknownMembersText,
    oppositeRule: "wildcard-opened",
  },
  {
    id: "wildcard-widened",
    kind: "exchange",
    title: "A wildcard allows more elements or attributes.",
    verdict: "N T N N",
    reason: "An old reader ignores elements and attributes that its wildcard does not allow.",
    strictPeers: validatingText,
    oppositeRule: "wildcard-narrowed",
  },
  {
    id: "wildcard-narrowed",
    kind: "exchange",
    title: "A wildcard allows fewer elements or attributes.",
    verdict: "T N N N",
    reason: "The new reader ignores elements and attributes that its wildcard does not allow.",
    strictPeers: validatingText,
    oppositeRule: "wildcard-widened",
  },
  {
    id: "wildcard-changed",
    kind: "exchange",
    title: "A wildcard allows different elements or attributes.",
    verdict: "T T N N",
    reason: "Each reader ignores elements and attributes that its wildcard does not allow.",
    strictPeers: validatingText,
  },
  {
    id: "mixed-changed",
    kind: "exchange",
    title: "Text between elements is now allowed, or no longer allowed.",
    verdict: "T T B B",
    variants: {
      restricted: { when: `only the new version allows text, and ${restrictedText}`, verdict: "T S B B" },
      restrictedNow: { when: `only the old version allows text, and ${restrictedText}`, verdict: "S T B B" },
    },
    reason:
      "A reader whose schema does not allow the text ignores it. A reader of content with text accepts any number of elements. In generated types, content with text between elements is an array.",
    strictPeers: validatingText,
  },
] as const satisfies readonly Rule[];
