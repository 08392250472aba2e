import type {
  AttributeUse,
  ComplexTypeDefinition,
  Particle as SchemaParticle,
  Wildcard,
} from "../components/xsd-model.js";
import type { AnyAttributeField, AttributeField, Field, Particle, RecordType } from "../model/schema-types.js";
import { ContentLowering } from "./content.js";
import { Members, type Unkeyed } from "./members.js";
import { lowerMixedItem } from "./mixed.js";
import type { TypeLowering } from "./types.js";

/** A complex type as a record: all of its members, and the whole content model over them (XSD 1.0 Part 1 §3.4). */
export function lowerComplexType(type: ComplexTypeDefinition, types: TypeLowering): RecordType {
  const base = extendedBase(type, types);
  const members = new Members(base?.fields ?? [], types);
  const content = lowerContent(type, { base, members, types });
  addAttributeWildcard(type.attributeWildcard, members);
  for (const use of ownAttributes(type, base)) members.add(attributeField(use, types), use.declaration.name.local);
  return {
    ...types.namesOf(type),
    kind: "record",
    span: type.span,
    documentation: type.documentation,
    abstract: type.abstract,
    base: base?.id,
    removed: [],
    fields: inOrder(members.fields),
    content,
  };
}

/**
 * The record that this one extends. A restriction stands alone: it leaves members out. So does an extension of mixed
 * content, as its one list of text and elements is another than the base's.
 */
function extendedBase(type: ComplexTypeDefinition, types: TypeLowering): RecordType | undefined {
  const { baseType } = type;
  if (type.derivation !== "extension" || baseType.kind !== "complexType" || baseType.builtin !== undefined) {
    return undefined;
  }
  if (type.content.kind === "mixed" && baseType.content.kind === "mixed") return undefined;
  return types.record(baseType);
}

interface Context {
  readonly base: RecordType | undefined;
  readonly members: Members;
  readonly types: TypeLowering;
}

function lowerContent(type: ComplexTypeDefinition, { base, members, types }: Context): readonly Particle[] {
  const { content } = type;
  switch (content.kind) {
    case "empty":
      return [];
    case "simple":
      addText(type, { base, members, types });
      return [];
    case "mixed":
      return mixedContent(type, content.particle, { base, members, types });
    case "elements": {
      const steps = (particle: SchemaParticle) =>
        new ContentLowering(types.namesOf(type), members, types).steps(particle);
      if (base === undefined) return steps(content.particle);
      return [...base.content, ...(type.extension === undefined ? [] : steps(type.extension))];
    }
  }
}

function addText(type: ComplexTypeDefinition, { members, types }: Context): void {
  if (type.content.kind !== "simple" || members.find("value")?.kind === "text") return;
  const { span } = type;
  members.add({ kind: "text", span, documentation: undefined, type: types.exact(type.content.type) }, "value");
}

function mixedContent(type: ComplexTypeDefinition, particle: SchemaParticle, { members, types }: Context) {
  const { span } = type;
  const item = lowerMixedItem(type, particle, types);
  const key = members.add({ kind: "mixed", span, documentation: undefined, item }, "content");
  return [{ kind: "field" as const, key }];
}

/** The base's uses are the same objects in the type that extends it. */
function ownAttributes(type: ComplexTypeDefinition, base: RecordType | undefined): readonly AttributeUse[] {
  if (base === undefined || type.baseType.kind !== "complexType") return type.attributeUses;
  const inherited = new Set(type.baseType.attributeUses);
  return type.attributeUses.filter((use) => !inherited.has(use));
}

function attributeField(use: AttributeUse, types: TypeLowering): Unkeyed<AttributeField> {
  const { declaration, valueConstraint } = use;
  return {
    kind: "attribute",
    span: declaration.scope === "local" ? declaration.span : use.span,
    documentation: use.documentation ?? declaration.documentation,
    wireName: declaration.name,
    type: types.exact(declaration.type),
    required: use.required,
    default: valueConstraint?.kind === "default" ? valueConstraint.value : undefined,
    fixed: valueConstraint?.kind === "fixed" ? valueConstraint.value : undefined,
  };
}

/** XSD 1.0 Part 1 §3.4.2: an extension's wildcard is the union of the base's and its own. */
function addAttributeWildcard(wildcard: Wildcard | undefined, members: Members): void {
  if (wildcard === undefined) return;
  const { span, documentation, namespaces, process } = wildcard;
  const field: Unkeyed<AnyAttributeField> = { kind: "anyAttribute", span, documentation, namespaces, process };
  const inherited = members.fields.find((one) => one.kind === "anyAttribute");
  if (inherited === undefined) members.add(field, "anyAttribute");
  else if (inherited.span !== span) members.replace({ ...field, key: inherited.key, inherited: false });
}

const places: readonly Field["kind"][] = ["attribute", "element", "text", "mixed", "anyAttribute"];

/** Inherited members first, then attributes, what the content has, and attributes by wildcard. */
function inOrder(fields: readonly Field[]): readonly Field[] {
  const own = fields.filter((field) => !field.inherited);
  const place = (field: Field) =>
    places.indexOf(field.kind === "group" || field.kind === "any" ? "element" : field.kind);
  return [...fields.filter((field) => field.inherited), ...own.sort((a, b) => place(a) - place(b))];
}
