import type {
  BuiltinName,
  EnumerationType,
  FacetValue,
  Field,
  PolymorphicType,
  RecordType,
  TypeDefinition,
  TypeId,
  TypeReference,
} from "../../model/index.js";
import {
  type Alternative,
  exampleTexts,
  findEnumeratedKind,
  findEnumerationLiterals,
  isOptional,
  listKeysIn,
  planRecordTyping,
  type ValueKind,
} from "../../plan/index.js";
import {
  applyToUnion,
  array,
  arrayType,
  code,
  comment,
  type Declaration,
  type Fragment,
  identifier,
  intersection,
  key,
  literal,
  literalUnion,
  objectType,
  printItems,
  runtimeType,
  typeBody,
  union,
  use,
} from "../../print/index.js";
import { typesFile } from "../files.js";
import { documentation, orNull, property } from "../members.js";
import {
  getBuiltin,
  getDefinition,
  getMappedSymbol,
  getTypePlan,
  getTypeSymbol,
  getValuesSymbol,
  type SoapContext,
} from "./context.js";

/**
 * Declares a type. An enumeration has two declarations. An inline type has none, and neither does a type that shares
 * the declaration of an equal type.
 */
export function declareType(type: TypeDefinition, context: SoapContext): readonly Declaration[] {
  const { isDeclared, isInline, name } = getTypePlan(type.id, context);
  if (!isDeclared || isInline) {
    return [];
  }
  const { mapping, represented } = getTypePlan(type.id, context);
  if (mapping !== undefined) {
    return [declareAlias(name, use(getMappedSymbol(mapping, "type", context)), type.documentation)];
  }
  switch (type.kind) {
    case "record":
      return [declareRecord(type, context)];
    case "polymorphic":
      return [declarePolymorphic(type, context)];
    case "enumeration":
      return declareEnumeration(type, context);
    default: {
      const notes = type.kind === "restriction" ? type.facets.flatMap(listFacetTexts) : [];
      const values = represented === undefined ? getAliasedType(type.id, context) : getValueType(represented.value);
      return [declareAlias(name, values, documentation(type.documentation, notes))];
    }
  }
}

/** Declares the aliases of built-in types with string values, such as `Duration`, if other types use them. */
export function declareAliases(usedNames: ReadonlySet<string>, context: SoapContext): readonly Declaration[] {
  return [...context.plan.builtins].flatMap(([builtin, { alias: name, value, mapping }]): readonly Declaration[] => {
    if (name === undefined || !usedNames.has(name)) {
      return [];
    }
    if (mapping !== undefined) {
      return [declareAlias(name, use(getMappedSymbol(mapping, "type", context)), `The values of xs:${builtin}.`)];
    }
    return [declareAlias(name, getValueType(value), describeAlias(builtin))];
  });
}

function describeAlias(builtin: BuiltinName): string {
  const example = exampleTexts.get(builtin);
  return `A value of xs:${builtin} as a string${example === undefined ? "" : `, such as ${JSON.stringify(example)}`}.`;
}

function declareAlias(name: string, type: Fragment, text: string | undefined): Declaration {
  return {
    kind: "alias",
    name,
    code: code`
      ${comment(text)}
      export type ${identifier(name)} = ${type};`,
  };
}

function declareRecord(type: RecordType, context: SoapContext): Declaration {
  const { name } = getTypePlan(type.id, context);
  const { optionalMembers, choices } = planRecordTyping(type);
  const choiceKeys = new Set(choices.flat().flatMap((alternative) => [...alternative]));
  const declaredFields = type.fields.filter((field) => type.base === undefined || !field.inherited);
  const members = [
    ...declaredFields
      .filter((field) => !choiceKeys.has(field.key))
      .map((field) => createFieldMember(field, { context, isOptionalByGroup: optionalMembers.has(field.key) })),
    ...(type.base === undefined ? type.removed.map(createAbsentMember) : []),
  ];
  const base = type.base === undefined ? undefined : getTypeSymbol(type.base, context);
  if (isInterface(type, context)) {
    return {
      kind: "interface",
      name,
      code: code`
        ${comment(type.documentation)}
        export interface ${identifier(name)} ${base && code`extends ${base} `}${typeBody(members)}`,
    };
  }
  const fields = new Map(declaredFields.map((field) => [field.key, field]));
  const needsMembers = members.length > 0 || (base === undefined && choices.length === 0);
  const intersectedTypes = [
    ...(base === undefined ? [] : [code`${base}`]),
    ...(needsMembers ? [objectType(members)] : []),
    ...choices.map((alternatives) => getChoiceType(alternatives, { fields, context })),
  ];
  return declareAlias(name, intersection(...intersectedTypes), type.documentation);
}

/**
 * Whether a record becomes a TypeScript interface: neither the record nor its base has alternatives, which need a union
 * type.
 */
