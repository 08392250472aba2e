import { clark } from "@bothends/xml";
import type {
  ComplexTypeDefinition,
  DerivationMethod,
  ElementDeclaration,
  SchemaComponents,
  TypeDefinition as SchemaType,
} from "../../components/xsd/schema-components.js";
import type {
  BuiltinName,
  PolymorphicType,
  RecordType,
  TypeDefinition,
  TypeId,
  TypeReference,
  WireName,
} from "../../model/xsd-types.js";
import { type Diagnostics, ReportOnce } from "../../source/diagnostics.js";
import type { SourceLimits } from "../../source/source-limits.js";
import { isSoapEncoding } from "../../source/xml-names.js";

/**
 * Creates references to the types of a schema, and collects the definitions of these types. The first reference to a
 * type makes the type pending. `lowerReferencedTypes` then defines the pending types, which may refer to additional
 * types.
 */
export class TypeReferences {
  readonly limits: SourceLimits;
  readonly reports: ReportOnce;
  readonly #ids: TypeIds;
  readonly #definitions = new Map<TypeId, TypeDefinition>();
  readonly #records = new Map<ComplexTypeDefinition, RecordType>();
  readonly #referencedTypes = new Set<SchemaType>();
  readonly #pendingTypes: SchemaType[] = [];
  readonly #simpleTypes = new Set<TypeId>();

  constructor(schema: SchemaComponents, diagnostics: Diagnostics, limits: SourceLimits) {
    this.#ids = new TypeIds(schema);
    this.reports = new ReportOnce(diagnostics);
    this.limits = limits;
  }

  getNames(type: SchemaType): TypeNames {
    return this.#ids.getNames(type);
  }

  /** Returns a reference to a type, including the derived types that `xsi:type` may name. */
  to(type: SchemaType, blockedMethods: readonly DerivationMethod[] = []): TypeReference {
    if (type.kind === "complexType" && type.builtin === undefined && !isSoapArray(type)) {
      const polymorphicType = this.#toPolymorphic(type, blockedMethods);
      if (polymorphicType !== undefined) {
        return polymorphicType;
      }
    }
    return this.toExactly(type);
  }

  /**
   * Returns a reference to the type of an element. The element's attribute `block` may exclude derived types (XSD 1.0
   * Part 1 §3.3.2).
   */
  toTypeOf(element: ElementDeclaration): TypeReference {
    const blockedMethods = (["extension", "restriction"] as const).filter((method) => element.block.has(method));
    return this.to(element.type, blockedMethods);
  }

  /**
   * Returns a reference to a type without its derived types. If it is the first reference, the type becomes pending.
   */
  toExactly(type: SchemaType): TypeReference {
    const builtin = type.builtin ?? findEncodedBuiltin(type);
    if (builtin !== undefined) {
      return { kind: "builtin", name: builtin };
    }
    if (!this.#referencedTypes.has(type)) {
      this.#referencedTypes.add(type);
      this.#pendingTypes.push(type);
    }
    const { id } = this.#ids.getNames(type);
    if (type.kind === "simpleType") {
      this.#simpleTypes.add(id);
    }
    return { kind: "named", id };
  }

  /** Whether messages contain the values of the type as text, without elements or attributes. */
  isSimple(reference: TypeReference): boolean {
    return reference.kind === "builtin" ? reference.name !== "anyType" : this.#simpleTypes.has(reference.id);
  }

  /** Removes and returns a type that has a reference but no definition yet. */
  takePending(): SchemaType | undefined {
    return this.#pendingTypes.pop();
  }

  define(definition: TypeDefinition): void {
    this.#definitions.set(definition.id, definition);
  }

  defineRecord(type: ComplexTypeDefinition, record: RecordType): void {
    this.#records.set(type, record);
    this.#referencedTypes.add(type);
    this.define(record);
  }

  findDefinition(id: TypeId): TypeDefinition | undefined {
    return this.#definitions.get(id);
  }

  get definitions(): Iterable<TypeDefinition> {
    return this.#definitions.values();
  }

  /** The records of complex types, excluding those for messages and repeated groups. */
  get records(): ReadonlyMap<ComplexTypeDefinition, RecordType> {
    return this.#records;
  }

  #toPolymorphic(type: ComplexTypeDefinition, blockedMethods: readonly DerivationMethod[]): TypeReference | undefined {
    if (type.name === undefined) {
      return undefined;
    }
    const id = `${this.#ids.getNames(type).id}*${blockedMethods.map((method) => `/no-${method}`).join("")}`;
    if (!this.#definitions.has(id)) {
      const definition = lowerPolymorphic(type, { id, blockedMethods, references: this });
      if (definition === undefined) {
        return undefined;
      }
      this.define(definition);
    }
    return { kind: "named", id };
  }
}

/** The names of a type: its id, the words of its TypeScript name, and its name in messages. */
export interface TypeNames {
  readonly id: TypeId;
  readonly name: WireName | undefined;
  readonly words: readonly string[];
  /** For an anonymous type, the name of its element. */
  readonly wireName: WireName;
}

/**
 * Gives each type of a schema a unique id: its name or, for an anonymous type, the path from the named component that
 * contains it.
 */
class TypeIds {
  readonly #schema: SchemaComponents;
  readonly #names = new Map<SchemaType, TypeNames>();
  readonly #usedIds = new Set<TypeId>();

  constructor(schema: SchemaComponents) {
    this.#schema = schema;
  }

  getNames(type: SchemaType): TypeNames {
    const existingNames = this.#names.get(type);
    if (existingNames !== undefined) {
      return existingNames;
    }
    const names = type.name === undefined ? this.#nameAnonymousType(type) : getNamedType(type.name);
    this.#names.set(type, names);
    this.#usedIds.add(names.id);
    return names;
  }

