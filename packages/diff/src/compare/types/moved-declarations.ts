import type { Span, TypeDefinition, TypeId, WireName } from "@bothends/generator";
import type { MovedDeclaration } from "../difference.js";
import type { SoapSide } from "../soap-side.js";
import type { MatchedField, NamedField } from "./match-fields.js";
import type { Records } from "./regroupings.js";
import { getName, type TypeComparison } from "./type-comparison.js";

interface NamedFields extends MatchedField {
  readonly before: NamedField;
  readonly after: NamedField;
}

/**
 * Finds the declaration that moved to another namespace together with a member: the global type or element that
 * contains the member, or the global element or attribute to which the member refers. If the member has no namespace in
 * one version, its type must have moved; otherwise, its schema only declares another form of the name.
 */
export function findMovedDeclaration(
  { old: oldSide, new: newSide }: Pick<TypeComparison, "old" | "new">,
  records: Records,
  { before, after }: NamedFields,
): MovedDeclaration | undefined {
  const [oldNamespace, newNamespace] = [before.wireName.namespace, after.wireName.namespace];
  if (oldNamespace === newNamespace) {
    return undefined;
  }
  const [oldType, newType] = [getGlobalType(oldSide, records.before), getGlobalType(newSide, records.after)];
  const hasOtherForm = oldNamespace === "" || newNamespace === "";
  if (hasOtherForm && oldType.namespace === newType.namespace) {
    return undefined;
  }
  return hasOtherForm || (oldType.namespace === oldNamespace && newType.namespace === newNamespace)
    ? {
        kind: newType.definition?.name === undefined ? "element" : "type",
        name: newType.local,
        oldSpan: oldType.definition?.span,
        newSpan: newType.definition?.span,
      }
    : { kind: after.kind, name: after.wireName.local, oldSpan: before.span, newSpan: after.span };
}

/** An element of a body, a fault or a header. */
interface GlobalElement {
  readonly element: WireName;
  readonly span?: Span | undefined;
  /** Whether the element is named after an operation of rpc style, so that no schema declares it. */
  readonly rpc?: boolean;
}

/**
 * Describes a global element that moved to another namespace; returns undefined if it has another name, or if no schema
 * declares it.
 */
export function findMovedElement(
  { old: oldSide, new: newSide }: Pick<TypeComparison, "old" | "new">,
  before: GlobalElement,
  after: GlobalElement,
): MovedDeclaration | undefined {
  const { local } = after.element;
  if (before.element.local !== local || before.rpc === true || after.rpc === true) {
    return undefined;
  }
  const findSpan = ({ types }: SoapSide, { element, span }: GlobalElement) => {
    const type = types.get(`{${element.namespace}}${local}`);
    return type === undefined || type.name !== undefined ? span : type.span;
  };
  return { kind: "element", name: local, oldSpan: findSpan(oldSide, before), newSpan: findSpan(newSide, after) };
}

/** Describes a type that moved to another namespace. */
export function createMovedType(before: TypeDefinition, after: TypeDefinition): MovedDeclaration {
  return { kind: "type", name: getName(after), oldSpan: before.span, newSpan: after.span };
}

interface GlobalType {
  readonly namespace: string;
  readonly local: string;
  readonly definition: TypeDefinition | undefined;
}

/**
 * Returns the global type that contains the declaration of a type, or the type of the global element that does. An id
 * begins with the global name: `{urn:s}Order/lines`.
 */
function getGlobalType({ types }: SoapSide, { id }: { readonly id: TypeId }): GlobalType {
  const [globalId = "", namespace = "", local = ""] = /^\{([^}]*)\}([^/*]*)/.exec(id) ?? [];
  return { namespace, local, definition: types.get(globalId) };
}

/** Whether a type of the old version and a type of the new one exist in only one version each. */
export function isRenamed(
  { old: oldSide, new: newSide }: Pick<TypeComparison, "old" | "new">,
  before: TypeDefinition,
  after: TypeDefinition,
): boolean {
  return !newSide.types.has(before.id) && !oldSide.types.has(after.id);
}