function isInterface(type: RecordType, context: SoapContext): boolean {
  if (planRecordTyping(type).choices.length > 0) {
    return false;
  }
  if (type.base === undefined) {
    return true;
  }
  const base = getDefinition(type.base, context);
  return base.kind === "record" && isInterface(base, context);
}

function createFieldMember(
  field: Field,
  { context, isOptionalByGroup }: { context: SoapContext; isOptionalByGroup: boolean },
): Fragment {
  return property(field.key, getFieldType(field, context), {
    optional: isOptionalByGroup || isOptional(field),
    documentation: documentation(field.documentation, listFieldNotes(field, context)),
  });
}

interface ChoiceContext {
  readonly fields: ReadonlyMap<string, Field>;
  readonly context: SoapContext;
}

/**
 * The maximum size of a choice that is written as a union: the number of its alternatives times the number of its
 * members, because each alternative lists all members.
 */
const maxUnionSize = 36;

/** Returns the type of a choice. In each alternative, the members of all other alternatives must be absent. */
function getChoiceType(alternatives: readonly Alternative[], choice: ChoiceContext): Fragment {
  const keys = [...listKeysIn(alternatives)];
  if (alternatives.length * keys.length > maxUnionSize) {
    const types = alternatives.map((alternative) => objectType(createPresentMembers(alternative, choice)));
    return applyToUnion(runtimeType("@bothends/runtime", "OneOf"), types);
  }
  return union(
    ...alternatives.map((alternative) => {
      const absentMembers = keys.filter((name) => !alternative.has(name)).map(createAbsentMember);
      return objectType([...createPresentMembers(alternative, choice), ...absentMembers]);
    }),
  );
}

function createPresentMembers(alternative: Alternative, { fields, context }: ChoiceContext): readonly Fragment[] {
  const members: Fragment[] = [];
  for (const name of alternative) {
    const field = fields.get(name);
    if (field !== undefined) {
      members.push(createFieldMember(field, { context, isOptionalByGroup: false }));
    }
  }
  return members;
}

/**
 * Makes a member that must be absent. Programs can then read every member of a union without checking the alternative
 * first.
 */
function createAbsentMember(name: string): Fragment {
  return code`${key(name)}?: undefined`;
}

function declarePolymorphic(type: PolymorphicType, context: SoapContext): Declaration {
  const { name } = getTypePlan(type.id, context);
  const alternatives = type.alternatives.map((alternative) => {
    const isOptionalTag = alternative.type === type.declared;
    const tag = property("$type", literal(alternative.tag), { readonly: true, optional: isOptionalTag });
    return intersection(use(getTypeSymbol(alternative.type, context)), objectType([tag]));
  });
  const note = `${getTypePlan(type.declared, context).name} or a type derived from it. \`$type\` names the type.`;
  return declareAlias(name, union(...alternatives), documentation(type.documentation, [note]));
}

function declareEnumeration(type: EnumerationType, context: SoapContext): readonly Declaration[] {
  const { name, values } = getTypePlan(type.id, context);
  const literals = findEnumerationLiterals(type, context);
  const valueNotes = type.values.flatMap((value) =>
    value.documentation === undefined ? [] : [`${value.text}: ${value.documentation}`],
  );
  if (literals === undefined) {
    const allowedNote = `One of ${type.values.map((value) => value.text).join(", ")}.`;
    const notes = valueNotes.length === 0 ? [allowedNote] : valueNotes;
    return [declareAlias(name, getAliasedType(type.id, context), documentation(type.documentation, notes))];
  }
  if (type.exact !== undefined) {
    const text = documentation(type.documentation, valueNotes);
    return [declareAlias(name, withUnknownValues(use(getTypeSymbol(type.exact, context)), type, context), text)];
  }
  return [
    {
      kind: "constant",
      name: values,
      code: code`
        ${comment(`The values of ${name}.`)}
        export const ${identifier(values)} = ${array(literals.map(literal))} as const;`,
    },
    declareAlias(
      name,
      withUnknownValues(printItems(getValuesSymbol(type.id, context)), type, context),
      documentation(type.documentation, valueNotes),
    ),
  ];
}

/** Returns the type of an enumeration, including unknown values if clients accept them. */
function withUnknownValues(values: Fragment, type: EnumerationType, context: SoapContext): Fragment {
  if (type.open !== true) {
    return values;
  }
  // Adds `string & {}` to the union instead of `string`, so that editors still suggest the known values.
  const kind = findEnumeratedKind(type.base, context);
  return union(values, kind === "string" ? code`(string & {})` : getReferencedType(type.base, context));
}

/** Returns the TypeScript type to which a type reference refers. */
export function getReferencedType(reference: TypeReference, context: SoapContext): Fragment {
  if (reference.kind === "named") {
    const { isInline } = getTypePlan(reference.id, context);
    return isInline ? getAliasedType(reference.id, context) : use(getTypeSymbol(reference.id, context));
  }
  const { alias, value } = getBuiltin(reference.name, context);
  return alias === undefined ? getValueType(value) : use(context.folders.contract.getType(alias, typesFile));
}

