import type {
  AttributeUse,
  ComplexTypeDefinition,
  ElementDeclaration,
  Particle as SchemaParticle,
  TypeDefinition as SchemaType,
  Wildcard,
} from "../../components/xsd/schema-components.js";
import { getDeclaredText } from "../../components/xsd/simple-values.js";
import type { AnyAttributeField, AttributeField, Field, Particle, RecordType, TypeId } from "../../model/xsd-types.js";
import type { Span } from "../../source/span.js";
import {
  ContentLowering,
  createAnyField,
  createElementField,
  describeGroups,
  emptyRecord,
  listKeys,
} from "./record-content.js";
import { RecordMembers } from "./record-members.js";
import { isSoapArray, type TypeReferences } from "./type-references.js";

/**
 * Returns the record that describes all values of a type. Undefined if the type is not a record, or if values may have
 * a derived type.
 */
export function findRecord(type: SchemaType, references: TypeReferences): RecordType | undefined {
  if (type.kind !== "complexType" || type.builtin !== undefined || isSoapArray(type)) {
    return undefined;
  }
  const reference = references.to(type);
  const isExact = reference.kind === "named" && reference.id === references.getNames(type).id;
  return isExact ? lowerRecord(type, references) : undefined;
}

/** Defines the record of a complex type (XSD 1.0 Part 1 §3.4), unless it is already defined. */
export function lowerRecord(type: ComplexTypeDefinition, references: TypeReferences): RecordType {
  const existingRecord = references.records.get(type);
  if (existingRecord !== undefined) {
    return existingRecord;
  }
  const base = findExtendedBase(type, references);
  const members = new RecordMembers(base?.fields ?? [], references);
  const { content, groups } = lowerContent(type, { base, members, references });
  addAttributeWildcard(type.attributeWildcard, members);
  for (const use of listAddedAttributes(type, base)) {
    members.add(createAttributeField(use, references));
  }
  const { id, name, words, wireName } = references.getNames(type);
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
    fields: sortFields(members.fields),
    content,
    ...(groups && { groups }),
  };
  references.defineRecord(type, record);
  return record;
}

/**
 * Returns the record of the base type if the record of the given type extends it; otherwise undefined. A restriction
 * does not extend it, because a restriction may remove members. Mixed content does not extend mixed content, because
 * the items (text and elements) differ.
 */
