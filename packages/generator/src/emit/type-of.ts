import type { Field, TypeReference } from "../model/index.js";
import type { ValueKind } from "../plan/index.js";
import { runtimeType, type TypeNode, unreachable } from "../print/index.js";
import { arrayOf, keyword, orNull, typeOf, union } from "./nodes.js";
import { typesFile } from "./places.js";
import { builtinOf, definitionOf, planOf, type SoapContext, typeSymbol } from "./soap-context.js";

/** The TypeScript type of a reference. */
export function typeNode(reference: TypeReference, context: SoapContext): TypeNode {
  if (reference.kind === "builtin") {
    const { alias, value } = builtinOf(reference.name, context);
    return alias === undefined ? valueNode(value) : typeOf(context.places.contract.type(alias, typesFile));
  }
  return planOf(reference.id, context).inline
    ? inlineNode(reference.id, context)
    : typeOf(typeSymbol(reference.id, context));
}

/** A simple type or an array written out: what a named one's alias stands for. */
export function inlineNode(id: string, context: SoapContext): TypeNode {
  const definition = definitionOf(id, context);
  switch (definition.kind) {
    case "restriction":
    case "enumeration":
      return typeNode(definition.base, context);
    case "array":
      return arrayOf(orNull(typeNode(definition.item, context), true));
    case "list":
      return arrayOf(typeNode(definition.item, context));
    case "union":
      return union(...definition.members.map((member) => typeNode(member, context)));
    default:
      throw new Error(`${id} is neither a simple type nor an array.`);
  }
}

export function valueNode(kind: ValueKind): TypeNode {
  switch (kind) {
    case "string":
    case "lexical":
      return keyword("string");
    case "number":
    case "bigint":
    case "boolean":
      return keyword(kind);
    case "bytes":
      return keyword("Uint8Array");
    case "strings":
      return arrayOf(keyword("string"));
    case "date":
      return keyword("Date");
    case "any":
      return typeOf(runtimeType("@bothends/runtime", "AnyValue"));
    default:
      return unreachable(kind);
  }
}

/** The type of a record's member, without `undefined`. */
export function fieldNode(field: Field, context: SoapContext): TypeNode {
  switch (field.kind) {
    case "element": {
      const item = orNull(typeNode(field.type, context), field.nillable);
      return field.max === 1 ? item : arrayOf(item);
    }
    case "attribute":
    case "text":
      return typeNode(field.type, context);
    case "group":
      return arrayOf(typeOf(typeSymbol(field.item, context)));
    case "mixed":
      return arrayOf(union(keyword("string"), typeOf(typeSymbol(field.item, context))));
    case "any": {
      const element = typeOf(runtimeType("@bothends/runtime", "AnyElement"));
      return field.max === 1 ? element : arrayOf(element);
    }
    case "anyAttribute":
      return arrayOf(typeOf(runtimeType("@bothends/runtime", "AnyAttribute")));
    default:
      return unreachable(field);
  }
}

/** Whether a value may go without the member. */
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
