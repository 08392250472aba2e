import {
  type Rule,
  readInOrderText,
  restAbsence,
  restMembers,
  sentAsText,
  toNewReader,
  toOldReader,
  toReaders,
  toReadingCode,
  toWritingCode,
  unknownMembersText,
  type Verdict,
  validatingText,
} from "./rule.js";

const sameMessagesText =
  "the messages are the same in both versions, because the group that contains the member repeats";
const sameGroupText = "a group of elements repeats in only one version, but the messages are the same in both versions";
/** Creates the variant for a repeated group that readers do not require. */
const createEmptiable = <V extends Verdict>(verdict: V, title?: string) => ({
  when: "the member is a repeated group that may have no elements",
  ...(title !== undefined && { title }),
  verdict,
});
const formatNilCondition = (version: "old" | "new") =>
  `readers of the ${version} version treat nil as empty text or an absent member`;
const neverNilText =
  "the element contains the result of calls, so generated servers always send the element, and code does not see it";
const otherNameText = "the member has another name as well, so readers of the other version do not read its elements";
const severalElementsText =
  "If a message has several elements but the reader expects one, a client refuses the answer. A server uses only the first element, so the others are lost; it refuses the request if it reads the elements in order.";
const lastMemberText =
  "the type keeps no member, so code that writes the member compiles, but throws an error when it runs";

const sameNameText =
  "readers of the other version read its element as another one with the same name, which may occur only once";

const refusedText = "the schema of the version without the member refuses members that it does not list";
const inContextText = "answers for some values of the argument `context` contain the member";
const inEveryContextText = "answers for all values of the argument `context` contain the member";
const addedInContext = {
  title: "A member was added to the answers for certain contexts.",
  reason: [
    toNewReader(
      "In a context whose answers contain the member, the type of new clients requires it, but old answers lack it.",
    ),
    toWritingCode("Code of handlers that builds the object for such a context must add the member."),
  ],
};

/**
 * Rules about the members of types: elements, attributes, content models. `Verdict` in `rule.ts` explains the letters
 * of verdicts.
 */