/** Returns the code of a simple type or an array, such as `readonly string[]`, not the name of its alias. */
export function getAliasedType(id: TypeId, context: SoapContext): Fragment {
  const definition = getDefinition(id, context);
  switch (definition.kind) {
    case "restriction":
      return getReferencedType(definition.base, context);
    case "enumeration": {
      const literals = getTypePlan(id, context).isInline ? findEnumerationLiterals(definition, context) : undefined;
      return literals === undefined
        ? getReferencedType(definition.base, context)
        : withUnknownValues(literalUnion(literals), definition, context);
    }
    case "array":
      return arrayType(orNull(getReferencedType(definition.item, context)));
    case "list":
      return arrayType(getReferencedType(definition.item, context));
    case "union":
      return union(...definition.members.map((member) => getReferencedType(member, context)));
    default:
      throw new Error(`The type ${id} is neither a simple type nor an array.`);
  }
}

/** Returns the TypeScript type of the values of a built-in type. */
export function getValueType(kind: ValueKind): Fragment {
  switch (kind) {
    case "string":
    case "lexical":
      return code`string`;
    case "number":
      return code`number`;
    case "bigint":
      return code`bigint`;
    case "boolean":
      return code`boolean`;
    case "bytes":
      return code`Uint8Array`;
    case "strings":
      return arrayType(code`string`);
    case "date":
      return code`Date`;
    case "any":
      return use(runtimeType("@bothends/runtime", "AnyValue"));
    case "module":
      throw new Error(
        'getValueType must not be called for a type of the kind "module": use the alias of the mapped type.',
      );
  }
}

/** Returns the type of a record's member, without `undefined`. */
export function getFieldType(field: Field, context: SoapContext): Fragment {
  switch (field.kind) {
    case "element": {
      const item = orNull(getReferencedType(field.type, context), field.nillable || field.tolerateNull === true);
      return field.max === 1 ? item : arrayType(item);
    }
    case "attribute":
    case "text":
      return orNull(getReferencedType(field.type, context), field.tolerateNull === true);
    case "group":
      return arrayType(use(getTypeSymbol(field.item, context)));
    case "mixed":
      return arrayType(union(code`string`, use(getTypeSymbol(field.item, context))));
    case "any": {
      const element = use(runtimeType("@bothends/runtime", "AnyElement"));
      return field.max === 1 ? element : arrayType(element);
    }
    case "anyAttribute":
      return arrayType(use(runtimeType("@bothends/runtime", "AnyAttribute")));
  }
}

/**
 * Returns notes about constraints that the type of a member does not show: its default, the number of its items, and
 * the facets of an anonymous simple type.
 */
export function listFieldNotes(field: Field, context: SoapContext): readonly string[] {
  const notes: string[] = [];
  if ("default" in field && field.default !== undefined) {
    notes.push(`Default: ${shortenForComment(field.default)}.`);
  }
  if ("fixed" in field && field.fixed !== undefined) {
    notes.push(`Always ${shortenForComment(field.fixed)}.`);
  }
  if ("max" in field && field.max !== 1) {
    notes.push(...listOccurrenceNotes(field.min, field.max));
  }
  if ("type" in field) {
    notes.push(...listInlineNotes(field.type, context));
  }
  return notes;
}

function listOccurrenceNotes(min: number, max: number | "unbounded"): readonly string[] {
  if (max === "unbounded") {
    return min > 1 ? [`At least ${min} items.`] : [];
  }
  return [min === max ? `Exactly ${max} items.` : min > 0 ? `${min} to ${max} items.` : `At most ${max} items.`];
}

function listInlineNotes(reference: TypeReference, context: SoapContext): readonly string[] {
  if (reference.kind === "builtin" || !getTypePlan(reference.id, context).isInline) {
    return [];
  }
  const definition = getDefinition(reference.id, context);
  if (definition.kind !== "restriction") {
    return [];
  }
  return [...definition.facets.flatMap(listFacetTexts), ...listInlineNotes(definition.base, context)];
}

/** Describes a facet in words: `Length at most 5.` */
export function listFacetTexts(facet: FacetValue): readonly string[] {
  switch (facet.facet) {
    case "length":
      return [`Length ${facet.value}.`];
    case "minLength":
      return [`Length at least ${facet.value}.`];
    case "maxLength":
      return [`Length at most ${facet.value}.`];
    case "totalDigits":
      return [`At most ${facet.value} digits.`];
    case "fractionDigits":
      return [`At most ${facet.value} digits after the decimal point.`];
    case "minInclusive":
      return [`At least ${facet.value}.`];
    case "maxInclusive":
      return [`At most ${facet.value}.`];
    case "minExclusive":
      return [`More than ${facet.value}.`];
    case "maxExclusive":
      return [`Less than ${facet.value}.`];
    case "pattern":
      return [`Pattern: ${facet.value.join(" or ")}`];
    case "whiteSpace":
      return [];
  }
}

function shortenForComment(text: string): string {
  return text === "" ? "empty" : text;
}
