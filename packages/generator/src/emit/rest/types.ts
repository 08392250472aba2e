import type { Value } from "../../describe/describe.js";
import type { Arg, JsonProperty, JsonType } from "../../model/index.js";
import {
  type AnswerTypePlan,
  type EndpointAnswer,
  type EndpointPlan,
  formatEnumerationKey,
  type ObjectPlan,
} from "../../plan/index.js";
import {
  arrayType,
  code,
  comment,
  type Declaration,
  entry,
  type Fragment,
  identifier,
  indexSignature,
  intersection,
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
import { documentation, getValueCode, property, unknownType } from "../members.js";
import type { RestContext } from "./context.js";

const answersFile = "answers.ts";
const enumerationsFile = "enumerations.ts";

/** The inputs for creating the TypeScript type of a JSON value. They differ between arguments and answers. */
interface TypeContext {
  /** The type of any JSON value. */
  readonly anyType: Fragment;
  /** Returns the type of a named object in answers. */
  readonly getNamedType: (id: string) => Fragment;
  readonly context: RestContext;
  /** The name of the argument or member that contains the value. */
  readonly member: string;
}

/** Returns the TypeScript type of an argument. */
export function getArgumentType({ name, type }: Arg, context: RestContext): Fragment {
  const rejectNamedType = (id: string): never => {
    throw new Error(`The argument ${name} refers to the type ${id}, but only answers have named types.`);
  };
  return getJsonType(type, { anyType: unknownType, getNamedType: rejectNamedType, context, member: name });
}

/** Makes the file that declares the named enumerations; returns no file if no enumeration has a name. */
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
  return declarations.length === 0 ? [] : [folders.contract.createFile(enumerationsFile, declarations)];
}

function getJsonType(type: JsonType, context: TypeContext): Fragment {
  switch (type.kind) {
    case "any":
      return context.anyType;
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
      return getEnumerationType(type.values, context);
    case "array":
      return arrayType(getJsonType(type.items, context));
    case "object":
      return getJsonObjectType(type, context);
    case "union":
      return union(...type.members.map((member) => getJsonType(member, context)));
    case "named":
      return context.getNamedType(type.id);
  }
}

function getEnumerationType(
  values: readonly (string | number | boolean | null)[],
  { context, member }: TypeContext,
): Fragment {
  const sharedEnumeration = context.plan.enumerations.get(formatEnumerationKey(member, values));
  return sharedEnumeration === undefined
    ? literalUnion(values)
    : use(context.folders.contract.getType(sharedEnumeration.name, enumerationsFile));
}

/** Returns the TypeScript type of an object. Without properties in the schema, the object may have any members. */
function getJsonObjectType(type: Extract<JsonType, { kind: "object" }>, context: TypeContext): Fragment {
  const { properties, additional } = type;
  if (properties.length === 0 && (additional === undefined || additional.kind === "any")) {
    return use(runtimeType("@bothends/runtime", "JsonObject"));
  }
  const members = properties.map((declaredProperty) =>
    property(declaredProperty.name, getJsonType(declaredProperty.type, { ...context, member: declaredProperty.name }), {
      optional: !declaredProperty.required,
      readonly: true,
      documentation: documentation(declaredProperty.documentation, listPropertyNotes(declaredProperty)),
    }),
  );
  if (additional === undefined) {
    return objectType(members);
  }
  return properties.length === 0
    ? objectType([indexSignature(getJsonType(additional, context))])
    : // In TypeScript, an index signature must include the types of all properties.
      objectType([...members, indexSignature(union(context.anyType, code`undefined`))]);
}

function listPropertyNotes({ required, annotations = {} }: JsonProperty): readonly string[] {
  const { readOnly, format, contexts = [], notInPrevious } = annotations;
  return [
    ...(readOnly === true ? ["Read-only."] : []),
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...(required || contexts.length === 0 ? [] : [`Only in these contexts: ${contexts.join(", ")}`]),
    ...(notInPrevious === true ? ["Absent in the deleted object (`previous`)."] : []),
  ];
}

/**
 * Returns the type arguments for the answers of an endpoint; none if no schema declares the answer. The first is the
 * type of the answer. If the type depends on the context, the second lists the types by context. The third, which is
 * omitted if it is `view`, is the context of requests without the argument `context`.
 */
export function listAnswerTypeArguments({ endpoint }: EndpointPlan, context: RestContext): readonly Fragment[] {
  const answer = context.plan.answers.endpoints.get(endpoint);
  if (answer === undefined) {
    return [];
  }
  const type = getType(answer.type, context);
  if (answer.contexts === undefined) {
    return [type];
  }
  const { initialContext: defaultContext = "view" } = answer;
  const contexts = getContextsType(answer.contexts, context);
  return defaultContext === "view" ? [type, contexts] : [type, contexts, literal(defaultContext)];
}

/** Returns the TypeScript type of a JSON value that callers receive. */
function getType(type: JsonType, context: RestContext): Fragment {
  return getJsonType(type, {
    anyType: use(runtimeType("@bothends/runtime", "JsonValue")),
    getNamedType: (id) => use(context.folders.contract.getType(getTypeName(id, context), answersFile)),
    context,
    member: "",
  });
}

function getContextsType(contexts: NonNullable<EndpointAnswer["contexts"]>, context: RestContext): Fragment {
  if (contexts.kind === "each") {
    return objectType(
      [...contexts.answers].map(([word, type]) => property(word, getType(type, context), { readonly: true })),
    );
  }
  const { plan, folders } = context;
  const name = plan.answers.objects.get(contexts.object)?.contexts?.name ?? "";
  const type = use(folders.contract.getType(name, answersFile));
  return contexts.isList ? code`${runtimeType("@bothends/runtime", "ListContexts")}<${type}>` : type;
}