export const memberRules = [
  {
    id: "member-added-required",
    kind: "exchange",
    title: "A required member was added.",
    verdict: "B T B N",
    variants: {
      sameName: {
        when: sameNameText,
        title: "A required member was added, and another element has the same name.",
        verdict: "B S B N",
      },
      refused: {
        when: refusedText,
        verdict: "B B B N",
        direction: "input",
        reason: ["The server of the old version refuses the member."],
      },
      group: {
        when: "the member belongs to a group that may be absent",
        title: "A required member was added to a group that may be absent.",
        verdict: "S T S N",
        reason: [
          toWritingCode(
            "In code, the member is optional. Code that writes only other members of the group compiles, but throws an error when it runs.",
          ),
        ],
      },
      branch: {
        when: "the member belongs to a branch of a choice",
        title: "A required member was added to a branch of a choice.",
        verdict: "S T B N",
      },
      emptiable: createEmptiable("N T B N", "A repeated group that may have no elements was added."),
      any: {
        when: "the member is a wildcard",
        title: "An element that the schema does not declare is now required.",
        verdict: "B T B N",
      },
      choice: {
        when: "the member belongs to a required choice, and the old version has no member of this choice",
        title: "A required choice was added.",
        verdict: "B T B N",
      },
    },
    reason: [
      toNewReader("An old writer omits the member, and the new reader requires it."),
      toOldReader(
        "If another element has the same name, an old reader reads the member as this element, which may occur only once.",
        "An old reader ignores the member.",
      ),
    ],
    rest: {
      reason: [
        toNewReader("An old writer omits the member, and the new reader requires it."),
        { effects: "oldReader", tolerated: "An old reader ignores the member." },
      ],
    },
    strictPeers: unknownMembersText,
    oppositeRule: "member-removed-required",
  },
  {
    id: "member-removed-required",
    kind: "exchange",
    title: "A required member was removed.",
    verdict: "T B B B",
    variants: {
      sameName: {
        when: sameNameText,
        title: "A required member was removed, and another element has the same name.",
        verdict: "S B B B",
      },
      last: { when: lastMemberText, verdict: "T B S B" },
      refused: {
        when: refusedText,
        verdict: "B B B B",
        direction: "input",
        reason: ["The server of the new version refuses the member."],
      },
      group: {
        when: "the member belonged to a group that may be absent",
        title: "A required member was removed from a group that may be absent.",
        verdict: "T S B B",
      },
      branch: {
        when: "the member belonged to a branch of a choice",
        title: "A required member was removed from a branch of a choice.",
        verdict: "T S B B",
      },
      emptiable: createEmptiable("T N B B", "A repeated group that may have no elements was removed."),
      any: {
        when: "the member was a wildcard",
        title: "An element that the schema does not declare is no longer required or allowed.",
        verdict: "T B B B",
      },
      choice: {
        when: "the member belonged to a required choice, and the new version has no member of this choice",
        title: "A required choice was removed.",
        verdict: "T B B B",
      },
    },
    reason: [
      toNewReader(
        "If another element has the same name, the new reader reads the member as this element, which may occur only once.",
        "The new reader ignores the member.",
      ),
      toOldReader("A new writer omits the member, and an old reader requires it."),
    ],
    rest: {
      reason: [
        { effects: "newReader", tolerated: "The new reader ignores the member." },
        toOldReader("A new writer omits the member, and an old reader requires it."),
      ],
    },
    strictPeers: unknownMembersText,
    oppositeRule: "member-added-required",
  },
  {
    id: "member-added-optional",
    kind: "exchange",
    title: "An optional member was added.",
    verdict: "N T N N",
    variants: {
      sameName: {
        when: sameNameText,
        title: "An optional member was added, and another element has the same name.",
        verdict: "N S N N",
      },
      refused: {
        when: refusedText,
        verdict: "N S N N",
        direction: "input",
        reason: ["The server of the old version refuses the member."],
      },
      inContext: { ...addedInContext, when: inContextText, verdict: "S T S N", direction: "output" },
      inEveryContext: { ...addedInContext, when: inEveryContextText, verdict: "S T B N", direction: "output" },
    },
    reason: [
      toOldReader(
        "If another element has the same name, an old reader reads the member as this element, which may occur only once.",
        "An old reader ignores the member, so its value is lost.",
      ),
    ],
    rest: restMembers,
    strictPeers: unknownMembersText,
    oppositeRule: "member-removed-optional",
  },
  {
    id: "member-removed-optional",
    kind: "exchange",
    title: "An optional member was removed.",
    verdict: "T N B B",
    variants: {
      last: { when: lastMemberText, verdict: "T N S B" },
      sameName: {
        when: sameNameText,
        title: "An optional member was removed, and another element has the same name.",
        verdict: "S N B B",
      },
      refused: {
        when: refusedText,
        verdict: "S N B B",
        direction: "input",
        reason: ["The server of the new version refuses the member."],
      },
      inContext: {
        when: inContextText,
        title: "A member was removed from the answers for certain contexts.",
        verdict: "T S S B",
        direction: "output",
        reason: [
          toOldReader(
            "In a context whose answers contained the member, the type of old clients requires it, but new answers lack it.",
          ),
        ],
      },
    },
    reason: [
      toNewReader(
        "If another element has the same name, the new reader reads the member as this element, which may occur only once.",
        "The new reader ignores the member, so its value is lost.",
      ),
    ],
    rest: restMembers,
    strictPeers: unknownMembersText,
    oppositeRule: "member-added-optional",
  },
  {
    id: "member-added-nillable",
    kind: "exchange",
    title: "A required member that may be nil was added.",
    verdict: "T T B N",
    reason: [
      { effects: "newReader", tolerated: "The new reader reads an absent member as nil." },
      toOldReader(
        "If another element has the same name, an old reader reads the member as this element, which may occur only once.",
        "An old reader ignores the member.",
      ),
    ],
    strictPeers: "A validating reader refuses a message without the member.",
    oppositeRule: "member-removed-nillable",
  },
  {
    id: "member-removed-nillable",
    kind: "exchange",
    title: "A required member that may be nil was removed.",
    verdict: "T T B B",
    variants: { last: { when: lastMemberText, verdict: "T T S B" } },
    reason: [
      toNewReader(
        "If another element has the same name, the new reader reads the member as this element, which may occur only once.",
        "The new reader ignores the member.",
      ),
      { effects: "oldReader", tolerated: "An old reader reads an absent member as nil." },
    ],
    strictPeers: "A validating reader refuses a message without the member.",
    oppositeRule: "member-added-nillable",
  },
  {
    id: "member-became-required",
    kind: "exchange",
    title: "An optional member became required.",
    verdict: "S N B N",
    variants: {
      nillable: { when: "the member may be nil, so readers treat an absent member as nil", verdict: "T N B N" },
      repeated: { when: "the member is a list", verdict: "S N B N" },
      group: {
        when: "only a group that may be absent requires the member",
        title: "A member is now required if other members of its group are present.",
        verdict: "S N S N",
        reason: [
          toWritingCode(
            "In code, the member is optional in both versions. Code that writes only other members of the group compiles, but throws an error when it runs.",
          ),
        ],
      },
      emptiable: createEmptiable("N N B N", "The list of a repeated group is now required in code."),
      sameMessages: { when: sameMessagesText, verdict: "N N B N" },
    },
    reason: [
      toNewReader(
        "The new reader refuses a message without the member.",
        "The new reader reads an absent member as nil.",
      ),
    ],
    oppositeRule: "member-became-optional",
  },
  {
    id: "member-became-optional",
    kind: "exchange",
    title: "A required member became optional.",
    verdict: "N S N B",
    variants: {
      nillable: { when: "the member may be nil, so readers treat an absent member as nil", verdict: "N T N B" },
      repeated: { when: "the member is a list", verdict: "N S N B" },
      group: {
        when: "only a group that may be absent required the member",
        title: "A member is no longer required if other members of its group are present.",
        verdict: "N S N N",
      },
      emptiable: createEmptiable("N N N B", "The list of a repeated group is now optional in code."),
      sameMessages: { when: sameMessagesText, verdict: "N N N B" },
    },
    reason: [
      toOldReader(
        "An old reader refuses a message without the member.",
        "An old reader reads an absent member as nil.",
      ),
      toReadingCode("Code that reads the member must handle its absence."),
    ],
    rest: { reason: [toOldReader("An old reader refuses a message without the member."), restAbsence] },
    oppositeRule: "member-became-required",
  },
  {
    id: "member-became-nillable",
    kind: "exchange",
    title: "A member may now be nil.",
    verdict: "N S N B",
    variants: {
      tolerated: { when: formatNilCondition("old"), verdict: "N T N B" },
      wrapper: { when: neverNilText, verdict: "N N N N", direction: "output" },
      text: { when: `${sentAsText} old type accepts any text`, verdict: "N N N B" },
    },
    reason: [
      toOldReader(
        "An old reader does not expect nil.",
        "An old reader reads nil as empty text or as an absent member.",
      ),
      toReadingCode("Code that reads the member must handle null."),
    ],
    rest: {
      title: "A value may now be null.",
      reason: [
        toOldReader(
          "An old reader does not expect null.",
          "An old reader accepts null, but may read it as another value.",
        ),
        toReadingCode("Code that reads the value must handle null."),
      ],
    },
    strictPeers: validatingText,
    oppositeRule: "member-became-not-nillable",
  },
  {
    id: "member-became-not-nillable",
    kind: "exchange",
    title: "A member may no longer be nil.",
    verdict: "S N B N",
    variants: {
      tolerated: { when: formatNilCondition("new"), verdict: "T N B N" },
      wrapper: { when: neverNilText, verdict: "N N N N", direction: "output" },
      text: { when: `${sentAsText} new type accepts any text`, verdict: "N N B N" },
    },
    reason: [
      toNewReader(
        "An old writer may send nil, which the new reader does not expect.",
        "An old writer may send nil, which the new reader reads as empty text or as an absent member.",
      ),
    ],
    rest: {
      title: "A value may no longer be null.",
      reason: [
        toNewReader(
          "An old writer may send null, which the new reader does not expect.",
          "An old writer may send null, which the new reader accepts, but may read as another value.",
        ),
      ],
    },
    strictPeers: validatingText,
    oppositeRule: "member-became-nillable",
  },
  {
    id: "member-became-repeated",
    kind: "exchange",
    title: "A member became a list.",
    verdict: "N S B B",
    variants: {
      list: { when: "the old member already had an xs:list type with the same items", verdict: "S S N N" },
      listOfTexts: {
        when: "the old member already had an xs:list type whose items may be any text, such as xs:string",
        verdict: "T S N N",
      },
      renamed: { when: otherNameText, verdict: "N N B B" },
      sameMessages: { when: sameMessagesText, verdict: "N N B B" },
    },
    reason: [toReaders(severalElementsText), "In generated types, the member becomes an array."],
    oppositeRule: "member-became-single",
  },
  {
    id: "member-became-single",
    kind: "exchange",
    title: "A list became a single member.",
    verdict: "S N B B",
    variants: {
      list: { when: "the new member has an xs:list type with the same items", verdict: "S S N N" },
      listOfTexts: {
        when: "the new member has an xs:list type whose items may be any text, such as xs:string",
        verdict: "S T N N",
      },
      renamed: { when: otherNameText, verdict: "N N B B" },
      sameMessages: { when: sameMessagesText, verdict: "N N B B" },
    },
    reason: [toReaders(severalElementsText), "In generated types, the member becomes a single value."],
    oppositeRule: "member-became-repeated",
  },
  {
    id: "member-occurs-narrowed",
    kind: "exchange",
    title: "The allowed number of elements was narrowed.",
    verdict: "T N N N",
    variants: {
      group: { when: readInOrderText, verdict: "S N N N" },
      single: { when: "a group of elements no longer repeats", verdict: "S N B B" },
      emptiable: createEmptiable("N N N N"),
      sameMessages: { when: sameMessagesText, verdict: "N N N N" },
      sameSingle: { when: sameGroupText, verdict: "N N B B" },
    },
    reason:
      "Generated readers also accept a list that is longer or shorter than the new schema allows, unless they read the elements in order.",
    strictPeers: validatingText,
    oppositeRule: "member-occurs-widened",
  },
  {
    id: "member-occurs-widened",
    kind: "exchange",
    title: "The allowed number of elements was widened.",
    verdict: "N T N N",
    variants: {
      group: { when: readInOrderText, verdict: "N S N N" },
      single: { when: "a group of elements did not repeat", verdict: "N S B B" },
      emptiable: createEmptiable("N N N N"),
      sameMessages: { when: sameMessagesText, verdict: "N N N N" },
      sameSingle: { when: sameGroupText, verdict: "N N B B" },
    },
    reason:
      "Generated readers also accept a list that is longer or shorter than the old schema allows, unless they read the elements in order.",
    strictPeers: validatingText,
    oppositeRule: "member-occurs-narrowed",
  },
  {
    id: "member-key-changed",
    kind: "exchange",
    title: "The name of a member changed in generated code.",
    verdict: "N N B B",
    reason:
      "Messages do not contain names of generated code. The name of a member depends on other members with the same name, and that of a group of elements on the kind of the group.",
  },
  {
    id: "member-contexts-changed",
    kind: "exchange",
    title: "The values of `context` for which answers contain a member changed.",
    verdict: "T T N N",
    variants: {
      optionalNow: {
        when: "callers can request the removed context, or the old answers contain the member in each context",
        verdict: "T S S B",
      },
      requiredNow: { when: "only the new answers contain the member in each context", verdict: "S T B N" },
      added: {
        when: "callers can request the added context, but the new answers do not contain the member in each context",
        verdict: "S T S N",
      },
      moved: { when: "callers can request the removed and the added context", verdict: "S S S B" },
    },
    reason: [
      "If the new list lacks a context, answers in this context no longer contain the member. If it has an additional context, old answers in this context do not contain the member.",
      toReaders("In a context whose answers contain the member, the types of clients require it."),
      toReaders(
        "The type of a member without a list is optional, but servers send the member in every context, so programs may depend on it.",
      ),
      toWritingCode(
        "Code of handlers that builds the object for a certain context no longer compiles if answers for this context lost the member or now require it.",
      ),
    ],
  },
] as const satisfies readonly Rule[];
