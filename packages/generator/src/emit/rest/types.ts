import type { Value } from "../../describe/describe.js";
import type { AnswerType, Arg, JsonProperty, JsonType } from "../../model/index.js";
import { type EndpointPlan, enumerationKey, objectOf } from "../../plan/index.js";
import {
  arrayType,
  code,
  comment,
  type Declaration,
  entry,
  type Fragment,
  identifier,
  indexSignature,
  literal,
  literalUnion,
  object,
  objectType,
  runtimeType,
  type TypeScriptFile,
  typeBody,
  union,
  use,
} from "../../print/index.js";
import { documentation, property, unknownType, valueCode } from "../members.js";
import type { RestContext } from "./context.js";

export const answersFile = "answers.ts";
const schemasFile = "answer-schemas.ts";
const enumerationsFile = "enumerations.ts";

/** How the types of values differ between those that callers pass and those that they get. */
interface Direction {
  readonly any: Fragment;
  readonly named: (id: string) => Fragment;
  readonly context: RestContext;
  /** The name of the argument or member that has the value. */
  readonly member: string;
}

/** The TypeScript type of an argument. */
export function argumentType({ name, type }: Arg, context: RestContext): Fragment {
  const named = (id: string): never => {
    throw new Error(`An argument is of a type of answers, ${id}.`);
  };
  return jsonType(type, { any: unknownType, named, context, member: name });
}

/** The TypeScript type of a JSON value that callers get. */
function typeOf(type: JsonType, context: RestContext): Fragment {
  return jsonType(type, {
    any: use(runtimeType("@bothends/runtime", "JsonValue")),
    named: (id) => use(context.folders.contract.type(nameOf(id, context), answersFile)),
    context,
    member: "",
  });
}

/** The enumerations that have a name; no file where there are none. */
export function emitEnumerations({ plan, folders }: RestContext): readonly TypeScriptFile[] {
  const declarations = [...plan.enumerations.values()].map(
    ({ name, member, values }): Declaration => ({
      kind: "alias",
      name,
      code: code`
        ${comment(`The values of ${member}.`)}
        export type ${identifier(name)} = ${literalUnion(values)};`,
    }),
  );
  return declarations.length === 0 ? [] : [folders.contract.file(enumerationsFile, declarations)];
}

function enumerationType(
  values: readonly (string | number | boolean | null)[],
  { context, member }: Direction,
): Fragment {
  const shared = context.plan.enumerations.get(enumerationKey(member, values));
  return shared === undefined
    ? literalUnion(values)
    : use(context.folders.contract.type(shared.name, enumerationsFile));
}

function jsonType(type: JsonType, direction: Direction): Fragment {
  switch (type.kind) {
    case "any":
      return direction.any;
    case "integer":
    case "number":
      return code`number`;
    case "string":
      return code`string`;
    case "boolean":
      return code`boolean`;
    case "null":
      return code`null`;
    case "enumeration":
      return enumerationType(type.values, direction);
    case "array":
      return arrayType(jsonType(type.items, direction));
    case "object":
      return jsonObjectType(type, direction);
    case "union":
      return union(...type.members.map((member) => jsonType(member, direction)));
    case "named":
      return direction.named(type.id);
  }
}

/** The type of an object; one whose schema has no properties may have any. */
function jsonObjectType(type: Extract<JsonType, { kind: "object" }>, direction: Direction): Fragment {
  const { properties, additional } = type;
  if (properties.length === 0 && (additional === undefined || additional.kind === "any")) {
    return use(runtimeType("@bothends/runtime", "JsonObject"));
  }
  const members = properties.map((declared) =>
    property(declared.name, jsonType(declared.type, { ...direction, member: declared.name }), {
      optional: !declared.required,
      readonly: true,
      documentation: documentation(declared.documentation, propertyFacts(declared)),
    }),
  );
  if (additional === undefined) {
    return objectType(members);
  }
  // The type of an index signature applies to the properties as well.
  const others = properties.length === 0 ? jsonType(additional, direction) : direction.any;
  return objectType([...members, indexSignature(union(others, code`undefined`))]);
}

