/**
 * The name of a part about which a difference may be. Attributes, facets and keywords have the names that they have in
 * documents. If a declaration may have several of them, the name ends with the value: `enumeration red`.
 */
export type PartName =
  | AttributeName
  | FacetName
  | KeywordName
  // Parts that readers name: those of bindings, ports, routes and references.
  | "declaration"
  | "parameters"
  | "protocol"
  | "route"
  | `${"content" | "context" | "enumeration" | "member" | "method" | "pattern" | "policy" | "type"} ${string}`;

type AttributeName =
  | "abstract"
  | "base"
  | "default"
  | "element"
  | "fixed"
  | "form"
  | "itemType"
  | "maxOccurs"
  | "memberTypes"
  | "minOccurs"
  | "mixed"
  | "name"
  | "namespace"
  | "nillable"
  | "processContents"
  | "ref"
  | "style"
  | "type"
  | "use";

type FacetName =
  | "fractionDigits"
  | "length"
  | "maxExclusive"
  | "maxInclusive"
  | "maxLength"
  | "minExclusive"
  | "minInclusive"
  | "minLength"
  | "totalDigits"
  | "whiteSpace";

type KeywordName =
  | "$ref"
  | "additionalProperties"
  | "allow_batch"
  | "anyOf"
  | "const"
  | "contains"
  | "context"
  | "description"
  | "enum"
  | "exclusiveMaximum"
  | "exclusiveMinimum"
  | "format"
  | "items"
  | "maxContains"
  | "maxItems"
  | "maxProperties"
  | "maximum"
  | "methods"
  | "minContains"
  | "minItems"
  | "minProperties"
  | "minimum"
  | "multipleOf"
  | "oneOf"
  | "pattern"
  | "patternProperties"
  | "propertyNames"
  | "readOnly"
  | "required"
  | "title"
  | "types"
  | "uniqueItems";

/** Returns the name of an attribute, a facet or a keyword in a document. No rule asks for other names. */
export function toPartName(name: string): PartName {
  return name as PartName;
}
