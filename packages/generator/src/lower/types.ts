import type {
  ComplexTypeDefinition,
  DerivationMethod,
  ElementDeclaration,
  SchemaComponents,
  TypeDefinition as SchemaType,
} from "../components/xsd-model.js";
import type { RecordType, TypeDefinition, TypeId, TypeReference } from "../model/schema-types.js";
import type { Code } from "../source/catalogue/index.js";
import type { Diagnostics, UnresolvedText } from "../source/diagnostics.js";
import type { SourceLimits } from "../source/limits.js";
import type { SourceText, Span } from "../source/span.js";
import { lowerComplexType } from "./complex-type.js";
import { lowerPolymorphic } from "./polymorphic.js";
import { withRemovedMembers } from "./removed-members.js";
import { lowerSimpleType } from "./simple-type.js";
import { lowerSoapArray } from "./soap-array.js";
import { encodedBuiltin, isSoapArray } from "./soap-encoding.js";
import { TypeIds, type TypeNames } from "./type-ids.js";

interface Text {
  readonly message: string;
  readonly help?: string | undefined;
}

/** Lowers the types that services reach: each once, when it is first referred to. */
export class TypeLowering {
  readonly diagnostics: Diagnostics;
  readonly limits: SourceLimits;
  readonly #ids: TypeIds;
  readonly #namespaces: ReadonlySet<string>;
  readonly #definitions = new Map<TypeId, TypeDefinition>();
  readonly #pending: SchemaType[] = [];
  readonly #reached = new Set<SchemaType>();
  readonly #records = new Map<ComplexTypeDefinition, RecordType>();
  readonly #simple = new Set<TypeId>();
  readonly #reported = new Set<string>();

  constructor(schema: SchemaComponents, diagnostics: Diagnostics, limits: SourceLimits) {
    this.#ids = new TypeIds(schema);
    this.#namespaces = schema.namespaces;
    this.diagnostics = diagnostics;
    this.limits = limits;
  }

  namesOf(type: SchemaType): TypeNames {
    return this.#ids.of(type);
  }

  /** What a place of this type holds: the type, or where others derive from it, any of them. */
  reference(type: SchemaType, blocked: readonly DerivationMethod[] = []): TypeReference {
    if (type.kind === "complexType" && type.builtin === undefined && !isSoapArray(type)) {
      const polymorphic = this.#polymorphic(type, blocked);
      if (polymorphic !== undefined) return polymorphic;
    }
    return this.exact(type);
  }

  /** XSD 1.0 Part 1 §3.3.2: `block` on the element may keep derived types out of it. */
  elementType(element: ElementDeclaration): TypeReference {
    return this.reference(element.type, methodsIn(element.block));
  }

  /** The type itself, without those derived from it. */
  exact(type: SchemaType): TypeReference {
    const builtin = type.builtin ?? encodedBuiltin(type);
    if (builtin !== undefined) return { kind: "builtin", name: builtin };
    if (!this.#reached.has(type)) {
      this.#reached.add(type);
      this.#pending.push(type);
    }
    const { id } = this.#ids.of(type);
    if (type.kind === "simpleType") this.#simple.add(id);
    return { kind: "named", id };
  }

  /** A complex type, lowered now. */
  record(type: ComplexTypeDefinition): RecordType {
    const known = this.#records.get(type);
    if (known !== undefined) return known;
    const record = lowerComplexType(type, this);
    this.#records.set(type, record);
    this.#reached.add(type);
    this.add(record);
    return record;
  }

  /** The record that a reference leads to, where it is one and nothing derives from it. */
  recordOf(type: SchemaType): RecordType | undefined {
    if (type.kind !== "complexType" || type.builtin !== undefined || isSoapArray(type)) return undefined;
    const reference = this.reference(type);
    return reference.kind === "named" && reference.id === this.#ids.of(type).id ? this.record(type) : undefined;
  }

  /** Whether values of a type are text on the wire. */
  isSimple(reference: TypeReference): boolean {
    if (reference.kind === "builtin") return reference.name !== "anyType";
    return this.#simple.has(reference.id);
  }

  add(definition: TypeDefinition): void {
    this.#definitions.set(definition.id, definition);
  }

  find(id: TypeId): TypeDefinition | undefined {
    return this.#definitions.get(id);
  }

  /** Everything reached, in schema order: by document, then by place, then (one declaration in several) by namespace. */
  definitions(documents: readonly SourceText[]): readonly TypeDefinition[] {
    for (let type = this.#pending.pop(); type !== undefined; type = this.#pending.pop()) this.#lower(type);
    for (const record of withRemovedMembers(this.#records)) this.add(record);
    const rank = new Map(documents.map((source, index) => [source, index]));
    const rankOf = (one: TypeDefinition) => rank.get(one.span.source) ?? documents.length;
    const namespaces = [...this.#namespaces];
    const spaceOf = (one: TypeDefinition) => namespaces.indexOf(namespaceOf(one.id));
    return [...this.#definitions.values()].sort(
      (a, b) =>
        rankOf(a) - rankOf(b) || a.span.start - b.span.start || spaceOf(a) - spaceOf(b) || compareIds(a.id, b.id),
    );
  }

  /** Reports a warning about a declaration once, in however many namespaces and types it is seen. */
  warnOnce(code: Code, span: Span, text: Text): void {
    if (this.#isNews(code, span)) this.diagnostics.warning(code, span, text);
  }

  errorOnce(code: Code, span: Span, text: Text): void {
    if (this.#isNews(code, span)) this.diagnostics.error(code, span, text);
  }

  breachOnce(code: Code, span: Span, text: Text): void {
    if (this.#isNews(code, span)) this.diagnostics.breach(code, span, text);
  }

  unresolvedOnce(code: Code, span: Span, text: UnresolvedText): void {
    if (this.#isNews(code, span)) this.diagnostics.unresolved(code, span, text);
  }

  infoOnce(code: Code, span: Span, text: Text): void {
    if (this.#isNews(code, span)) this.diagnostics.info(code, span, text);
  }

  #isNews(code: Code, span: Span): boolean {
    const place = `${code} ${span.start} ${span.source.path}`;
    if (this.#reported.has(place)) return false;
    this.#reported.add(place);
    return true;
  }

  #lower(type: SchemaType): void {
    if (type.kind === "complexType" && isSoapArray(type)) this.add(lowerSoapArray(type, this));
    else if (type.kind === "complexType") this.record(type);
    else this.add(lowerSimpleType(type, this));
  }

  #polymorphic(type: ComplexTypeDefinition, blocked: readonly DerivationMethod[]): TypeReference | undefined {
    if (type.name === undefined) return undefined;
    const id = `${this.#ids.of(type).id}*${blocked.map((method) => `/no-${method}`).join("")}`;
    if (this.#definitions.has(id)) return { kind: "named", id };
    const definition = lowerPolymorphic(type, { id, blocked, types: this });
    if (definition === undefined) return undefined;
    this.add(definition);
    return { kind: "named", id };
  }
}

function methodsIn(block: ReadonlySet<string>): readonly DerivationMethod[] {
  return (["extension", "restriction"] as const).filter((method) => block.has(method));
}

function namespaceOf(id: TypeId): string {
  return /^\{([^}]*)\}/.exec(id)?.[1] ?? "";
}

/** By code units: the same in every locale. */
function compareIds(a: TypeId, b: TypeId): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
