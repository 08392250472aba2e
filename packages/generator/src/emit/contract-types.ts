import type { EnumerationType, Field, PolymorphicType, RecordType, TypeDefinition } from "../model/index.js";
import { type Arm, shapeOf } from "../plan/index.js";
import type { Declaration, PropertyNode, TypeNode } from "../print/index.js";
import { documentation, facetFact, fieldFacts } from "./documentation.js";
import { enumerationLiterals } from "./enumeration-values.js";
import { keyword, literal, literalType, property, typeOf } from "./nodes.js";
import { definitionOf, planOf, type SoapContext, typeSymbol, valuesSymbol } from "./soap-context.js";
import { fieldNode, inlineNode, isOptional, valueNode } from "./type-of.js";

/** The declarations of a type: none for a twin or a simple type without a name, two for an enumeration. */
export function typeDeclarations(type: TypeDefinition, context: SoapContext): readonly Declaration[] {
  const { declares, inline } = planOf(type.id, context);
  if (!declares || inline) return [];
  switch (type.kind) {
    case "record":
      return [recordDeclaration(type, context)];
    case "polymorphic":
      return [polymorphicDeclaration(type, context)];
    case "enumeration":
      return enumerationDeclarations(type, context);
    default: {
      const facts = type.kind === "restriction" ? type.facets.flatMap(facetFact) : [];
      const { name } = planOf(type.id, context);
      return [
        {
          kind: "alias",
          name,
          type: inlineNode(type.id, context),
          documentation: documentation(type.documentation, facts),
        },
      ];
    }
  }
}

/** Plain names for the lexical strings that other types use. */
export function aliasDeclarations(used: ReadonlySet<string>, context: SoapContext): readonly Declaration[] {
  return [...context.plan.builtins].flatMap(([builtin, { alias, value }]): readonly Declaration[] => {
    if (alias === undefined || !used.has(alias)) return [];
    return [{ kind: "alias", name: alias, type: valueNode(value), documentation: `xs:${builtin}, as it is written.` }];
  });
}

function recordDeclaration(type: RecordType, context: SoapContext): Declaration {
  const { name } = planOf(type.id, context);
  const { loose, choices } = shapeOf(type);
  const inChoice = new Set(choices.flatMap((arms) => arms.flatMap((arm) => [...arm.keys()])));
  const own = type.fields.filter((field) => type.base === undefined || !field.inherited);
  const members = [
    ...own
      .filter((field) => !inChoice.has(field.key))
      .map((field) => memberOf(field, { context, loose: loose.has(field.key) })),
    ...(type.base === undefined ? type.removed.map(absentMember) : []),
  ];
  const base = type.base === undefined ? [] : [typeOf(typeSymbol(type.base, context))];
  if (isInterface(type, context)) {
    return { kind: "interface", name, extends: base, members, documentation: type.documentation };
  }
  const fields = new Map(own.map((field) => [field.key, field]));
  const parts: readonly TypeNode[] = [
    ...base,
    ...(members.length === 0 && (base.length > 0 || choices.length > 0) ? [] : [{ kind: "object", members } as const]),
    ...choices.map(
      (arms): TypeNode => ({ kind: "union", members: arms.map((arm) => armNode(arm, { arms, fields, context })) }),
    ),
  ];
  return { kind: "alias", name, type: { kind: "intersection", members: parts }, documentation: type.documentation };
}

/** A record without alternatives, whose base has none either, can be an interface and be extended by one. */
function isInterface(type: RecordType, context: SoapContext): boolean {
  if (shapeOf(type).choices.length > 0) return false;
  if (type.base === undefined) return true;
  const base = definitionOf(type.base, context);
  return base.kind === "record" && isInterface(base, context);
}

function memberOf(field: Field, { context, loose }: { context: SoapContext; loose: boolean }): PropertyNode {
  return property(field.key, fieldNode(field, context), {
    optional: loose || isOptional(field),
    documentation: documentation(field.documentation, fieldFacts(field, context)),
  });
}

interface Alternatives {
  readonly arms: readonly Arm[];
  readonly fields: ReadonlyMap<string, Field>;
  readonly context: SoapContext;
}

/** One alternative: its own members, and the others' ruled out. */
function armNode(arm: Arm, { arms, fields, context }: Alternatives): TypeNode {
  const own: PropertyNode[] = [];
  for (const key of arm.keys()) {
    const field = fields.get(key);
    if (field !== undefined) own.push(memberOf(field, { context, loose: false }));
  }
  const others = [...new Set(arms.flatMap((each) => [...each.keys()]))].filter((key) => !arm.has(key));
  return { kind: "object", members: [...own, ...others.map(absentMember)] };
}

/** A member that other types of a union have: it can be read without asking which type a value is of. */
function absentMember(name: string): PropertyNode {
  return { kind: "property", name, type: keyword("undefined"), optional: true };
}

function polymorphicDeclaration(type: PolymorphicType, context: SoapContext): Declaration {
  const { name } = planOf(type.id, context);
  const arms = type.alternatives.map((arm): TypeNode => {
    const tag = property("$type", literalType(arm.tag), { readonly: true, optional: arm.type === type.declared });
    return {
      kind: "intersection",
      members: [typeOf(typeSymbol(arm.type, context)), { kind: "object", members: [tag] }],
    };
  });
  return {
    kind: "alias",
    name,
    type: { kind: "union", members: arms },
    documentation: documentation(type.documentation, [
      `${planOf(type.declared, context).name}, or a type derived from it; $type says which.`,
    ]),
  };
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
    const text = documentation(type.documentation, facts);
    return [{ kind: "alias", name, type: inlineNode(type.id, context), documentation: text }];
  }
  return [
    {
      kind: "constant",
      name: values,
      type: "const",
      value: { kind: "array", items: literals.map(literal) },
      documentation: `The values of ${name}.`,
    },
    {
      kind: "alias",
      name,
      type: { kind: "valuesOf", symbol: valuesSymbol(type.id, context) },
      documentation: documentation(type.documentation, described),
    },
  ];
}
