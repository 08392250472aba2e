import { type Direction, type Rule, toReaders, unknownMembersText, unknownNamesText } from "./rule.js";

const optionalMemberCondition = "the member is optional";
/** When a member is required that belongs to a group or to a branch of a choice. */
export const inGroupText = "in messages with its group or its branch of a choice";

/**
 * Creates the variants for a member whose name in messages changed, or that became an attribute or an element. `code`
 * is the last two letters of each verdict: the levels for callers and handlers. The variants apply to both directions
 * unless one is given.
 */
function createOtherNameVariants<Code extends "N N" | "B B">(code: Code, direction?: Direction) {
  const only = direction === undefined ? {} : { direction };
  return {
    optional: { when: optionalMemberCondition, verdict: `T T ${code}`, ...only },
    requiredNow: { when: "only the new version requires the member", verdict: `B T ${code}`, ...only },
    requiredBefore: { when: "only the old version requires the member", verdict: `T B ${code}`, ...only },
    inGroup: { when: `both versions require the member only ${inGroupText}`, verdict: `S S ${code}`, ...only },
    inGroupNow: {
      when: `only the new version requires the member, and only ${inGroupText}`,
      verdict: `S T ${code}`,
      ...only,
    },
    inGroupBefore: {
      when: `only the old version requires the member, and only ${inGroupText}`,
      verdict: `T S ${code}`,
      ...only,
    },
    requiredNowInGroupBefore: {
      when: `the old version requires the member only ${inGroupText}, and the new version always`,
      verdict: `B S ${code}`,
      ...only,
    },
    requiredBeforeInGroupNow: {
      when: `the new version requires the member only ${inGroupText}, and the old version always`,
      verdict: `S B ${code}`,
      ...only,
    },
  } as const;
}

/**
 * Rules about the names of members in messages, and whether members are elements or attributes. `Verdict` in `rule.ts`
 * explains the letters of verdicts.
 */
export const memberNameRules = [
  {
    id: "member-renamed",
    kind: "exchange",
    title: "A member was probably renamed.",
    verdict: "B B B B",
    variants: createOtherNameVariants("B B"),
    reason: [
      toReaders("Each reader ignores the name that it does not know, and misses the name that it expects."),
      "The diff infers the rename from the type, the position and the name.",
    ],
    strictPeers: unknownMembersText,
  },
  {
    id: "member-moved",
    kind: "exchange",
    title: "A member was probably moved to another type.",
    verdict: "B B B B",
    variants: createOtherNameVariants("B B"),
    reason: [
      toReaders("Each reader ignores the member in one type, and misses it in the other."),
      "The diff infers the move from the name and the type of the member.",
    ],
    strictPeers: unknownMembersText,
  },
  {
    id: "member-namespace-changed",
    kind: "exchange",
    title: "The namespace of a member changed.",
    verdict: "B B N N",
    variants: {
      ...createOtherNameVariants("N N", "input"),
      optionalInAnswer: {
        when: "the member is an element that answers need not contain",
        verdict: "S S N N",
        direction: "output",
      },
      mixed: { when: "the member is in mixed content", verdict: "T T N N", direction: "output" },
      optionalAttribute: { when: "the member is an optional attribute", verdict: "T T N N", direction: "output" },
      requiredNowAttribute: {
        when: "the member is an attribute that only the new version requires",
        verdict: "B T N N",
        direction: "output",
      },
      requiredBeforeAttribute: {
        when: "the member is an attribute that only the old version requires",
        verdict: "T B N N",
        direction: "output",
      },
      header: { when: "the member is a header, which a peer that does not know it ignores", verdict: "T T N N" },
    },
    reason:
      "The namespace is part of the member's name in messages. A server ignores an unknown member. A client ignores an unknown attribute, and any unknown element in mixed content. It refuses an answer with another element of another namespace, unless the client tolerates other namespaces.",
    strictPeers: unknownMembersText,
  },
  {
    id: "declaration-moved",
    kind: "exchange",
    title: "A declaration moved to another namespace.",
    verdict: "B B N N",
    variants: {
      derived: {
        when: "answers contain the name of the type, because it is derived from another type",
        title: "A type moved to another namespace.",
        verdict: "T T N N",
        direction: "output",
      },
      derivedInRequests: {
        when: "requests contain the name of the type, because it is derived from another type",
        title: "A type moved to another namespace.",
        verdict: "S S N N",
        direction: "input",
      },
      derivedOfAbstract: {
        when: "messages contain the name of the type, because it is derived from an abstract type",
        title: "A type moved to another namespace.",
        verdict: "S S N N",
      },
      encoded: {
        when: "only encoded messages contain the namespace of the type",
        title: "A type moved to another namespace.",
        verdict: "T T N N",
      },
      type: { title: "A type moved to another namespace.", verdict: "B B N N" },
      element: { title: "An element moved to another namespace.", verdict: "B B N N" },
      attribute: { title: "An attribute moved to another namespace.", verdict: "B B N N" },
    },
    reason:
      "The namespace is part of the names in messages, and a peer of the other version does not know the names. The consequences for clients are the worst among the changed names. Names inside an element whose name changed do not count.",
    strictPeers: unknownNamesText,
  },
  {
    id: "member-element-to-attribute",
    kind: "exchange",
    title: "An element became an attribute.",
    verdict: "B B N N",
    variants: createOtherNameVariants("N N"),
    reason:
      "A reader that expects an element does not read an attribute, and vice versa. An optional member is lost without an error.",
    oppositeRule: "member-attribute-to-element",
  },
  {
    id: "member-attribute-to-element",
    kind: "exchange",
    title: "An attribute became an element.",
    verdict: "B B N N",
    variants: createOtherNameVariants("N N"),
    reason:
      "A reader that expects an element does not read an attribute, and vice versa. An optional member is lost without an error.",
    oppositeRule: "member-element-to-attribute",
  },
] as const satisfies readonly Rule[];