function findExtendedBase(type: ComplexTypeDefinition, references: TypeReferences): RecordType | undefined {
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

type RecordContent = Pick<RecordType, "content" | "groups">;

function lowerContent(type: ComplexTypeDefinition, context: RecordContext): RecordContent {
  const { content } = type;
  switch (content.kind) {
    case "empty":
      return { content: [] };
    case "simple":
      addText(type, context);
      return { content: [] };
    case "mixed":
      return { content: lowerMixedContent(type, content.particle, context) };
    case "elements":
      return createElementContent(type, content.particle, context);
  }
}

function createElementContent(
  type: ComplexTypeDefinition,
  particle: SchemaParticle,
  { base, members, references }: RecordContext,
): RecordContent {
  const lowering = new ContentLowering(references.getNames(type), members, references);
  if (base === undefined) {
    const content = lowering.lowerToSequence(particle);
    return { content, ...describeGroups(lowering, content) };
  }
  const addedContent = type.extension === undefined ? [] : lowering.lowerToSequence(type.extension);
  const inheritedKeys = base.content.flatMap(listKeys);
  const inheritedGroups = (base.groups ?? []).map((group) => ({ keys: inheritedKeys, ...group }));
  return { content: [...base.content, ...addedContent], groups: [...inheritedGroups, ...lowering.groups] };
}

function addText(type: ComplexTypeDefinition, { members, references }: RecordContext): void {
  if (type.content.kind !== "simple" || members.find("value")?.kind === "text") {
    return;
  }
  const valueType = references.toExactly(type.content.type);
  members.add({
    kind: "text",
    span: type.span,
    documentation: undefined,
    type: valueType,
    key: "value",
    inherited: false,
  });
}

function lowerMixedContent(
  type: ComplexTypeDefinition,
  particle: SchemaParticle,
  { members, references }: RecordContext,
): readonly Particle[] {
  const item = lowerMixedItem(type, particle, references);
  const key = members.add({
    kind: "mixed",
    span: type.span,
    documentation: undefined,
    item,
    key: "content",
    inherited: false,
  });
  return [{ kind: "field", key }];
}

/** Defines the record for one item of mixed content: a choice of all elements that may occur. */
function lowerMixedItem(type: ComplexTypeDefinition, particle: SchemaParticle, references: TypeReferences): TypeId {
  const { id: owner, words, wireName } = references.getNames(type);
  const id = `${owner}/(content)`;
  const members = new RecordMembers([], references);
  const choice = {};
  const keys = new Set<string>();
  for (const [branch, { term, documentation }] of [...listTerms(particle)].entries()) {
    const path = [{ choice, branch }];
    const occurs = { min: 1, max: 1 } as const;
    if (term.kind === "element") {
      const field = createElementField(term, { particle: { ...particle, documentation }, occurs, references });
      keys.add(members.add(field, path));
    } else {
      keys.add(members.add(createAnyField(term, { documentation }, occurs), path));
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

/** Yields every element and wildcard of a content model, in the order of the schema. */
function* listTerms({ term, max, documentation }: SchemaParticle): Generator<Term> {
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
      yield* listTerms(particle);
    }
  }
}

/**
 * Returns the attributes that the base type does not have. Both types contain the same objects for inherited
 * attributes.
 */
function listAddedAttributes(type: ComplexTypeDefinition, base: RecordType | undefined): readonly AttributeUse[] {
  if (base === undefined || type.baseType.kind !== "complexType") {
    return type.attributeUses;
  }
  const inheritedUses = new Set(type.baseType.attributeUses);
  return type.attributeUses.filter((use) => !inheritedUses.has(use));
}

function createAttributeField(use: AttributeUse, references: TypeReferences): AttributeField {
  const { declaration, valueConstraint } = use;
  const value = valueConstraint && getDeclaredText(declaration.type, valueConstraint);
  return {
    kind: "attribute",
    span: declaration.scope === "local" ? declaration.span : getReferenceSpan(use),
    documentation: use.documentation ?? declaration.documentation,
    wireName: declaration.name,
    type: references.toExactly(declaration.type),
    required: use.required,
    default: valueConstraint?.kind === "default" ? value : undefined,
    fixed: valueConstraint?.kind === "fixed" ? value : undefined,
    key: declaration.name.local,
    inherited: false,
  };
}

/** Returns the position of a reference, which may declare a default or a fixed value of its own. */
function getReferenceSpan({ span, declaration, valueConstraint }: AttributeUse): Span {
  const ownParts = valueConstraint === declaration.valueConstraint ? {} : { default: span, fixed: span };
  return { ...span, parts: { ...ownParts, ...span.parts, declaration: declaration.span } };
}

/**
 * Adds the type's attribute wildcard. It replaces the inherited wildcard, because it allows everything that the
 * inherited wildcard allows (XSD 1.0 Part 1 §3.4.2).
 */
function addAttributeWildcard(wildcard: Wildcard | undefined, members: RecordMembers): void {
  if (wildcard === undefined) {
    return;
  }
  const { span, documentation, namespaces, processContents: process } = wildcard;
  const inheritedWildcard = members.fields.find((candidate) => candidate.kind === "anyAttribute");
  const field: AnyAttributeField = {
    kind: "anyAttribute",
    span,
    documentation,
    namespaces,
    process,
    key: inheritedWildcard?.key ?? "anyAttribute",
    inherited: false,
  };
  if (inheritedWildcard === undefined) {
    members.add(field);
  } else if (inheritedWildcard.span !== span) {
    members.replace(field);
  }
}

const kindOrder: readonly Field["kind"][] = ["attribute", "element", "text", "mixed", "anyAttribute"];

/** Sorts fields: inherited fields, then attributes, then content, then attributes that a wildcard allows. */
function sortFields(fields: readonly Field[]): readonly Field[] {
  const inheritedFields = fields.filter((field) => field.inherited);
  const addedFields = fields.filter((field) => !field.inherited);
  const rank = ({ kind }: Field) => kindOrder.indexOf(kind === "group" || kind === "any" ? "element" : kind);
  return [...inheritedFields, ...addedFields.sort((a, b) => rank(a) - rank(b))];
}

type Records = ReadonlyMap<ComplexTypeDefinition, RecordType>;

/**
 * Sets `removed` in each record: the members that a restriction removed, if ancestors in the Contract have them. All
 * records must have been defined.
 */
export function withRemovedMembers(records: Records): readonly RecordType[] {
  const completedRecords = new Map<ComplexTypeDefinition, RecordType>();
  const completeRecord = (type: ComplexTypeDefinition, record: RecordType): RecordType => {
    const existingRecord = completedRecords.get(type);
    if (existingRecord !== undefined) {
      return existingRecord;
    }
    const ancestor = findNearestAncestor(type, records);
    const completedRecord = ancestor === undefined ? record : omitMembersOf(completeRecord(...ancestor), record);
    completedRecords.set(type, completedRecord);
    return completedRecord;
  };
  return [...records].map(([type, record]) => completeRecord(type, record));
}

function findNearestAncestor(
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

function omitMembersOf(ancestor: RecordType, record: RecordType): RecordType {
  const presentKeys = new Set(record.fields.map((field) => field.key));
  const inheritedKeys = [...ancestor.fields.map((field) => field.key), ...ancestor.removed];
  const removedKeys = inheritedKeys.filter((key) => !presentKeys.has(key));
  const addsRemovedMember = ancestor.removed.some((key) => presentKeys.has(key));
  return { ...(addsRemovedMember ? omitBase(record) : record), removed: removedKeys };
}

/**
 * Removes the base of a record that adds back a member that a restriction had removed. The TypeScript type of such a
 * record is not a subtype of the base, so it must list all members.
 */
function omitBase(record: RecordType): RecordType {
  return { ...record, base: undefined, fields: record.fields.map((field) => ({ ...field, inherited: false })) };
}
