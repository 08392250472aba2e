import { type Reason, type Rule, toNewReader, toOldReader, toReaders, validatingText } from "./rule.js";

const defaultReason: Reason = [
  toReaders("Old and new peers read an absent attribute, or an empty element, as different values."),
];
/** The texts of the rules about defaults for REST interfaces. */
const restDefaults: Rule["rest"] = {
  reason: [
    toReaders("Old and new servers read an absent argument as different values."),
    "The default of the argument `context` determines the members of answers to requests without this argument.",
  ],
};
/** Variants of the rules about defaults: those that begin with `members` are about answers of REST interfaces. */
const defaultVariants = {
  required: {
    when: "both versions require the value, so messages always contain it",
    verdict: "N N N N",
  },
  requiredNow: { when: "only the new version requires the value", verdict: "T N N N" },
  requiredBefore: { when: "only the old version requires the value", verdict: "N T N N" },
  membersLost: {
    when: "the argument is `context`, and in the new default context, answers lack members",
    verdict: "S T N N",
  },
  membersGained: {
    when: "the argument is `context`, and in the new default context, answers have additional members",
    verdict: "T S N N",
  },
  membersMoved: {
    when: "the argument is `context`, and in the new default context, answers lack members and have others",
    verdict: "S S N N",
  },
} as const;
const fixedValuesText = "Generated servers also accept a different value in requests; a validating server refuses it.";
const absentAttributeText = "the member is an attribute that is optional in both versions";

/** Rules about default and fixed values, and about identity constraints. */
export const defaultRules = [
  {
    id: "default-added",
    kind: "exchange",
    title: "A default value was added.",
    verdict: "T T N N",
    variants: defaultVariants,
    reason: defaultReason,
    rest: restDefaults,
    oppositeRule: "default-removed",
  },
  {
    id: "default-removed",
    kind: "exchange",
    title: "A default value was removed.",
    verdict: "T T N N",
    variants: defaultVariants,
    reason: defaultReason,
    rest: restDefaults,
    oppositeRule: "default-added",
  },
  {
    id: "default-changed",
    kind: "exchange",
    title: "A default value changed.",
    verdict: "T T N N",
    variants: defaultVariants,
    reason: defaultReason,
    rest: restDefaults,
  },
  {
    id: "fixed-added",
    kind: "exchange",
    title: "A member got a fixed value.",
    verdict: "S N N N",
    variants: {
      request: { direction: "input", verdict: "T N N N" },
      absentInRequest: {
        when: absentAttributeText,
        direction: "input",
        verdict: "T T N N",
        reason: "A new reader reads an absent attribute as the fixed value, an old reader as absent.",
      },
      absentInAnswer: {
        when: absentAttributeText,
        direction: "output",
        verdict: "S T N N",
        reason: "A new reader reads an absent attribute as the fixed value, an old reader as absent.",
      },
    },
    reason: [
      toNewReader(
        "A client refuses an answer with a different value, unless the client tolerates different values.",
        "Servers do not compare the value in requests with the fixed one.",
      ),
    ],
    strictPeers: fixedValuesText,
    oppositeRule: "fixed-removed",
  },
  {
    id: "fixed-removed",
    kind: "exchange",
    title: "A member lost its fixed value.",
    verdict: "N S N N",
    variants: {
      request: { direction: "input", verdict: "N T N N" },
      absentInRequest: {
        when: absentAttributeText,
        direction: "input",
        verdict: "T T N N",
        reason: "An old reader reads an absent attribute as the fixed value, a new reader as absent.",
      },
      absentInAnswer: {
        when: absentAttributeText,
        direction: "output",
        verdict: "T S N N",
        reason: "An old reader reads an absent attribute as the fixed value, a new reader as absent.",
      },
    },
    reason: [
      toOldReader(
        "An old client refuses an answer with a different value, unless the client tolerates different values.",
        "Servers do not compare the value in requests with the fixed one.",
      ),
    ],
    strictPeers: fixedValuesText,
    oppositeRule: "fixed-added",
  },
  {
    id: "fixed-changed",
    kind: "exchange",
    title: "The fixed value of a member changed.",
    verdict: "S S N N",
    variants: {
      request: { direction: "input", verdict: "T T N N" },
      required: { when: "both versions require the member", direction: "output", verdict: "B B N N" },
    },
    reason: [
      {
        effects: ["newReader", "oldReader"],
        some: "A client refuses an answer with the other version's value, unless the client tolerates different values.",
        tolerated: "Servers do not compare the value in requests with the fixed one.",
      },
    ],
    strictPeers: fixedValuesText,
  },
  {
    id: "identity-changed",
    kind: "exchange",
    title: "An identity constraint of an element changed (key, unique or keyref).",
    verdict: "T T N N",
    reason: "Readers check identity constraints only if the option `validate` is set.",
    strictPeers: validatingText,
  },
] as const satisfies readonly Rule[];
