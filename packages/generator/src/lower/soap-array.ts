import type { ArrayType, ComplexTypeDefinition, ElementDeclaration, Particle } from "../components/xsd-model.js";
import type { ArrayType as SoapArray, TypeReference } from "../model/schema-types.js";
import { isSoapEncoding } from "./soap-encoding.js";
import type { TypeLowering } from "./types.js";

/**
 * SOAP 1.1 §5.4.2: a restriction of `soapenc:Array` is an array of items, each called `item` unless the schema names it.
 * The attributes of an array are the encoding's, not the value's.
 */
export function lowerSoapArray(type: ComplexTypeDefinition, types: TypeLowering): SoapArray {
  const { id, name, words } = types.namesOf(type);
  const { span, documentation } = type;
  const declared = isSoapEncoding(type.name) ? undefined : declaredItem(type);
  const item =
    declared === undefined
      ? { itemName: plainItem, item: arrayTypeItem(type, types) }
      : { itemName: declared.name, item: types.elementType(declared) };
  return { kind: "array", id, name, words, span, documentation, ...item };
}

const plainItem = { namespace: "", local: "item" };

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
  const { id, words } = types.namesOf(type);
  const nested = `${id}/(item${depth === 0 ? "" : depth + 1})`;
  types.add({
    kind: "array",
    id: nested,
    name: undefined,
    words: [...words, "item"],
    span: type.span,
    documentation: undefined,
    itemName: plainItem,
    item: inner,
  });
  return { kind: "named", id: nested };
}
