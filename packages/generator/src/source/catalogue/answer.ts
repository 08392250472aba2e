import type { CatalogueEntry } from "./entry.js";

/** Codes ANSnnn: stable once released. */
export const answerCatalogue = {
  ANS001: {
    kind: "answer.untyped",
    cause: "No schema says what some endpoints answer: their calls resolve to any JSON.",
    fix: "Save the index with its schemas (?context=help), or name JSON Schemas under `responses` in bothends.json.",
  },
  ANS002: {
    kind: "unsupported.schema-keyword",
    cause: "A schema of answers has a keyword that types cannot be made from.",
    fix: "Say it with type, properties, required, items, enum, oneOf, anyOf, additionalProperties and $ref.",
  },
  ANS003: {
    kind: "answer.bounds",
    cause: "A schema bounds values in ways that types do not say, and that answers are not checked for.",
    fix: "Nothing to do.",
  },
  ANS004: {
    kind: "answer.unknown-keyword",
    cause: "A schema has a member that is no keyword of JSON Schema; it is left aside.",
    fix: "Correct or remove it.",
  },
  ANS005: {
    kind: "answer.required",
    cause: "`required` names a member that `properties` does not have.",
    fix: "Add the property, or correct the name.",
  },
  ANS006: {
    kind: "answer.reference",
    cause: "A reference leads to no schema.",
    fix: "Write a JSON pointer to a place in the document: #/$defs/name.",
  },
  ANS007: {
    kind: "answer.unusable",
    cause: "The schema that the index has for a route cannot be used; what its endpoints answer has no type.",
    fix: "Nothing to do; name a JSON Schema under `responses` in bothends.json to have one.",
  },
  ANS008: {
    kind: "responses.unknown",
    cause: "`responses` speaks of an operation, a group of operations or a route that the interface does not have.",
    fix: "Write an operation (core.blocks.get), a group (core.blocks), a route of the index, or a method and a route.",
  },
  ANS009: {
    kind: "responses.twice",
    cause: "`responses` says twice, in two ways, what an operation answers.",
    fix: "Keep one of the two. One operation's entry goes before that of its group.",
  },
  ANS010: {
    kind: "answer.circular",
    cause: "A schema is nothing but references that lead back to it: no value can be told by it.",
    fix: "Let one of the references be inside a property or an item, or say what the value is.",
  },
} as const satisfies Record<`ANS${string}`, CatalogueEntry>;