/** Makes the file with the answer types; returns no file if no schema describes an answer. */
export function emitAnswers(context: RestContext): readonly TypeScriptFile[] {
  const { plan, folders } = context;
  if (plan.interface.answers.length === 0) {
    return [];
  }
  return [
    folders.contract.createFile(answersFile, [
      ...[...plan.answers.objects].flatMap(([id, object]) => declareObject(id, object, context)),
      ...declareEmbedded(context),
    ]),
  ];
}

/** Declares the types of an object, and the TypeScript interface that lists them by context. */
function declareObject(id: string, { types, contexts }: ObjectPlan, context: RestContext): readonly Declaration[] {
  const declarations = types.map((type) => declareAnswer(type, context));
  if (contexts === undefined) {
    return declarations;
  }
  const members = [...contexts.byContext].map(([word, type]) =>
    property(word, identifier(getTypeName(type, context)), { readonly: true }),
  );
  return [
    ...declarations,
    {
      kind: "interface",
      name: contexts.name,
      code: code`
        ${comment(`The types of ${getSchemaName(id, context)} by the context of the request.`)}
        export interface ${identifier(contexts.name)} ${typeBody(members)}`,
    },
  ];
}

/**
 * Declares the type of an answer as an alias, because TypeScript does not accept an interface where JsonValue is
 * expected.
 */
function declareAnswer({ id, name, form, documentation }: AnswerTypePlan, context: RestContext): Declaration {
  const { embedded } = context.plan.answers;
  const type = getDeclaredType(form, context);
  const links =
    embedded?.links === id && code`${runtimeType("@bothends/runtime", "LinksTo")}<${identifier(embedded.name)}>`;
  return {
    kind: "alias",
    name,
    code: code`
      ${comment(documentation)}
      export type ${identifier(name)} = ${links ? intersection(type, links) : type};`,
  };
}

/**
 * Declares the type of the resources that the option `embed` adds. For unknown relations, such as those of plug-ins, a
 * resource may be any JSON value.
 */
function declareEmbedded(context: RestContext): readonly Declaration[] {
  const { embedded } = context.plan.answers;
  if (embedded === undefined) {
    return [];
  }
  const members = embedded.relations.map(({ name, type }) =>
    property(name, arrayType(getEmbeddedType(type, context)), { optional: true, readonly: true }),
  );
  const otherRelations = union(arrayType(use(runtimeType("@bothends/runtime", "JsonValue"))), code`undefined`);
  const text =
    "The resources that the option `embed` adds, by the relations of their links. A resource that the caller may not read has only `code` and `message`.";
  return [
    {
      kind: "alias",
      name: embedded.name,
      code: code`
        ${comment(text)}
        export type ${identifier(embedded.name)} = ${objectType([...members, indexSignature(otherRelations)])};`,
    },
  ];
}

function getEmbeddedType(type: JsonType, context: RestContext): Fragment {
  return type.kind === "array"
    ? arrayType(getEmbeddedType(type.items, context))
    : code`${runtimeType("@bothends/runtime", "EmbeddedResource")}<${getType(type, context)}>`;
}

function getDeclaredType(form: AnswerTypePlan["form"], context: RestContext): Fragment {
  if (form.kind === "whole") {
    return getType(form.type, context);
  }
  const base = identifier(getTypeName(form.base, context));
  return form.kind === "extended"
    ? intersection(base, getType(form.members, context))
    : code`${identifier(form.kind === "only" ? "Pick" : "Omit")}<${[base, literalUnion(form.names)]}>`;
}

/** Declares the schemas for checking answers; returns no declaration if no schema describes an answer. */
export function declareAnswerSchemas(context: RestContext): readonly Declaration[] {
  return context.plan.interface.answers.length === 0 ? [] : [declareSchemas(context)];
}

function declareSchemas(context: RestContext): Declaration {
  const { answers } = context.descriptors;
  const name = context.plan.answerSchemas;
  const getSchemaCode = (value: Value) =>
    getValueCode(value, (reference) => {
      if (reference.kind !== "answer") {
        throw new Error(`The schema of an answer contains a reference of the kind "${reference.kind}".`);
      }
      return literal(getSchemaName(reference.id, context));
    });
  const schemas = object([
    entry("descriptorFormat", literal(2)),
    entry(
      "types",
      object([...answers.types].map(([id, value]) => entry(getSchemaName(id, context), getSchemaCode(value)))),
    ),
    entry("endpoints", getSchemaCode(answers.endpoints)),
  ]);
  return {
    kind: "constant",
    name,
    code: code`
      ${comment("The schemas of answers, for `checkAnswers`.")}
      export const ${identifier(name)}: ${runtimeType("@bothends/runtime", "AnswerSchemas")} = ${schemas};`,
  };
}

/** Returns the TypeScript name of the answer type with the given id. */
function getTypeName(id: string, { plan }: RestContext): string {
  return getName(plan.answers.typeNames, id);
}

function getSchemaName(id: string, { plan }: RestContext): string {
  return getName(plan.answers.names, id);
}

function getName(names: ReadonlyMap<string, string>, id: string): string {
  const name = names.get(id);
  if (name === undefined) {
    throw new Error(`The type ${id} has no name.`);
  }
  return name;
}
