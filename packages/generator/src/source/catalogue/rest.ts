import type { CatalogueEntry } from "./general.js";

/** The diagnostics about discovery indexes. Their codes, `IDXnnn`, are stable once released. */
export const indexCatalogue = {
  IDX002: {
    kind: "json.syntax",
    cause: "The file is not valid JSON (RFC 8259).",
    fix: "Correct the text at the position shown; JSON has no comments and no trailing commas.",
  },
  IDX004: {
    kind: "json.duplicate-key",
    cause: "An object has two members with the same name. Some JSON parsers use the first value, others the last.",
    fix: "Remove one of the two members.",
  },
  IDX005: {
    kind: "json.forbidden-key",
    cause: 'A member is named "__proto__". In some JSON parsers, this member replaces the prototype of the object.',
    fix: "Remove or rename the member.",
  },
  IDX006: {
    kind: "json.number",
    cause: "A number is too large for a 64-bit floating-point number.",
    fix: "Write a smaller number, or write a string.",
  },
  IDX007: {
    kind: "json.surrogate",
    cause: "A string contains an unpaired surrogate, which cannot be encoded as UTF-8.",
    fix: "Write both halves of the surrogate pair, or remove the unpaired one.",
  },
  IDX008: {
    kind: "limit.jsonDepth",
    cause: "Objects and lists of a JSON document are nested too deeply.",
    fix: "Flatten the document, or increase the limit with --limit jsonDepth=<number>.",
  },
  IDX009: {
    kind: "json.precision",
    cause: "An integer is too large to be represented exactly.",
    fix: "Write the number as a string if every digit matters.",
  },
  IDX010: {
    kind: "index.not-an-index",
    cause:
      "The document is not a discovery index, or it has no routes. An index is an object with the member `routes`, or only the object of the routes.",
    fix: "Save the response of the site's index route.",
  },
  IDX011: {
    kind: "index.shape",
    cause: "A member of the index has a value of the wrong type.",
    fix: "Write a value of the type that the message names. An empty object may be written as [], as in PHP.",
  },
  IDX012: {
    kind: "unsupported.method",
    cause:
      "An endpoint has a method other than GET, POST, PUT, PATCH and DELETE. The method is left out, and so is an endpoint without other methods.",
    fix: "No action is needed. To remove this message, remove the method. Servers answer HEAD and OPTIONS even if they are not listed.",
  },
  IDX013: {
    kind: "index.php-map",
    cause: "A list is written as an object. PHP writes an array with gaps in its keys in this way.",
    fix: "No action is needed. To remove this message, write the value as a JSON array.",
  },
  IDX014: {
    kind: "index.duplicate-endpoint",
    cause: "A route has two endpoints with the same method. Requests go to the first one.",
    fix: "No action is needed. To remove this message, remove the second endpoint.",
  },
  IDX015: {
    kind: "index.methods",
    cause: "The list of methods of a route lacks a method of one of its endpoints.",
    fix: "Add the method to the list `methods` of the route.",
  },
  IDX016: {
    kind: "index.php-list",
    cause:
      "An object is written as a list. PHP does this if the names are 0, 1, 2 and so on. The real names are probably missing.",
    fix: "No action is needed. The numbers are used as names, which is what the site does.",
  },
  IDX017: {
    kind: "index.address",
    cause:
      "The address of the site or of a link does not have a network scheme: it is a script, a data URL or a local file.",
    fix: "Remove the address, or save the response of the site's index route again.",
  },
  IDX018: {
    kind: "index.ignored",
    cause:
      "A part of the index is missing or has a value of the wrong type. The other parts are read if at least one route is intact.",
    fix: "No action is needed if you do not call the route. Otherwise, correct the plug-in that registers the route, and save the index again.",
  },
  IDX019: {
    kind: "index.surroundings",
    cause: "The file has text before or after the index, such as a PHP warning or a comment that a cache added.",
    fix: "No action is needed. To remove this message, turn off `display_errors` in PHP, and save the index again.",
  },
  IDX020: {
    kind: "route.syntax",
    cause: "The pattern of a route is not a valid regular expression, or is not a path. The route is left out.",
    fix: "Write literal text and named groups: /things/(?P<id>[\\d]+).",
  },
  IDX021: {
    kind: "unsupported.route-pattern",
    cause:
      "A named group of a route is repeated or is inside an alternative, so the path cannot be built from the values of the variables. The route is left out.",
    fix: "Replace the route with one route for each form of the path.",
  },
  IDX022: {
    kind: "route.pattern",
    cause:
      "A route is a regular expression with a feature that cannot be matched in linear time. The route is left out.",
    fix: "Use only character classes, groups, alternatives and quantifiers. Look-around and back-references are not supported.",
  },
  IDX023: {
    kind: "route.variable",
    cause:
      "A route variable has no valid name, or two variables of the route have the same name. The route is left out.",
    fix: "Give each variable its own name, with only letters, digits and underscores.",
  },
  IDX024: {
    kind: "route.unreachable",
    cause: "No path can match the route, because it has text before its ^ or after its $. The route is left out.",
    fix: "No action is needed. To remove this message, remove the route.",
  },
  IDX030: {
    kind: "arg.type",
    cause: "An argument has a type that JSON Schema does not define. Any value is accepted for it.",
    fix: "Use string, integer, number, boolean, array, object or null.",
  },
  IDX031: {
    kind: "arg.enum",
    cause: "The list of allowed values of an argument has a duplicate, has a value of the wrong type, or is empty.",
    fix: "Correct the list `enum` or the type.",
  },
  IDX032: {
    kind: "arg.default",
    cause:
      "The default of an argument is not one of the argument's allowed values, or does not match its schema. A server refuses requests without the argument.",
    fix: "Correct the default, the list `enum` or the type.",
  },
  IDX033: {
    kind: "arg.required",
    cause: "The member `required` of an argument is neither true nor false.",
    fix: "Write true or false.",
  },
  IDX034: {
    kind: "arg.schema",
    cause: "Part of an argument's schema is not valid JSON Schema. Any value is accepted for it.",
    fix: "Correct that part of the schema.",
  },
  IDX040: {
    kind: "name.clash",
    cause:
      "Two endpoints, or two groups of endpoints, have the same name. A number is added to the name of the later one.",
    fix: 'To choose the name, add the endpoint to `names` in bothends.json: "GET /x/v1/things": "x.things.list".',
  },
  IDX041: {
    kind: "name.unknown",
    cause: "`names` refers to an endpoint that the index does not contain. The entry has no effect.",
    fix: "Write the method and the route's key exactly as in the index, or remove the entry.",
  },
  IDX042: {
    kind: "name.invalid",
    cause:
      "A name in `names` is invalid: it is not a series of words joined by dots, a word is reserved in JavaScript, the name is already used, or it belongs to another namespace.",
    fix: "Choose a unique name: words joined by dots.",
  },
  IDX043: {
    kind: "segment.unknown",
    cause:
      "`wireNames.segments` refers to a segment, or to a series of segments, that no route contains as literal text.",
    fix: "Write the segments exactly as in the index, with slashes between them. If the index no longer has them, remove the entry.",
  },
  IDX044: {
    kind: "route.unknown",
    cause: "`routes` refers to a route, or `unversioned` to a namespace, that is not in the index.",
    fix: "Write the key of the route, or the namespace, exactly as in the index. If the index no longer has it, remove the entry.",
  },
} as const satisfies Record<`IDX${string}`, CatalogueEntry>;

