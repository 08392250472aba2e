import type {
  AttributeUse,
  ComplexTypeDefinition,
  ElementDeclaration,
  Particle as SchemaParticle,
  TypeDefinition as SchemaType,
  Wildcard,
} from "../../components/xsd/schema-components.js";
import { declaredText } from "../../components/xsd/simple-values.js";
import type { AnyAttributeField, AttributeField, Field, Particle, RecordType, TypeId } from "../../model/soap.js";
import { anyField, ContentLowering, elementField, emptyRecord } from "./record-content.js";
import { type FieldWithoutKey, RecordMembers } from "./record-members.js";
import { isSoapArray, type TypeReferences } from "./type-references.js";

/** The record for all values of a type; undefined for other types, and if derived types are allowed. */
export function recordOf(type: SchemaType, references: TypeReferences): RecordType | undefined {
  if (type.kind !== "complexType" || type.builtin !== undefined || isSoapArray(type)) {
    return undefined;
  }
  const reference = references.to(type);
  const isExact = reference.kind === "named" && reference.id === references.namesOf(type).id;
  return isExact ? lowerRecord(type, references) : undefined;
}

/** Defines the record of a complex type (XSD 1.0 Part 1 §3.4), unless it is already defined. */
export function lowerRecord(type: ComplexTypeDefinition, references: TypeReferences): RecordType {
  const existing = references.records.get(type);
  if (existing !== undefined) {
    return existing;
  }
  const base = extendedBase(type, references);
  const members = new RecordMembers(base?.fields ?? [], references);
  const content = lowerContent(type, { base, members, references });
  addAttributeWildcard(type.attributeWildcard, members);
  for (const use of addedAttributes(type, base)) {
    members.add(attributeField(use, references), use.declaration.name.local);
  }
  const { id, name, words, wireName } = references.namesOf(type);
  const record: RecordType = {
    id,
    name,
    words,
    wireName,
    kind: "record",
    span: type.span,
    documentation: type.documentation,
    abstract: type.abstract,
    base: base?.id,
    removed: [],
    fields: inOrder(members.fields),
    content,
  };
  references.defineRecord(type, record);
  return record;
}

/**
 * The record that this type's record extends. A restriction may remove members, so its record extends none. The same applies to
 * an extension of mixed content by mixed content, because its single list of text and elements has other items than the base's.
 */
function extendedBase(type: ComplexTypeDefinition, references: TypeReferences): RecordType | undefined {
  const { baseType } = type;
  if (type.derivation !== "extension" || baseType.kind !== "complexType" || baseType.builtin !== undefined) {
    return undefined;
  }
  if (type.content.kind === "mixed" && baseType.content.kind === "mixed") {
    return undefined;
  }
  return lowerRecord(baseType, references);
}

interface RecordContext {
  readonly base: RecordType | undefined;
  readonly members: RecordMembers;
  readonly references: TypeReferences;
}

function lowerContent(type: ComplexTypeDefinition, context: RecordContext): readonly Particle[] {
  const { content } = type;
  switch (content.kind) {
    case "empty":
      return [];
    case "simple":
      addText(type, context);
      return [];
    case "mixed":
      return mixedContent(type, content.particle, context);
    case "elements":
      return elementContent(type, content.particle, context);
  }
}

function elementContent(
  type: ComplexTypeDefinition,
  particle: SchemaParticle,
  { base, members, references }: RecordContext,
): readonly Particle[] {
  const content = new ContentLowering(references.namesOf(type), members, references);
  if (base === undefined) {
    return content.steps(particle);
  }
  return [...base.content, ...(type.extension === undefined ? [] : content.steps(type.extension))];
}

function addText(type: ComplexTypeDefinition, { members, references }: RecordContext): void {
  if (type.content.kind !== "simple" || members.find("value")?.kind === "text") {
    return;
  }
  const valueType = references.toExactly(type.content.type);
  members.add({ kind: "text", span: type.span, documentation: undefined, type: valueType }, "value");
}

function mixedContent(
  type: ComplexTypeDefinition,
  particle: SchemaParticle,
  { members, references }: RecordContext,
): readonly Particle[] {
  const item = lowerMixedItem(type, particle, references);
  const key = members.add({ kind: "mixed", span: type.span, documentation: undefined, item }, "content");
  return [{ kind: "field", key }];
}

/** Defines the record for an element in mixed content: a choice of all elements that may occur. */
function lowerMixedItem(type: ComplexTypeDefinition, particle: SchemaParticle, references: TypeReferences): TypeId {
  const { id: owner, words, wireName } = references.namesOf(type);
  const id = `${owner}/(content)`;
  const members = new RecordMembers([], references);
  const choice = {};
  const keys = new Set<string>();
  for (const [branch, { term, documentation }] of [...termsOf(particle)].entries()) {
    const path = [{ choice, branch }];
    const occurs = { min: 1, max: 1 } as const;
    if (term.kind === "element") {
      const field = elementField(term, { particle: { ...particle, documentation }, occurs, references });
      keys.add(members.add(field, term.name.local, path));
    } else {
      keys.add(members.add(anyField(term, { documentation }, occurs), "any", path));
    }
  }
  const particles = [...keys].map((key) => ({ kind: "field" as const, key }));
  references.define({
    ...emptyRecord,
    id,
    words: [...words, "content"],
    wireName,
    span: type.span,
    fields: members.fields,
    content: particles.length > 1 ? [{ kind: "choice", particles, optional: false }] : particles,
  });
  return id;
}

