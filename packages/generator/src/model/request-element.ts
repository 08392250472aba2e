import type { Body, TypeDefinition, TypeId, WireName } from "./soap.js";

/**
 * Returns the first element in the body of a message, by which servers recognize requests; undefined if the body is
 * empty.
 */
export function findFirstElement(
  body: Body,
  findType: (id: TypeId) => TypeDefinition | undefined,
): WireName | undefined {
  if (body.kind === "element") {
    return body.element;
  }
  const record = findType(body.record);
  const part = record?.kind === "record" ? record.fields.find(({ kind }) => kind === "element") : undefined;
  return part?.kind === "element" ? part.wireName : undefined;
}