  #nameAnonymousType(type: SchemaType): TypeNames {
    const { context } = type;
    if (context === undefined) {
      throw new Error("An anonymous type has no context.");
    }
    const owner = clark(context.name.namespace, context.name.local);
    // If an element or a group has the same name as a type, the ids of the anonymous types inside it get a suffix.
    const suffix = context.owner === "type" || !this.#schema.types.has(owner) ? "" : `@${context.owner}`;
    const id = [owner + suffix, ...context.steps].join("/");
    const words = [context.name.local, ...context.steps];
    const local = words.at(-1) ?? context.name.local;
    return { id: this.#makeIdUnique(id), name: undefined, words, wireName: { ...context.name, local } };
  }

  /** Returns the id, with a number if it is taken: two local elements with the same name may have anonymous types. */
  #makeIdUnique(id: TypeId): TypeId {
    let candidate = id;
    for (let count = 2; this.#usedIds.has(candidate); count += 1) {
      candidate = `${id};${count}`;
    }
    return candidate;
  }
}

function getNamedType(name: WireName): TypeNames {
  return { id: clark(name.namespace, name.local), name, words: [name.local], wireName: name };
}

/**
 * Lowers a complex type with its derived types, which `xsi:type` may name, to a union; returns undefined if it has no
 * derived types.
 */
function lowerPolymorphic(
  type: ComplexTypeDefinition,
  {
    id,
    blockedMethods,
    references,
  }: { readonly id: TypeId; readonly blockedMethods: readonly DerivationMethod[]; readonly references: TypeReferences },
): PolymorphicType | undefined {
  const descendantTypes = isSoapEncoding(type.name) ? [] : findDerivedTypes(type, blockedMethods);
  if (descendantTypes.length === 0) {
    if (type.abstract && blockedMethods.length === 0) {
      reportNothingConcrete(type, references);
    }
    return undefined;
  }
  const concreteTypes = type.abstract ? descendantTypes : [type, ...descendantTypes];
  const { name, words } = references.getNames(type);
  const tags = listTags(concreteTypes, name);
  return {
    kind: "polymorphic",
    id,
    name: undefined,
    words,
    span: type.span,
    documentation: type.documentation,
    declared: getId(type, references),
    blocked: blockedMethods,
    alternatives: concreteTypes.map((alternative, index) => ({
      tag: tags[index] ?? "",
      type: getId(alternative, references),
    })),
  };
}

/**
 * Returns the named types that are derived from a type, except abstract and blocked ones, each after its base (XSD 1.0
 * Part 1 §3.4.4).
 */
function findDerivedTypes(
  type: ComplexTypeDefinition,
  blockedMethods: readonly DerivationMethod[],
): readonly ComplexTypeDefinition[] {
  const concreteTypes: ComplexTypeDefinition[] = [];
  const visit = (base: ComplexTypeDefinition): void => {
    for (const derivedType of base.derivedTypes) {
      if (
        derivedType.kind !== "complexType" ||
        type.block.has(derivedType.derivation) ||
        blockedMethods.includes(derivedType.derivation)
      ) {
        continue;
      }
      if (!derivedType.abstract && derivedType.name !== undefined) {
        concreteTypes.push(derivedType);
      }
      visit(derivedType);
    }
  };
  visit(type);
  return concreteTypes;
}

/**
 * Returns the tags that distinguish the types in a union: their local names, or expanded names if two types have the
 * same local name.
 */
function listTags(types: readonly ComplexTypeDefinition[], declaredName: WireName | undefined): readonly string[] {
  const names = types.map(({ name }) => name ?? declaredName);
  const counts = new Map<string, number>();
  for (const name of names) {
    if (name !== undefined) {
      counts.set(name.local, (counts.get(name.local) ?? 0) + 1);
    }
  }
  return names.map((name) => {
    if (name === undefined) {
      throw new Error("A derived type has no name.");
    }
    return counts.get(name.local) === 1 ? name.local : clark(name.namespace, name.local);
  });
}

function getId(type: ComplexTypeDefinition, references: TypeReferences): TypeId {
  const reference = references.toExactly(type);
  if (reference.kind !== "named") {
    throw new Error("A derived type or its base is a built-in type, which has no record.");
  }
  return reference.id;
}

function reportNothingConcrete(type: SchemaType, { reports }: TypeReferences): void {
  reports.warning("WSDL030", type.span, {
    message: `The complex type "${type.name?.local}" is abstract, and no type is derived from it, so it has no values.`,
    help: "Define a type that extends this type, or import a schema that defines one.",
  });
}

/**
 * Returns the built-in type that a type of the SOAP encoding extends (SOAP 1.1 §5.2): `string` for `soapenc:string`,
 * whose attributes `id` and `href` are not part of the value.
 */
function findEncodedBuiltin(type: SchemaType): BuiltinName | undefined {
  if (!isSoapEncoding(type.name)) {
    return undefined;
  }
  let base: SchemaType = type;
  while (base.builtin === undefined) {
    if (base.kind === "simpleType") {
      base = base.baseType;
    } else if (base.content.kind === "simple") {
      base = base.content.type;
    } else {
      return undefined;
    }
  }
  return base.builtin;
}

/** Whether a type is `soapenc:Array`, or a restriction of it. */
export function isSoapArray(type: ComplexTypeDefinition): boolean {
  let ancestor: SchemaType = type;
  while (ancestor.kind === "complexType" && ancestor.builtin === undefined) {
    if (isSoapEncoding(ancestor.name) && ancestor.name?.local === "Array") {
      return true;
    }
    ancestor = ancestor.baseType;
  }
  return false;
}
