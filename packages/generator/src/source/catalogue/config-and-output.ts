import type { CatalogueEntry } from "./entry.js";

// Problems that bothends.json has or can solve: settings, TypeScript names, published documents.

/** Codes CFGnnn: stable once released. */
export const configCatalogue = {
  CFG001: {
    kind: "config.syntax",
    cause: "The configuration is not valid JSON. Comments are allowed; trailing commas are not.",
    fix: "Correct the text at the position shown.",
  },
  CFG002: {
    kind: "config.duplicate-key",
    cause: "An object has two members with the same name.",
    fix: "Remove one of the two members.",
  },
  CFG003: {
    kind: "config.unknown-key",
    cause: "A member of the configuration has an unknown name.",
    fix: "Correct the name or remove the member. Editors list the allowed names if they use the JSON Schema of bothends.json.",
  },
  CFG004: {
    kind: "config.missing-key",
    cause: "A required member of the configuration is missing.",
    fix: "Add the member that the message names.",
  },
  CFG005: {
    kind: "config.type",
    cause: "A member of the configuration has a value of the wrong kind.",
    fix: "Write a value of the kind that the message names.",
  },
  CFG006: {
    kind: "config.path",
    cause: "A path is not a relative path inside the root, or is not portable to every file system.",
    fix: "Write a path relative to bothends.json, with / between its segments. To use files elsewhere, set a wider root with --root.",
  },
  CFG007: {
    kind: "config.package-name",
    cause: "The name of a generated package is not a valid npm package name.",
    fix: "Use lower-case letters, digits, hyphens, dots and underscores, with at most one scope: @scope/name.",
  },
  CFG008: {
    kind: "config.interface-name",
    cause: "An interface has an invalid name. The name becomes a folder and an import path.",
    fix: "Start with a lower-case letter, then use letters, digits and hyphens; at most 64 characters.",
  },
  CFG009: {
    kind: "config.collision",
    cause: "Two generated packages or two interfaces conflict with each other.",
    fix: "Give each of them a different name and a different folder.",
  },
  CFG010: {
    kind: "config.nothing",
    cause: "The configuration has no interface to generate.",
    fix: "Add at least one interface, with its WSDLs or its index.",
  },
  CFG011: {
    kind: "config.interface-kind",
    cause: 'An interface must be either SOAP ("wsdl") or REST ("index").',
    fix: 'Write exactly one of "wsdl" and "index".',
  },
  CFG012: {
    kind: "config.base",
    cause: "The REST base path and the values of its variables do not match.",
    fix: 'Write the base path as "/{variable}/path", and list the values of every variable.',
  },
  CFG013: {
    kind: "config.repeated",
    cause: "A list contains the same entry twice.",
    fix: "Remove one of the two entries.",
  },
  CFG014: {
    kind: "limit.configChars",
    cause: "The configuration is too large or too deeply nested.",
    fix: "Remove settings that no interface uses.",
  },
  CFG015: {
    kind: "config.option-name",
    cause: "An ambient argument, or a variable of a base path, has the name of a client option.",
    fix: "Pass the argument with each call, or rename the variable.",
  },
  CFG016: {
    kind: "config.module",
    cause: "A module in `typeMap`, or the name of one of its exports, cannot be imported.",
    fix: 'Name a package or a file such as "./decimals.js", and exports of it. Code is not accepted.',
  },
} as const satisfies Record<`CFG${string}`, CatalogueEntry>;

/** Codes NAMnnn: stable once released. */
export const planCatalogue = {
  NAM001: {
    kind: "name.type-clash",
    cause: "Two types would have the same TypeScript name. The later one gets a suffix.",
    fix: "To choose a name for one of them, add it to `names` in bothends.json.",
  },
  NAM002: {
    kind: "name.operation-clash",
    cause: "Two operations of a service would have the same method name. The later one gets a number.",
    fix: "To choose a name for one of them, add it to `names` in bothends.json.",
  },
  NAM003: {
    kind: "name.override-invalid",
    cause: "A name in bothends.json is not an identifier, is reserved, or is already used.",
    fix: "Choose another name.",
  },
  NAM004: {
    kind: "name.override-unused",
    cause: "An entry of `names` in bothends.json refers to a name that the schema does not contain.",
    fix: "Correct the name as it is in the schema, or remove the entry.",
  },
  NAM005: {
    kind: "name.type-map",
    cause:
      "`typeMap` in bothends.json maps a type to a TypeScript type that cannot represent it, or names a type that the schema does not have.",
    fix: "Use one of the types that the message lists.",
  },
  NAM006: {
    kind: "name.reserved",
    cause:
      "The name of a type or an operation has another meaning in TypeScript or in generated code, so it gets a suffix.",
    fix: "No action is needed. To choose another name, add it to `names` in bothends.json.",
  },
} as const satisfies Record<`NAM${string}`, CatalogueEntry>;

/** Codes PUBnnn: stable once released. */
export const publishCatalogue = {
  PUB001: {
    kind: "publish.redefine",
    cause:
      "A redefinition cannot be merged into one document: the redefined document is missing or is also included elsewhere. The server serves no WSDL.",
    fix: "No action is needed to generate. To serve a WSDL, replace the redefinition by the redefined types themselves.",
  },
  PUB002: {
    kind: "publish.namespace",
    cause:
      "WSDLs that import each other cannot be merged into one document, because two definitions have the same name. The server serves no WSDL.",
    fix: "No action is needed to generate. To serve a WSDL, rename one of the two definitions.",
  },
  PUB003: {
    kind: "publish.size",
    cause:
      "A WSDL with all its imports is too large for one document; a file is repeated for each namespace it is included in. The server serves no WSDL.",
    fix: "No action is needed to generate. To serve a WSDL, raise the limits with --limit.",
  },
} as const satisfies Record<`PUB${string}`, CatalogueEntry>;
