import { clark } from "@bothends/xml";
import type { SchemaComponents, TypeDefinition } from "../components/xsd-model.js";
import type { TypeId, WireName } from "../model/schema-types.js";

/** What a type is called: its id, the words of a TypeScript name, and its name on the wire. */
export interface TypeNames {
  readonly id: TypeId;
  readonly name: WireName | undefined;
  readonly words: readonly string[];
  /** For an anonymous type, its element's. */
  readonly wireName: WireName;
}

/** Gives each type of a schema one id: its name, or the way to it from the component that owns it. */
export class TypeIds {
  readonly #schema: SchemaComponents;
  readonly #names = new Map<TypeDefinition, TypeNames>();
  readonly #taken = new Set<TypeId>();

  constructor(schema: SchemaComponents) {
    this.#schema = schema;
  }

  of(type: TypeDefinition): TypeNames {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const names = type.name === undefined ? this.#anonymous(type) : namedType(type.name);
    this.#names.set(type, names);
    this.#taken.add(names.id);
    return names;
  }

  #anonymous(type: TypeDefinition): TypeNames {
    const { context } = type;
    if (context === undefined) throw new Error("an anonymous type without a context");
    const owner = clark(context.name.namespace, context.name.local);
    // Elements, groups and types have names of their own kinds: only a type's goes without a mark where both exist.
    const mark = context.owner === "type" || !this.#schema.types.has(owner) ? "" : `@${context.owner}`;
    const id = [owner + mark, ...context.steps].join("/");
    const words = [context.name.local, ...context.steps];
    const local = words.at(-1) ?? context.name.local;
    return { id: this.#unique(id), name: undefined, words, wireName: { ...context.name, local } };
  }

  /** Two local elements of one name may each have an anonymous type. */
  #unique(id: TypeId): TypeId {
    let candidate = id;
    for (let count = 2; this.#taken.has(candidate); count += 1) candidate = `${id};${count}`;
    return candidate;
  }
}

function namedType(name: WireName): TypeNames {
  return { id: clark(name.namespace, name.local), name, words: [name.local], wireName: name };
}