interface Term {
  readonly term: ElementDeclaration | Wildcard;
  readonly documentation: string | undefined;
}

/** Every element and wildcard of a content model, in schema order. */
function* termsOf({ term, max, documentation }: SchemaParticle): Generator<Term> {
  if (max === 0) {
    return;
  }
  if (term.kind === "wildcard") {
    yield { term, documentation };
  } else if (term.kind === "element") {
    if (!term.abstract) {
      yield { term, documentation };
    }
    for (const member of term.substitutes) {
      yield { term: member, documentation: member.documentation };
    }
  } else {
    for (const particle of term.particles) {
      yield* termsOf(particle);
    }
  }
}

/** The attributes that the base lacks. Inherited uses are the same objects in both types. */
function addedAttributes(type: ComplexTypeDefinition, base: RecordType | undefined): readonly AttributeUse[] {
  if (base === undefined || type.baseType.kind !== "complexType") {
    return type.attributeUses;
  }
  const inherited = new Set(type.baseType.attributeUses);
  return type.attributeUses.filter((use) => !inherited.has(use));
}

function attributeField(use: AttributeUse, references: TypeReferences): FieldWithoutKey<AttributeField> {
  const { declaration, valueConstraint } = use;
  const value = valueConstraint && declaredText(declaration.type, valueConstraint);
  return {
    kind: "attribute",
    span: declaration.scope === "local" ? declaration.span : use.span,
    documentation: use.documentation ?? declaration.documentation,
    wireName: declaration.name,
    type: references.toExactly(declaration.type),
    required: use.required,
    default: valueConstraint?.kind === "default" ? value : undefined,
    fixed: valueConstraint?.kind === "fixed" ? value : undefined,
  };
}

/** XSD 1.0 Part 1 §3.4.2: the wildcard of an extension is the union of the base's wildcard and the one it declares. */
function addAttributeWildcard(wildcard: Wildcard | undefined, members: RecordMembers): void {
  if (wildcard === undefined) {
    return;
  }
  const { span, documentation, namespaces, process } = wildcard;
  const field: FieldWithoutKey<AnyAttributeField> = { kind: "anyAttribute", span, documentation, namespaces, process };
  const inherited = members.fields.find((candidate) => candidate.kind === "anyAttribute");
  if (inherited === undefined) {
    members.add(field, "anyAttribute");
  } else if (inherited.span !== span) {
    members.replace({ ...field, key: inherited.key, inherited: false });
  }
}

const kindOrder: readonly Field["kind"][] = ["attribute", "element", "text", "mixed", "anyAttribute"];

/** Inherited fields first, then attributes, content, and attributes that a wildcard allows. */
function inOrder(fields: readonly Field[]): readonly Field[] {
  const inherited = fields.filter((field) => field.inherited);
  const added = fields.filter((field) => !field.inherited);
  const rank = ({ kind }: Field) => kindOrder.indexOf(kind === "group" || kind === "any" ? "element" : kind);
  return [...inherited, ...added.sort((a, b) => rank(a) - rank(b))];
}

type Records = ReadonlyMap<ComplexTypeDefinition, RecordType>;

/**
 * Adds the members that restrictions removed to each record. Called when all records are known, because only members of ancestors
 * in the Contract count.
 */
export function withRemovedMembers(records: Records): readonly RecordType[] {
  const completed = new Map<ComplexTypeDefinition, RecordType>();
  const complete = (type: ComplexTypeDefinition, record: RecordType): RecordType => {
    const existing = completed.get(type);
    if (existing !== undefined) {
      return existing;
    }
    const ancestor = nearestAncestor(type, records);
    const result = ancestor === undefined ? record : withoutMembersOf(complete(...ancestor), record);
    completed.set(type, result);
    return result;
  };
  return [...records].map(([type, record]) => complete(type, record));
}

function nearestAncestor(
  type: ComplexTypeDefinition,
  records: Records,
): readonly [ComplexTypeDefinition, RecordType] | undefined {
  let { baseType } = type;
  while (baseType.kind === "complexType" && baseType.builtin === undefined) {
    const record = records.get(baseType);
    if (record !== undefined) {
      return [baseType, record];
    }
    ({ baseType } = baseType);
  }
  return undefined;
}

function withoutMembersOf(ancestor: RecordType, record: RecordType): RecordType {
  const present = new Set(record.fields.map((field) => field.key));
  const inherited = [...ancestor.fields.map((field) => field.key), ...ancestor.removed];
  const removed = inherited.filter((key) => !present.has(key));
  const addsRemovedMember = ancestor.removed.some((key) => present.has(key));
  return { ...(addsRemovedMember ? withoutBase(record) : record), removed };
}

/**
 * An extension may add a member that a restriction removed from its base. Its TypeScript type is then not a subtype of
 * the base's, so it lists all members and extends none.
 */
function withoutBase(record: RecordType): RecordType {
  return { ...record, base: undefined, fields: record.fields.map((field) => ({ ...field, inherited: false })) };
}
