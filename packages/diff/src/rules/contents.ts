import {
  elementOrderText,
  type Rule,
  readInOrderText,
  toNewReader,
  toOldReader,
  toReadingCode,
  toWritingCode,
} from "./rule.js";

const partialGroupText = toWritingCode(
  "In code, the members of the group are optional in both versions. Code that writes only other members of the outer group compiles, but throws an error when it runs.",
);

const nillableGroupText = "each member that the group requires may be nil, so readers treat an absent member as nil";

/** Rules about the combinations of elements in a type: sequences, choices and groups. */
export const contentRules = [
  {
    id: "sequence-order-changed",
    kind: "exchange",
    title: "The order of the elements in a sequence changed.",
    verdict: "T T N N",
    variants: {
      group: { when: readInOrderText, verdict: "S S N N" },
      required: { when: `${readInOrderText}, and the order of two required elements changed`, verdict: "B B N N" },
    },
    reason:
      "Elements are read by name, in any order, unless a group of elements repeats or two elements have the same name.",
    strictPeers: elementOrderText,
  },
  {
    id: "sequence-to-all",
    kind: "exchange",
    title: "Elements may now be in any order.",
    verdict: "N T N N",
    reason: "Elements are read by name, in any order.",
    strictPeers: elementOrderText,
    oppositeRule: "all-to-sequence",
  },
  {
    id: "all-to-sequence",
    kind: "exchange",
    title: "Elements must now be in a fixed order.",
    verdict: "T N N N",
    reason: "Elements are read by name, in any order.",
    strictPeers: elementOrderText,
    oppositeRule: "sequence-to-all",
  },
  {
    id: "sequence-to-choice",
    kind: "exchange",
    title: "A sequence became a choice.",
    verdict: "B B B B",
    variants: {
      optional: { when: "all members of the sequence were optional", verdict: "S N B N" },
      single: { when: "only one member of the sequence was required", verdict: "S S B B" },
      absent: { when: "the sequence was optional", verdict: "S S B N" },
    },
    reason:
      "A writer of the sequence sends all members, a writer of the choice only one. The diff compares the combinations of members to find the consequences for clients.",
    oppositeRule: "choice-to-sequence",
  },
  {
    id: "choice-to-sequence",
    kind: "exchange",
    title: "A choice became a sequence.",
    verdict: "B B B S",
    variants: {
      optional: { when: "all members of the sequence are optional now", verdict: "N S N S" },
      single: { when: "only one member of the sequence is required now", verdict: "S S B S" },
      absent: { when: "the sequence is optional", verdict: "S S N S" },
    },
    reason: [
      "A writer of the sequence sends all members, a writer of the choice only one. The diff compares the combinations of members to find the consequences for clients.",
      toReadingCode(
        "Code that concludes from one member that another one is absent or present no longer compiles. Code that reads each member separately compiles.",
      ),
    ],
    oppositeRule: "sequence-to-choice",
  },
  {
    id: "choice-branch-added",
    kind: "exchange",
    title: "A choice gained a branch.",
    verdict: "N S N S",
    variants: {
      optional: { when: "the choice may be absent", verdict: "N T N N" },
      single: { when: "an optional member became an optional choice", verdict: "N T S N" },
      repeated: { when: "the choice repeats and may be absent", verdict: "N T N S" },
    },
    reason: [
      toOldReader(
        "An old reader ignores the new branch, and refuses the message, because the choice requires one of the old branches.",
        "An old reader ignores the new branch.",
      ),
    ],
    oppositeRule: "choice-branch-removed",
  },
  {
    id: "choice-branch-removed",
    kind: "exchange",
    title: "A choice lost a branch.",
    verdict: "S N B S",
    variants: {
      optional: { when: "the choice may be absent", verdict: "T N B S" },
      single: { when: "an optional choice became an optional member", verdict: "T N B S" },
      repeated: { when: "the choice repeats and may be absent", verdict: "T N B S" },
    },
    reason: [
      toNewReader(
        "The new reader ignores the removed branch, and refuses the message, because the choice requires one of the remaining branches.",
        "The new reader ignores the removed branch.",
      ),
    ],
    oppositeRule: "choice-branch-added",
  },
  {
    id: "group-became-optional",
    kind: "exchange",
    title: "A group of members became optional.",
    verdict: "N S N B",
    variants: {
      nested: { when: "only a group that may be absent required the group", verdict: "N S N N" },
      nillable: { when: nillableGroupText, verdict: "N T N B" },
      nestedNillable: {
        when: `only a group that may be absent required the group, and ${nillableGroupText}`,
        verdict: "N T N N",
      },
      choice: { when: "the group is a choice, so code already handles that a member is absent", verdict: "N S N S" },
    },
    reason: [
      toOldReader(
        "An old reader refuses a message without the group.",
        "An old reader reads the absent members of the group as nil.",
      ),
    ],
    oppositeRule: "group-became-required",
  },
  {
    id: "group-became-required",
    kind: "exchange",
    title: "A group of members became required.",
    verdict: "S N B N",
    variants: {
      nested: {
        when: "only a group that may be absent requires the group",
        verdict: "S N S N",
        reason: [partialGroupText],
      },
      nillable: { when: nillableGroupText, verdict: "T N B N" },
      nestedNillable: {
        when: `only a group that may be absent requires the group, and ${nillableGroupText}`,
        verdict: "T N N N",
      },
    },
    reason: [
      toNewReader(
        "The new reader refuses a message without the group.",
        "The new reader reads the absent members of the group as nil.",
      ),
    ],
    oppositeRule: "group-became-optional",
  },
  {
    id: "content-model-changed",
    kind: "exchange",
    title: "The same members are grouped differently.",
    verdict: "S S S S",
    variants: { group: { when: "a group of elements repeats", verdict: "S S B B" } },
    reason:
      "Some combinations of members are valid in only one version. The diff compares the combinations to find the consequences for clients.",
    undecided:
      "the content models allow too many combinations to compare, or contain wildcards or nested groups; check whether the elements that one side sends are valid in the other version",
  },
] as const satisfies readonly Rule[];
