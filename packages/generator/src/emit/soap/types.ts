import type { EnumerationType, Field, TypeId, TypeReference } from "../../model/index.js";
import type { ValueKind } from "../../plan/index.js";
import { arrayType, code, type Fragment, type LiteralValue, runtimeType, union, use } from "../../print/index.js";
import { typesFile } from "../files.js";
import { orNull } from "../members.js";
import { builtinOf, definitionOf, planOf, type SoapContext, typeSymbol } from "./context.js";

/** The TypeScript type of a reference. */
export function referencedType(reference: TypeReference, context: SoapContext): Fragment {
  if (reference.kind === "named") {
    const { inline } = planOf(reference.id, context);
    return inline ? writtenOutType(reference.id, context) : use(typeSymbol(reference.id, context));
  }
  const { alias, value } = builtinOf(reference.name, context);
  return alias === undefined ? valueType(value) : use(context.folders.contract.type(alias, typesFile));
}

/** A simple type or an array written out: what the alias of a named one means. */
export function writtenOutType(id: TypeId, context: SoapContext): Fragment {
  const definition = definitionOf(id, context);
  switch (definition.kind) {
    case "restriction":
    case "enumeration":
      return referencedType(definition.base, context);
    case "array":
      return arrayType(orNull(referencedType(definition.item, context)));
    case "list":
      return arrayType(referencedType(definition.item, context));
    case "union":
      return union(...definition.members.map((member) => referencedType(member, context)));
    default:
      throw new Error(`${id} is neither a simple type nor an array.`);
  }
}

export function valueType(kind: ValueKind): Fragment {
  switch (kind) {
    case "string":
    case "lexical":
      return code`string`;
    case "number":
      return code`number`;
    case "bigint":
      return code`bigint`;
    case "boolean":
      return code`boolean`;
    case "bytes":
      return code`Uint8Array`;
    case "strings":
      return arrayType(code`string`);
    case "date":
      return code`Date`;
    case "any":
      return use(runtimeType("@bothends/runtime", "AnyValue"));
  }
}

/** The type of a record's member, without `undefined`. */
export function fieldType(field: Field, context: SoapContext): Fragment {
  switch (field.kind) {
    case "element": {
      const item = orNull(referencedType(field.type, context), field.nillable);
      return field.max === 1 ? item : arrayType(item);
    }
    case "attribute":
    case "text":
      return referencedType(field.type, context);
    case "group":
      return arrayType(use(typeSymbol(field.item, context)));
    case "mixed":
      return arrayType(union(code`string`, use(typeSymbol(field.item, context))));
    case "any": {
      const element = use(runtimeType("@bothends/runtime", "AnyElement"));
      return field.max === 1 ? element : arrayType(element);
    }
    case "anyAttribute":
      return arrayType(use(runtimeType("@bothends/runtime", "AnyAttribute")));
  }
}

/** Whether a value may be without the member. */
export function isOptional(field: Field): boolean {
  switch (field.kind) {
    case "element":
    case "group":
    case "any":
      return field.min === 0;
    case "attribute":
      return !field.required;
    case "anyAttribute":
      return true;
    default:
      return false;
  }
}

/**
 * The values of an enumeration as literals, or undefined where text and value are not one to one: `1.0` and `1.00` are
 * the same decimal, so that a literal type would be too narrow.
 */
export function enumerationLiterals(type: EnumerationType, context: SoapContext): readonly LiteralValue[] | undefined {
  const kind = enumeratedKind(type.base, context);
  const literals = type.values.map(({ text }) => literalValue(text, kind));
  if (literals.length === 0 || literals.some((value) => value === undefined)) {
    return undefined;
  }
  return [...new Set(literals.filter((value) => value !== undefined))];
}

function enumeratedKind(reference: TypeReference, context: SoapContext): ValueKind | undefined {
  if (reference.kind === "builtin") {
    return reference.name === "anyURI" ? "string" : builtinOf(reference.name, context).value;
  }
  const definition = definitionOf(reference.id, context);
  switch (definition.kind) {
    case "enumeration":
    case "restriction":
      return enumeratedKind(definition.base, context);
    case "union": {
      const kinds = new Set(definition.members.map((member) => enumeratedKind(member, context)));
      return kinds.size === 1 && kinds.has("string") ? "string" : undefined;
    }
    default:
      return undefined;
  }
}

function literalValue(text: string, kind: ValueKind | undefined): LiteralValue | undefined {
  switch (kind) {
    case "string":
      return text;
    case "number":
      return /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))
        ? Number(text) + 0
        : undefined;
    case "bigint":
      return /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
    case "boolean":
      return ["true", "1"].includes(text) ? true : ["false", "0"].includes(text) ? false : undefined;
    default:
      return undefined;
  }
}