function propertyFacts({ facts = {} }: JsonProperty): readonly string[] {
  const { readOnly, format, contexts = [], notInPrevious } = facts;
  return [
    ...(readOnly === true ? ["Read-only."] : []),
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...(contexts.length === 0 ? [] : [`Shown in: ${contexts.join(", ")}`]),
    ...(notInPrevious === true ? ["Absent in `previous`."] : []),
  ];
}

/** The type of an endpoint's answer; undefined where no schema declares it. */
export function endpointAnswer({ endpoint: { answer } }: EndpointPlan, context: RestContext): Fragment | undefined {
  return answer && typeOf(answer, context);
}

/**
 * The last type arguments of an endpoint whose answers depend on the context: what each context leaves out, and the context without
 * the argument `context`, unless it is `view`.
 */
export function contextTypes({ endpoint }: EndpointPlan, { plan, folders }: RestContext): readonly Fragment[] {
  const contexts = plan.contexts.get(objectOf(endpoint) ?? "");
  if (contexts === undefined || endpoint.context === undefined) {
    return [];
  }
  const leftOut = use(folders.contract.type(contexts.name, answersFile));
  return endpoint.context === "view" ? [leftOut] : [leftOut, literal(endpoint.context)];
}

/** The types of answers, and the constant that answers can be checked by; no files where there are none. */
export function emitAnswers(context: RestContext): readonly TypeScriptFile[] {
  const { plan, folders } = context;
  if (plan.interface.answers.length === 0) {
    return [];
  }
  return [
    folders.contract.file(
      answersFile,
      plan.interface.answers.flatMap((answer) => [
        answerDeclaration(answer, context),
        ...contextDeclarations(answer, context),
      ]),
    ),
    folders.contract.file(schemasFile, [schemasDeclaration(context)]),
  ];
}

/** An alias, which fits JsonValue; an interface would not. */
function answerDeclaration({ id, type, documentation }: AnswerType, context: RestContext): Declaration {
  const name = nameOf(id, context);
  return {
    kind: "alias",
    name,
    code: code`
      ${comment(documentation)}
      export type ${identifier(name)} = ${typeOf(type, context)};`,
  };
}

function contextDeclarations({ id }: AnswerType, context: RestContext): readonly Declaration[] {
  const contexts = context.plan.contexts.get(id);
  if (contexts === undefined) {
    return [];
  }
  const { name, leftOut } = contexts;
  const members = [...leftOut].map(([word, paths]) =>
    property(word, paths.length === 0 ? code`never` : literalUnion(paths), { readonly: true }),
  );
  return [
    {
      kind: "interface",
      name,
      code: code`
        ${comment(`What answers leave out of ${nameOf(id, context)}, by the context of the request.`)}
        export interface ${identifier(name)} ${typeBody(members)}`,
    },
  ];
}

function schemasDeclaration(context: RestContext): Declaration {
  const { answers } = context.descriptors;
  const name = context.plan.answerSchemas;
  const schemaCode = (value: Value) =>
    valueCode(value, (reference) => {
      if (reference.kind !== "answer") {
        throw new Error(`The schema of an answer refers to a ${reference.kind}.`);
      }
      return literal(nameOf(reference.id, context));
    });
  const schemas = object([
    entry("descriptorFormat", literal(2)),
    entry("types", object([...answers.types].map(([id, value]) => entry(nameOf(id, context), schemaCode(value))))),
    entry("endpoints", schemaCode(answers.endpoints)),
  ]);
  return {
    kind: "constant",
    name,
    code: code`
      ${comment("The schemas of answers, for `checkAnswers`.")}
      export const ${identifier(name)}: ${runtimeType("@bothends/runtime", "AnswerSchemas")} = ${schemas};`,
  };
}

function nameOf(id: string, { plan }: RestContext): string {
  const name = plan.answers.get(id);
  if (name === undefined) {
    throw new Error(`The type ${id} has no name.`);
  }
  return name;
}
