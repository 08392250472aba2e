import type { CatalogueEntry } from "./entry.js";

/** Codes CFGnnn: stable once released. */
export const configCatalogue = {
  CFG001: {
    kind: "config.syntax",
    cause: "The configuration is not JSON. Comments are allowed, trailing commas are not.",
    fix: "Correct the text at the place shown.",
  },
  CFG002: {
    kind: "config.duplicate-key",
    cause: "One object has two members of the same name.",
    fix: "Keep one of the two.",
  },
  CFG003: {
    kind: "config.unknown-key",
    cause: "A member has a name that means nothing here.",
    fix: "Correct or remove it. The JSON Schema of bothends.json lists the names for editors.",
  },
  CFG004: {
    kind: "config.missing-key",
    cause: "A member that is needed is absent.",
    fix: "Add the member that the message names.",
  },
  CFG005: {
    kind: "config.type",
    cause: "A member has a value of the wrong kind.",
    fix: "Write the kind of value that the message names.",
  },
  CFG006: {
    kind: "config.path",
    cause: "A path is not a relative path inside the root, or one that not every file system can hold.",
    fix: "Write a path relative to bothends.json with / between its steps; --root names a wider root.",
  },
  CFG007: {
    kind: "config.package-name",
    cause: "A generated package needs a name that npm accepts.",
    fix: "Use lower-case letters, digits, - . _ and at most one scope: @scope/name.",
  },
  CFG008: {
    kind: "config.interface-name",
    cause: "An interface's name becomes a folder and an import path.",
    fix: "Begin with a lower-case letter; go on with letters, digits and hyphens, at most 64 characters.",
  },
  CFG009: {
    kind: "config.collision",
    cause: "Two generated packages, or interfaces, would get in each other's way.",
    fix: "Give each its own folder and its own name.",
  },
  CFG010: {
    kind: "config.nothing",
    cause: "There is nothing to generate from.",
    fix: "Name at least one interface, with its WSDLs or its index.",
  },
  CFG011: {
    kind: "config.interface-kind",
    cause: "An interface is either SOAP, from WSDLs, or REST, from an index.",
    fix: 'Give exactly one of "wsdl" and "index".',
  },
  CFG012: {
    kind: "config.base",
    cause: "The REST base and what is said of its variables do not fit.",
    fix: 'Write the base as "/{variable}/path", and give every variable its values.',
  },
  CFG013: {
    kind: "config.repeated",
    cause: "A list names the same thing twice.",
    fix: "Remove one of the two.",
  },
  CFG014: {
    kind: "limit.configChars",
    cause: "The configuration is larger, or nested deeper, than any configuration needs to be.",
    fix: "Leave out what no interface needs.",
  },
  CFG015: {
    kind: "config.option-name",
    cause:
      "An argument that a client holds, or a variable of a base path, has the name of an option that every client has.",
    fix: "Pass the argument with each call instead; give the variable another name.",
  },
} as const satisfies Record<`CFG${string}`, CatalogueEntry>;
