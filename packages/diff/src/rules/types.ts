import {
  type Rule,
  sentAsText,
  toNewReader,
  toOldReader,
  toReadingCode,
  unknownMembersText,
  validatingText,
} from "./rule.js";

const abstractValuesText = "A validating reader refuses a value of an abstract type.";
const restrictedText = "its elements are required in the other version, or may occur only once";
const mixedTitle = "Text between elements is now allowed.";
const elementsTitle = "Text between elements is no longer allowed.";
const nillableElementsText = "elements that are all optional or nillable, of which some are required";
const lenientReaderText =
  "A reader of elements that may be absent ignores text, and a reader of text reads an element without content as empty text.";
const orderedUnionText =
  "A reader uses the first member type that accepts the text of a value. If several accept it, old and new peers may read it as different values.";
const derivedReadByNew = toNewReader(
  "Old messages do not name the derived type, so the new reader refuses its values or misses members.",
  "Old messages do not name the derived type, so the new reader reads its values as those of the declared type.",
);
const derivedReadByOld = toOldReader(
  "New messages do not name the derived type, so an old reader refuses its values or misses members.",
  "New messages do not name the derived type, so an old reader reads its values as those of the declared type.",
);
const overlapsReason = [
  toNewReader(
    "The new reader refuses or misreads some values of the old type.",
    "The new reader misreads some values of the old type.",
  ),
  toOldReader(
    "An old reader refuses or misreads some values of the new type.",
    "An old reader misreads some values of the new type.",
  ),
];
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
      union: {
        when: "the type became any type, or a union that contains the old type",
        verdict: "N S N B",
        reason: [
          {
            effects: "newReader",
            tolerated: "The new reader accepts the old values, but may read them as other values.",
          },
        ],
      },
      overlap: {
        when: "an alternative of `oneOf` that accepted values of another alternative was removed",
        title: "An alternative of oneOf that accepted values of another one was removed",
        verdict: "N S N N",
      },
      opened: {
        when: "the old schema refused members that it did not list",
        title: "Members that the schema does not list are now accepted.",
        verdict: "N S B B",
      },
      otherMembers: {
        when: "members that the schema does not list may have more values",
        title: "Members that the schema does not list may have more values.",
        verdict: "N S B B",
      },
      derived: { when: "the old type is derived from the new one", verdict: "T S S B", reason: [derivedReadByNew] },
      derivedOfAbstract: {
        when: "the old type is derived from the new one, which is abstract",
        verdict: "B S B B",
        reason: [derivedReadByNew],
      },
    },
    reason: [
      toOldReader(
        "An old reader refuses the additional values.",
        "An old reader accepts the additional values, but may read them as other values.",
      ),
      codeConditionText,
    ],
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
        reason: [
          {
            effects: "oldReader",
            tolerated: "An old reader accepts the new values, but may read them as other values.",
          },
          toReadingCode(
            "Code that selects one of the values from the former type no longer compiles if it uses a member that only this value has.",
          ),
        ],
      },
      overlap: {
        when: "an added alternative of `oneOf` accepts values of another alternative",
        title: "An added alternative of oneOf accepts values of another one",
        verdict: "S N N N",
      },
      closed: {
        when: "the new schema refuses members that it does not list",
        title: "Members that the schema does not list are no longer accepted.",
        verdict: "S N B B",
      },
      otherMembers: {
        when: "members that the schema does not list may have fewer values",
        title: "Members that the schema does not list may have fewer values.",
        verdict: "S N B B",
      },
      derived: { when: "the new type is derived from the old one", verdict: "S T B S", reason: [derivedReadByOld] },
      derivedOfAbstract: {
        when: "the new type is derived from the old one, which is abstract",
        verdict: "S B B B",
        reason: [derivedReadByOld],
      },
    },
    reason: [
      toNewReader(
        "The new reader refuses the values that are no longer allowed.",
        "The new reader accepts the values that are no longer allowed, but may read them as other values.",
      ),
      codeConditionText,
    ],
    oppositeRule: "type-widened",
  },
  {
    id: "type-overlaps",
    kind: "exchange",
    title: "A type was replaced with another type.",
    verdict: "S S B B",
    reason: [...overlapsReason, codeConditionText],
    rest: {
      reason: [
        ...overlapsReason,
        "For arguments, the diff determines which values clients send: a server converts the text `5` to a number, but refuses a number in place of a text. If a pattern is too complex to compare, the diff reports that calls may break.",
        codeConditionText,
      ],
    },
  },
  {
    id: "type-changed",
    kind: "exchange",
    title: "A type was replaced with one that shares none of its values.",
    verdict: "B B B B",
    variants: {
      array: {
        when: "an object with elements replaces a SOAP array, or the reverse",
        title: "A SOAP array was replaced with an object, or the reverse.",
        verdict: "S S B B",
        reason:
          "A reader of an array reads each element as an item, whatever its name. A reader of an object reads the items if an element of the object has their name.",
      },
      textNow: {
        when: "text that may be empty replaces elements that are all optional, or a SOAP array",
        verdict: "S T B B",
        reason: lenientReaderText,
      },
      textBefore: {
        when: "elements that are all optional, or a SOAP array, replace text that may be empty",
        verdict: "T S B B",
        reason: lenientReaderText,
      },
      empty: {
        when: "text that may be empty replaces a type without elements, or the reverse",
        verdict: "T T B B",
        reason: lenientReaderText,
      },
      valueNow: {
        when: "a value that is not empty replaces elements that are all optional, or a SOAP array",
        verdict: "B T B B",
        reason: lenientReaderText,
      },
      valueBefore: {
        when: "elements that are all optional, or a SOAP array, replace a value that is not empty",
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
    reason: [
      {
        effects: "newReader",
        breaks: "The new reader accepts no value of the old type.",
        some: "The new reader refuses some values of the old type.",
      },
      {
        effects: "oldReader",
        breaks: "An old reader accepts no value of the new type.",
        some: "An old reader refuses some values of the new type.",
      },
      codeConditionText,
    ],
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
    id: "union-member-added",
    kind: "exchange",
    title: "A union gained a member type.",
    verdict: "N S N B",
    variants: { text: { when: `${sentAsText} old type accepts any text`, verdict: "N N N B" } },
    reason: [
      toOldReader(
        "An old reader refuses values of the added type.",
        "An old reader accepts values of the added type, but may read them as other values.",
      ),
      codeConditionText,
    ],
    oppositeRule: "union-member-removed",
  },
  {
    id: "union-member-removed",
    kind: "exchange",
    title: "A union lost a member type.",
    verdict: "S N B S",
    variants: { text: { when: `${sentAsText} new type accepts any text`, verdict: "N N B S" } },
    reason: [
      toNewReader(
        "The new reader refuses values of the removed type.",
        "The new reader accepts values of the removed type, but may read them as other values.",
      ),
      toReadingCode("Code that uses members of the removed type, such as a method of a string, no longer compiles."),
      codeConditionText,
    ],
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
    reason: [
      "Only SOAP-encoded messages contain the name of the type, and generated readers accept other names there.",
      {
        effects: ["writingCode", "readingCode"],
        some: "Code that imports a renamed type by its old name no longer compiles.",
      },
    ],
    strictPeers: "A reader that checks the names of types in encoded messages refuses other names.",
  },
  {
    id: "derived-type-added",
    kind: "exchange",
    title: "A type gained a derived type.",
    verdict: "N T N S",
    variants: {
      abstract: { when: "the declared type was abstract", verdict: "N S N S" },
      refused: { when: "the declared type had other derived types", verdict: "N S N S", direction: "input" },
    },
    reason: [
      toOldReader(
        "An old reader refuses a value of the derived type: the declared type was abstract, or a server knows other derived types.",
        "An old reader reads a value of the derived type as the declared type.",
      ),
    ],
    strictPeers: "A validating reader refuses the value.",
    oppositeRule: "derived-type-removed",
  },
  {
    id: "derived-type-removed",
    kind: "exchange",
    title: "A type lost a derived type.",
    verdict: "T N B S",
    variants: {
      abstract: { when: "the declared type is now abstract", verdict: "S N B S" },
      refused: { when: "the declared type still has other derived types", verdict: "S N B S", direction: "input" },
    },
    reason: [
      toNewReader(
        "The new reader refuses a value of the derived type: the declared type is now abstract, or a server knows other derived types.",
        "The new reader reads a value of the derived type as the declared type.",
      ),
    ],
    strictPeers: "A validating reader refuses the value.",
    oppositeRule: "derived-type-added",
  },
  {
    id: "type-became-abstract",
    kind: "exchange",
    title: "A type became abstract.",
    verdict: "S N B S",
    variants: { alone: { when: "no other type is derived from the type", verdict: "T N N N" } },
    reason: [
      toNewReader(
        "The new reader refuses a value of the type itself.",
        "No other type is derived from the type, so the new reader accepts a value of the type itself.",
      ),
    ],
    strictPeers: abstractValuesText,
    oppositeRule: "type-became-concrete",
  },
  {
    id: "type-became-concrete",
    kind: "exchange",
    title: "A type is no longer abstract.",
    verdict: "N S N S",
    variants: { alone: { when: "no other type is derived from the type", verdict: "N T N N" } },
    reason: [
      toOldReader(
        "An old reader refuses a value of the type itself.",
        "No other type is derived from the type, so an old reader accepts a value of the type itself.",
      ),
    ],
    strictPeers: abstractValuesText,
    oppositeRule: "type-became-abstract",
  },
  {
    id: "wildcard-opened",
    kind: "exchange",
    title: "The schema now allows elements or attributes that it does not declare.",
    verdict: "N T N N",
    variants: {
      elements: {
        when: "the wildcard is for elements",
        title: "The schema now allows elements that it does not declare.",
        verdict: "N T N N",
      },
      attributes: {
        when: "the wildcard is for attributes",
        title: "The schema now allows attributes that it does not declare.",
        verdict: "N T N N",
      },
      listed: {
        when: "the old schema allowed the members too, but did not say so",
        title:
          "The schema now says that it allows members that it does not list, so the type in code contains such members.",
        verdict: "N T N N",
      },
    },
    reason: "An old reader ignores what its schema does not declare.",
    rest: {
      title: "The schema now allows members that it does not list.",
      reason: [
        "The types of the old version do not contain such members.",
        toNewReader(
          "Servers of the old version may send members that its schema does not allow. New clients refuse those whose type does not fit.",
        ),
      ],
    },
    strictPeers: unknownMembersText,
    oppositeRule: "wildcard-closed",
  },
  {
    id: "wildcard-closed",
    kind: "exchange",
    title: "The schema no longer allows elements or attributes that it does not declare.",
    verdict: "T N B B",
    variants: {
      elements: {
        when: "the wildcard was for elements",
        title: "The schema no longer allows elements that it does not declare.",
        verdict: "T N B B",
      },
      attributes: {
        when: "the wildcard was for attributes",
        title: "The schema no longer allows attributes that it does not declare.",
        verdict: "T N B B",
      },
      listed: {
        when: "the new schema allows the members too, but does not say so",
        title:
          "The schema no longer says that it allows members that it does not list, so the type in code does not contain such members.",
        verdict: "T N B B",
      },
    },
    reason: "The new reader ignores what its schema does not declare.",
    rest: {
      title: "The schema no longer allows members that it does not list.",
      reason: [
        "Objects of the old version may contain such members.",
        {
          effects: ["writingCode", "readingCode"],
          some: "The types of the new version do not contain them, so code that uses them no longer compiles.",
        },
        toOldReader(
          "Servers of the new version may send members that its schema does not allow. Old clients refuse those whose type does not fit.",
        ),
      ],
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
      allowed: { when: "only the new version allows text", title: mixedTitle, verdict: "T T B B" },
      refused: { when: "only the old version allows text", title: elementsTitle, verdict: "T T B B" },
      restricted: {
        when: `only the new version allows text, and ${restrictedText}`,
        title: mixedTitle,
        verdict: "T S B B",
      },
      restrictedNow: {
        when: `only the old version allows text, and ${restrictedText}`,
        title: elementsTitle,
        verdict: "S T B B",
      },
    },
    reason:
      "A reader whose schema does not allow the text ignores it. A reader of content with text accepts any number of elements. In generated types, content with text between elements is an array.",
    strictPeers: validatingText,
  },
] as const satisfies readonly Rule[];