/** The diagnostics about answer schemas. Their codes, `ANSnnn`, are stable once released. */
export const answerCatalogue = {
  ANS001: {
    kind: "answer.untyped",
    cause: "Some endpoints have no schema for their responses. Calls to them return untyped JSON.",
    fix: "Save the index with its schemas (?context=help), or name JSON Schemas under `responses` in bothends.json.",
  },
  ANS002: {
    kind: "unsupported.schema-keyword",
    cause: "A response schema uses a keyword for which no type can be generated.",
    fix: "Use only type, properties, required, items, enum, oneOf, anyOf, additionalProperties and $ref.",
  },
  ANS003: {
    kind: "answer.bounds",
    cause:
      "A response schema restricts values with keywords that a TypeScript type cannot express. Clients do not check them.",
    fix: "No action is needed.",
  },
  ANS004: {
    kind: "answer.unknown-keyword",
    cause: "A response schema has a member that is not a JSON Schema keyword. The member is ignored.",
    fix: "Correct the name of the member, or remove the member.",
  },
  ANS005: {
    kind: "answer.required",
    cause: "`required` lists a member that `properties` does not define.",
    fix: "Add the property, or correct the name.",
  },
  ANS006: {
    kind: "answer.reference",
    cause: "A reference does not lead to a schema.",
    fix: "Write a JSON pointer to a schema in the document, such as #/$defs/name.",
  },
  ANS007: {
    kind: "answer.unusable",
    cause: "The response schema that the index has for a route cannot be used. Responses of its endpoints are untyped.",
    fix: "No action is needed. To type the responses, name a JSON Schema under `responses` in bothends.json.",
  },
  ANS008: {
    kind: "responses.unknown",
    cause:
      "`responses` refers to an operation, a group of operations or a route that the interface does not have. The entry has no effect.",
    fix: "Write an operation (core.blocks.get), a group (core.blocks), a route of the index, or a method and a route; or remove the entry.",
  },
  ANS009: {
    kind: "responses.twice",
    cause: "`responses` has two conflicting entries for one operation.",
    fix: "Remove one of the two entries. An entry for an operation overrides the entry of its group.",
  },
  ANS010: {
    kind: "answer.circular",
    cause: "A schema consists only of references that lead back to it, so it describes no value.",
    fix: "Put one of the references into a property or an item, or replace it with a schema that describes the value.",
  },
} as const satisfies Record<`ANS${string}`, CatalogueEntry>;
