import type { ArrayType, ComplexTypeDefinition, ElementDeclaration, Particle } from "../components/xsd-model.js";
import type { ElementField, RecordType, TypeReference, WireName } from "../model/types.js";
import { isSoapArray, isSoapEncoding } from "./soap-encoding.js";
import type { TypeLowering } from "./types.js";

/**
 * SOAP 1.1 §5.4.2: a restriction of `soapenc:Array` is a record with one repeated member, `item` unless the schema names it.
 * The attributes of an array are the encoding's, not the value's.
 */
export function lowerSoapArray(type: ComplexTypeDefinition, types: TypeLowering): RecordType | undefined {
  if (!isSoapArray(type)) return undefined;
  const names = types.namesOf(type);
  const declared = isSoapEncoding(type.name) ? undefined : declaredItem(type);
  const item =
    declared === undefined
      ? { wireName: { namespace: "", local: "item" }, type: arrayTypeItem(type, types) }
      : { wireName: declared.name, type: types.elementType(declared) };
  return { ...names, ...arrayRecord(type, item), abstract: type.abstract };
}

/** Some schemas name the item by an element instead of, or beside, `wsdl:arrayType`. */
function declaredItem(type: ComplexTypeDefinition): ElementDeclaration | undefined {
  return type.content.kind === "elements" ? onlyElement(type.content.particle) : undefined;
}

function onlyElement({ term }: Particle): ElementDeclaration | undefined {
  if (term.kind === "element") return term;
  const [first, ...others] = term.kind === "modelGroup" ? term.particles : [];
  return first === undefined || others.length > 0 ? undefined : onlyElement(first);
}

/** WSDL 1.1 §2.2: `wsdl:arrayType` on the attribute `soapenc:arrayType`; without it the items may be anything. */
function arrayTypeItem(type: ComplexTypeDefinition, types: TypeLowering): TypeReference {
  const arrayType = type.attributeUses.find((use) => use.arrayType !== undefined)?.arrayType;
  if (arrayType?.type === undefined) return { kind: "builtin", name: "anyType" };
  const item = types.reference(arrayType.type);
  return dimensionsOf(arrayType, types)
    .slice(1)
    .reduce<TypeReference>((inner, _, depth) => nestedArray(type, inner, { depth, types }), item);
}

/** `[][]` is an array of arrays; SOAP 1.1 §5.4.2 writes the outermost last. */
function dimensionsOf(arrayType: ArrayType, types: TypeLowering): readonly string[] {
  const dimensions = arrayType.dimensions.match(/\[[^\]]*\]/g) ?? [];
  if (dimensions.some((dimension) => dimension.includes(","))) {
    types.errorOnce("WSDL031", arrayType.span, {
      message: `Arrays of more than one dimension are not supported: ${arrayType.dimensions}.`,
      help: "Use an array of arrays, [][].",
    });
  }
  return dimensions;
}

function nestedArray(
  type: ComplexTypeDefinition,
  inner: TypeReference,
  { depth, types }: { readonly depth: number; readonly types: TypeLowering },
): TypeReference {
  const { id, words, wireName } = types.namesOf(type);
  const nested = `${id}/(item${depth === 0 ? "" : depth + 1})`;
  const record = arrayRecord(type, { wireName: { namespace: "", local: "item" }, type: inner });
  types.add({ ...record, id: nested, name: undefined, words: [...words, "item"], wireName, abstract: false });
  return { kind: "named", id: nested };
}

function arrayRecord(type: ComplexTypeDefinition, item: { readonly wireName: WireName; readonly type: TypeReference }) {
  const key = item.wireName.local;
  const field: ElementField = {
    ...item,
    kind: "element",
    key,
    inherited: false,
    min: 0,
    max: "unbounded",
    nillable: true,
    default: undefined,
    fixed: undefined,
    span: type.span,
    documentation: undefined,
  };
  return {
    kind: "record" as const,
    span: type.span,
    documentation: type.documentation,
    base: undefined,
    fields: [field],
    content: [{ kind: "field" as const, key }],
  };
}
