import type { CatalogueEntry } from "./entry.js";

/** Codes IDXnnn: stable once released. */
export const discoveryCatalogue = {
  IDX002: {
    kind: "json.syntax",
    cause: "The file is not JSON (RFC 8259).",
    fix: "Correct the text at the place shown; comments and trailing commas are not JSON.",
  },
  IDX004: {
    kind: "json.duplicate-key",
    cause: "One object has two members of the same name, so its meaning depends on who reads it.",
    fix: "Keep one of the two.",
  },
  IDX005: {
    kind: "json.forbidden-key",
    cause: 'A member is called "__proto__", which sets an object\'s prototype in careless readers.',
    fix: "Remove or rename the member.",
  },
  IDX006: {
    kind: "json.number",
    cause: "A number is too large for a 64-bit floating-point number.",
    fix: "Write a smaller number, or a string.",
  },
  IDX007: {
    kind: "json.surrogate",
    cause: "A string holds one half of a surrogate pair, which no encoding can carry.",
    fix: "Write both halves of the pair, or neither.",
  },
  IDX008: {
    kind: "limit.jsonDepth",
    cause: "Objects and lists of a JSON document are nested deeper than they may be.",
    fix: "Flatten the document, or raise the limit with --limit jsonDepth=<number>.",
  },
  IDX009: {
    kind: "json.precision",
    cause: "A whole number is too large to be kept exactly.",
    fix: "Write it as a string where every digit counts.",
  },
  IDX010: {
    kind: "index.not-an-index",
    cause: "The document is not a discovery index: an object with `routes`, or the object of routes itself.",
    fix: "Save the answer of the site's index route.",
  },
  IDX011: {
    kind: "index.shape",
    cause: "A member of the index has a value of the wrong kind.",
    fix: "Write the kind of value that the message names; PHP's `[]` for an empty object is taken, too.",
  },
  IDX012: {
    kind: "unsupported.method",
    cause: "An endpoint lists a method other than GET, POST, PUT, PATCH and DELETE.",
    fix: "Remove the method; HEAD and OPTIONS are answered without being listed.",
  },
  IDX013: {
    kind: "index.php-map",
    cause: "A list is written as an object, as PHP does with an array that has gaps.",
    fix: "Nothing to do; write a list to silence this.",
  },
  IDX014: {
    kind: "index.duplicate-endpoint",
    cause: "A route lists a method twice; the first endpoint answers it.",
    fix: "Nothing to do; remove the second endpoint to silence this.",
  },
  IDX015: {
    kind: "index.methods",
    cause: "A route's list of methods lacks one that an endpoint of it answers.",
    fix: "Add the method to the route's list.",
  },
  IDX016: {
    kind: "index.php-list",
    cause:
      "An object is written as a list, as PHP does with names that are 0, 1 and so on: something was given no name.",
    fix: "Nothing to do; the names are those numbers, as they are for the site.",
  },
  IDX017: {
    kind: "index.address",
    cause: "The address of the site, or of a link, names a script, data or a local file.",
    fix: "Remove it, or save the answer of the site's index route again.",
  },
  IDX020: {
    kind: "route.syntax",
    cause: "A route pattern is malformed.",
    fix: "Write literal text and named groups: /things/(?P<id>[\\d]+).",
  },
  IDX021: {
    kind: "unsupported.route-pattern",
    cause:
      "A named group of a route is repeated, or stands in one of several alternatives: no rule says how a path is written.",
    fix: "List the routes it stands for one by one.",
  },
  IDX022: {
    kind: "route.pattern",
    cause: "A route, which is a regular expression, cannot be compiled to a linear-time matcher.",
    fix: "Use classes, groups, alternatives and quantifiers; look-around and back-references are refused.",
  },
  IDX023: {
    kind: "route.variable",
    cause: "A route variable has no usable name, or two variables of a route share one.",
    fix: "Give each variable a name of letters, digits and underscores of its own.",
  },
  IDX024: {
    kind: "route.unreachable",
    cause:
      "No path matches a route: something stands before its ^, or behind its $. It is served by nobody, and left out.",
    fix: "Nothing to do; remove the route to silence this.",
  },
  IDX030: {
    kind: "arg.type",
    cause: "An argument has a type that JSON Schema does not know; any value is accepted there.",
    fix: "Use string, integer, number, boolean, array, object or null.",
  },
  IDX031: {
    kind: "arg.enum",
    cause: "An enumeration does not fit its argument: a value of another type, a duplicate, or no value at all.",
    fix: "Correct the enumeration or the type.",
  },
  IDX032: {
    kind: "arg.default",
    cause: "The default of an argument is not one of its enumerated values.",
    fix: "Correct the default or the enumeration.",
  },
  IDX033: {
    kind: "arg.required",
    cause: "`required` is not true or false.",
    fix: "Write true or false.",
  },
  IDX034: {
    kind: "arg.schema",
    cause: "Part of an argument's schema is not understood; any value is accepted there.",
    fix: "Write the part as JSON Schema has it.",
  },
  IDX040: {
    kind: "name.clash",
    cause: "Two endpoints, or two groups of endpoints, would bear one name; the later one gets a number.",
    fix: 'Name the endpoint under `names` in bothends.json: "GET /x/v1/things": "x.things.list".',
  },
  IDX041: {
    kind: "name.unknown",
    cause: "`names` speaks of an endpoint that the index does not list.",
    fix: "Write the method and the route's key exactly as in the index.",
  },
  IDX042: {
    kind: "name.invalid",
    cause: "A name under `names` is not usable: not words joined by dots, taken, or below another namespace.",
    fix: "Choose another name.",
  },
  IDX043: {
    kind: "segment.unknown",
    cause: "`wireNames.segments` names a segment, or several in a row, that no route has as literal text.",
    fix: "Write the segments exactly as in the index, with slashes between.",
  },
  IDX044: {
    kind: "route.unknown",
    cause: "`routes` names a route that the index does not list.",
    fix: "Write the route's key exactly as in the index.",
  },
} as const satisfies Record<`IDX${string}`, CatalogueEntry>;

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
