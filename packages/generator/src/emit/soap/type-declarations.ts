import type { EnumerationType, Field, PolymorphicType, RecordType, TypeDefinition } from "../../model/index.js";
import { type Alternative, shapeOf } from "../../plan/index.js";
import {
  array,
  code,
  comment,
  type Declaration,
  type Fragment,
  identifier,
  intersection,
  itemsOf,
  key,
  literal,
  objectType,
  typeBody,
  union,
  use,
} from "../../print/index.js";
import { documentation, property } from "../members.js";
import { definitionOf, planOf, type SoapContext, typeSymbol, valuesSymbol } from "./context.js";
import { facetFact, fieldFacts } from "./facts.js";
import { enumerationLiterals, fieldType, isOptional, valueType, writtenOutType } from "./types.js";

/** The declarations of a type: none for a simple type without a name, or one that an equal type declares, two for an enumeration. */
export function typeDeclarations(type: TypeDefinition, context: SoapContext): readonly Declaration[] {
  const { declares, inline, name } = planOf(type.id, context);
  if (!declares || inline) {
    return [];
  }
  switch (type.kind) {
    case "record":
      return [recordDeclaration(type, context)];
    case "polymorphic":
      return [polymorphicDeclaration(type, context)];
    case "enumeration":
      return enumerationDeclarations(type, context);
    default: {
      const facts = type.kind === "restriction" ? type.facets.flatMap(facetFact) : [];
      return [alias(name, writtenOutType(type.id, context), documentation(type.documentation, facts))];
    }
  }
}

/** Plain names for the lexical strings that other types use. */
export function aliasDeclarations(used: ReadonlySet<string>, context: SoapContext): readonly Declaration[] {
  return [...context.plan.builtins].flatMap(([builtin, { alias: name, value }]): readonly Declaration[] => {
    if (name === undefined || !used.has(name)) {
      return [];
    }
    return [alias(name, valueType(value), `xs:${builtin} in XML notation.`)];
  });
}

function alias(name: string, type: Fragment, text: string | undefined): Declaration {
  return {
    kind: "alias",
    name,
    code: code`
      ${comment(text)}
      export type ${identifier(name)} = ${type};`,
  };
}

function recordDeclaration(type: RecordType, context: SoapContext): Declaration {
  const { name } = planOf(type.id, context);
  const { loose, choices } = shapeOf(type);
  const inChoice = new Set(choices.flat().flatMap((alternative) => [...alternative]));
  const declared = type.fields.filter((field) => type.base === undefined || !field.inherited);
  const members = [
    ...declared
      .filter((field) => !inChoice.has(field.key))
      .map((field) => fieldMember(field, { context, loose: loose.has(field.key) })),
    ...(type.base === undefined ? type.removed.map(absentMember) : []),
  ];
  const base = type.base === undefined ? undefined : typeSymbol(type.base, context);
  if (isInterface(type, context)) {
    return {
      kind: "interface",
      name,
      code: code`
        ${comment(type.documentation)}
        export interface ${identifier(name)} ${base && code`extends ${base} `}${typeBody(members)}`,
    };
  }
  const fields = new Map(declared.map((field) => [field.key, field]));
  const needsMembers = members.length > 0 || (base === undefined && choices.length === 0);
  const parts = [
    ...(base === undefined ? [] : [code`${base}`]),
    ...(needsMembers ? [objectType(members)] : []),
    ...choices.map((alternatives) =>
      union(...alternatives.map((alternative) => alternativeType(alternative, { alternatives, fields, context }))),
    ),
  ];
  return alias(name, intersection(...parts), type.documentation);
}

/** A record without alternatives, whose base has none either, can be an interface and be extended by one. */
function isInterface(type: RecordType, context: SoapContext): boolean {
  if (shapeOf(type).choices.length > 0) {
    return false;
  }
  if (type.base === undefined) {
    return true;
  }
  const base = definitionOf(type.base, context);
  return base.kind === "record" && isInterface(base, context);
}

function fieldMember(field: Field, { context, loose }: { context: SoapContext; loose: boolean }): Fragment {
  return property(field.key, fieldType(field, context), {
    optional: loose || isOptional(field),
    documentation: documentation(field.documentation, fieldFacts(field, context)),
  });
}

interface ChoiceContext {
  readonly alternatives: readonly Alternative[];
  readonly fields: ReadonlyMap<string, Field>;
  readonly context: SoapContext;
}

/** One alternative of a choice: its members, and those of the others as members that must be absent. */
function alternativeType(alternative: Alternative, { alternatives, fields, context }: ChoiceContext): Fragment {
  const members: Fragment[] = [];
  for (const name of alternative) {
    const field = fields.get(name);
    if (field !== undefined) {
      members.push(fieldMember(field, { context, loose: false }));
    }
  }
  const others = new Set(alternatives.flatMap((other) => [...other]).filter((name) => !alternative.has(name)));
  return objectType([...members, ...[...others].map(absentMember)]);
}

/** A member that other types of a union have: it can be read without asking which type a value is of. */
function absentMember(name: string): Fragment {
  return code`${key(name)}?: undefined`;
}

function polymorphicDeclaration(type: PolymorphicType, context: SoapContext): Declaration {
  const { name } = planOf(type.id, context);
  const alternatives = type.alternatives.map((alternative) => {
    const optional = alternative.type === type.declared;
    const tag = property("$type", literal(alternative.tag), { readonly: true, optional });
    return intersection(use(typeSymbol(alternative.type, context)), objectType([tag]));
  });
  const fact = `${planOf(type.declared, context).name} or a type derived from it; \`$type\` names which.`;
  return alias(name, union(...alternatives), documentation(type.documentation, [fact]));
}

function enumerationDeclarations(type: EnumerationType, context: SoapContext): readonly Declaration[] {
  const { name, values } = planOf(type.id, context);
  const literals = enumerationLiterals(type, context);
  const described = type.values.flatMap((value) =>
    value.documentation === undefined ? [] : [`${value.text}: ${value.documentation}`],
  );
  if (literals === undefined) {
    const allowed = `One of ${type.values.map((value) => value.text).join(", ")}.`;
    const facts = described.length === 0 ? [allowed] : described;
    return [alias(name, writtenOutType(type.id, context), documentation(type.documentation, facts))];
  }
  return [
    {
      kind: "constant",
      name: values,
      code: code`
        ${comment(`The values of ${name}.`)}
        export const ${identifier(values)} = ${array(literals.map(literal))} as const;`,
    },
    alias(name, itemsOf(valuesSymbol(type.id, context)), documentation(type.documentation, described)),
  ];
}
