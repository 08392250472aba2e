import { clark } from "@bothends/xml";
import type { ComplexTypeDefinition, DerivationMethod, TypeDefinition as SchemaType } from "../components/xsd-model.js";
import type { PolymorphicType, TypeId, WireName } from "../model/schema-types.js";
import { isSoapEncoding } from "./soap-encoding.js";
import type { TypeLowering } from "./types.js";

export interface PolymorphicPlace {
  readonly id: TypeId;
  /** What the element's own `block` keeps out. */
  readonly blocked: readonly DerivationMethod[];
  readonly types: TypeLowering;
}

/** What a reference to a complex type may hold, where that is more than the type itself (XSD 1.0 Part 1 §3.4.4, `xsi:type`). */
export function lowerPolymorphic(
  type: ComplexTypeDefinition,
  { id, blocked, types }: PolymorphicPlace,
): PolymorphicType | undefined {
  const derived = isSoapEncoding(type.name) ? [] : derivedTypes(type, blocked);
  if (derived.length === 0) {
    if (type.abstract && blocked.length === 0) reportNothingConcrete(type, types);
    return undefined;
  }
  const concrete = type.abstract ? derived : [type, ...derived];
  const { name, words } = types.namesOf(type);
  const tags = tagsOf(concrete, name);
  return {
    kind: "polymorphic",
    id,
    name: undefined,
    words,
    span: type.span,
    documentation: type.documentation,
    declared: referTo(type, types),
    blocked,
    arms: concrete.map((one, index) => ({ tag: tags[index] ?? "", type: referTo(one, types) })),
  };
}

/** Concrete named types, each after those it derives from; what `block` excludes is left out. */
function derivedTypes(
  type: ComplexTypeDefinition,
  blocked: readonly DerivationMethod[],
): readonly ComplexTypeDefinition[] {
  const found: ComplexTypeDefinition[] = [];
  const visit = (base: ComplexTypeDefinition): void => {
    for (const one of base.derivedTypes) {
      if (one.kind !== "complexType" || type.block.has(one.derivation)) continue;
      if (blocked.includes(one.derivation)) continue;
      if (!one.abstract && one.name !== undefined) found.push(one);
      visit(one);
    }
  };
  visit(type);
  return found;
}

/** The local names; where several arms have the same, the whole names. */
function tagsOf(arms: readonly ComplexTypeDefinition[], declared: WireName | undefined): readonly string[] {
  const names = arms.map(({ name }) => name ?? declared);
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name.local, (counts.get(name.local) ?? 0) + 1);
  return names.map((name) => {
    if (name === undefined) throw new Error("an arm without a name");
    return counts.get(name.local) === 1 ? name.local : clark(name.namespace, name.local);
  });
}

function referTo(type: ComplexTypeDefinition, types: TypeLowering): TypeId {
  const reference = types.exact(type);
  if (reference.kind !== "named") throw new Error("a complex type that is built in");
  return reference.id;
}

function reportNothingConcrete(type: SchemaType, types: TypeLowering): void {
  types.warnOnce("WSDL030", type.span, {
    message: `The complex type "${type.name?.local}" is abstract, and no type derives from it: no value can be sent.`,
    help: "Define a type that extends it, or import the schema that does.",
  });
}
