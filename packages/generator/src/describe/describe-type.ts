import type { FacetValue, PolymorphicType, TypeDefinition } from "../model/index.js";
import { describeRecord } from "./describe-record.js";
import { clarkName, describeReference } from "./names.js";
import { filled, object, record, type Value } from "./value.js";

/** The descriptor of a type, in the runtime's format. */
export function describeType(type: TypeDefinition, definitions: ReadonlyMap<string, TypeDefinition>): Value {
  const name = type.name === undefined ? type.id : clarkName(type.name);
  switch (type.kind) {
    case "record":
      return describeRecord(type);
    case "polymorphic":
      return describePolymorphic(type, definitions);
    case "array":
      return object({
        kind: "array",
        name: name,
        element: clarkName(type.itemName),
        item: describeReference(type.item),
      });
    case "enumeration":
      return object({
        kind: "derived",
        name,
        by: xs("restriction"),
        of: [describeReference(type.base)],
        facets: [[xs("enumeration"), { kind: "values", id: type.id }], ...type.facets.map(describeFacet)],
      });
    case "restriction":
      return object({
        kind: "derived",
        name,
        by: xs("restriction"),
        of: [describeReference(type.base)],
        facets: filled(type.facets.map(describeFacet)),
      });
    case "list":
      return object({ kind: "derived", name, by: xs("list"), of: [describeReference(type.item)] });
    case "union":
      return object({ kind: "derived", name, by: xs("union"), of: type.members.map(describeReference) });
  }
}

function describePolymorphic(type: PolymorphicType, definitions: ReadonlyMap<string, TypeDefinition>): Value {
  const declared = definitions.get(type.declared);
  return object({
    kind: "polymorphic",
    name: declared?.name === undefined ? type.declared : clarkName(declared.name),
    declared: type.alternatives.find((arm) => arm.type === type.declared)?.tag,
    arms: record(type.alternatives.map((arm) => [arm.tag, { kind: "type", id: arm.type }])),
  });
}

function describeFacet(facet: FacetValue): Value {
  return [xs(facet.facet), facet.value];
}

function xs(name: string): Value {
  return { kind: "xs", name };
}
