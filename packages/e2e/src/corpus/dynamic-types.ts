import type { Body, Reference, SoapDescriptors, SoapInterface, TypeId, Value } from "@bothends/generator";
import type { TypeDescriptor, TypeReference } from "@bothends/runtime";
import * as xs from "@bothends/runtime/xs";

type Descriptor = TypeDescriptor<unknown>;

/** The types of an interface as descriptors that the runtime's codec takes, without generated code between. */
export class DynamicTypes {
  readonly #values: SoapDescriptors["types"];
  readonly #texts: ReadonlyMap<TypeId, readonly string[]>;
  readonly #made = new Map<TypeId, Descriptor>();

  constructor(soap: SoapInterface, descriptors: SoapDescriptors) {
    this.#values = descriptors.types;
    this.#texts = new Map(
      soap.types.flatMap((type) =>
        type.kind === "enumeration" ? [[type.id, type.values.map(({ text }) => text)] as const] : [],
      ),
    );
  }

  reference(type: Extract<Body, { readonly kind: "element" }>["type"]): TypeReference<unknown> {
    if (type.kind === "named") return () => this.#descriptor(type.id);
    const builtin = builtins.get(type.name);
    if (!isReference(builtin)) throw new Error(`The runtime has no type ${type.name}.`);
    return builtin;
  }

  #descriptor(id: TypeId): Descriptor {
    const known = this.#made.get(id);
    if (known !== undefined) return known;
    const value = this.#values.get(id);
    const made = value === undefined ? undefined : this.#real(value);
    if (!isDescriptor(made)) throw new Error(`There is no type ${id}.`);
    this.#made.set(id, made);
    return made;
  }

  #real(value: Value): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (isList(value)) return value.map((each) => this.#real(each));
    if (value.kind !== "object") return this.#referred(value);
    return Object.fromEntries(value.members.map(([key, each]) => [key, this.#real(each)]));
  }

  #referred(reference: Reference): unknown {
    switch (reference.kind) {
      case "builtin":
      case "xs":
        return builtins.get(reference.name);
      case "type":
        return () => this.#descriptor(reference.id);
      case "values":
        return this.#texts.get(reference.id) ?? [];
      default:
        throw new Error(`A type does not refer to a ${reference.kind}.`);
    }
  }
}

const builtins: ReadonlyMap<string, unknown> = new Map<string, unknown>(Object.entries(xs));

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isDescriptor(value: unknown): value is Descriptor {
  return kindOf(value) !== undefined;
}

function isReference(value: unknown): value is Extract<TypeReference<unknown>, object> {
  const kind = kindOf(value);
  return kind === "simple" || kind === "anyType";
}

function kindOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
}
