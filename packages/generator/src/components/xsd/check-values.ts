import { clark } from "@bothends/xml";
import type { Span } from "../../source/span.js";
import { isEmptiable } from "./relations.js";
import type { AttributeListSource, Resolution } from "./resolution.js";
import type { SimpleTypeDefinition, TypeDefinition, ValueConstraint } from "./schema-components.js";
import { keepsFixedValue, type SimpleValues } from "./simple-values.js";

/** Reports defaults and fixed values that their types do not have (Part 1 §3.2.6, §3.3.6, §3.5.6). */
export function checkValues(resolution: Resolution, values: SimpleValues): void {
  for (const [attribute, { declaration }] of resolution.attributeSources) {
    const span = declaration.valueConstraint?.value.span ?? declaration.span;
    checkValue(attribute.valueConstraint, { type: attribute.type, span, resolution, values });
    checkNotation(attribute.type, declaration.span, { resolution, values });
  }
  for (const [element, { declaration }] of resolution.elementSources) {
    const span = declaration.valueConstraint?.value.span ?? declaration.span;
    const type = valueType(element.type);
    if (type === "none" && element.valueConstraint !== undefined) {
      report(span, `<${element.name.local}> has no text that could be ${element.valueConstraint.kind}.`, resolution);
    } else if (type !== "none" && type !== "text") {
      checkValue(element.valueConstraint, { type, span, resolution, values });
      checkNotation(type, declaration.span, { resolution, values });
    }
  }
  for (const { list } of resolution.complexTypes.values()) checkReferences(list, resolution, values);
  for (const list of resolution.attributeGroupSources.values()) checkReferences(list, resolution, values);
}

interface Checked {
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** The simple type of an element's text; `text` for mixed content that may be text alone, `none` where there is no text. */
function valueType(type: TypeDefinition): SimpleTypeDefinition | "text" | "none" {
  if (type.kind === "simpleType") return type;
  const { content } = type;
  if (content.kind === "simple") return content.type;
  return content.kind === "mixed" && isEmptiable(content.particle) ? "text" : "none";
}

function checkValue(
  constraint: ValueConstraint | undefined,
  { type, span, resolution, values }: Checked & { readonly type: SimpleTypeDefinition; readonly span: Span },
): void {
  if (constraint === undefined) return;
  if (isId(type)) report(span, `A value of type ID cannot be ${constraint.kind}.`, resolution);
  const problem = values.problem(type, constraint.value, constraint.context);
  if (problem !== undefined) report(span, problem, resolution);
}

/** Part 2 §3.2.19: only enumerated subtypes of NOTATION are used. */
function checkNotation(type: SimpleTypeDefinition, span: Span, { resolution, values }: Checked): void {
  if (type.primitive !== "NOTATION" || values.facetsOf(type).isEnumerated) return;
  resolution.diagnostics.breach("XSD042", span, { message: "NOTATION is used without an enumeration of notations." });
}

/** Part 1 §3.5.6: a reference keeps what the declaration fixes. */
function checkReferences(list: AttributeListSource, resolution: Resolution, values: SimpleValues): void {
  for (const item of list.items) {
    if (!("use" in item)) continue;
    const { declaration, valueConstraint, span } = item.use;
    if (declaration.scope === "local" || valueConstraint === declaration.valueConstraint) continue;
    checkValue(valueConstraint, { type: declaration.type, span, resolution, values });
    if (!keepsFixedValue(declaration.type, declaration.valueConstraint, valueConstraint)) {
      const fixed = declaration.valueConstraint?.value;
      report(span, `The attribute is fixed as "${fixed}" where it is declared.`, resolution);
    }
  }
}

function isId(type: SimpleTypeDefinition): boolean {
  for (let at = type; at !== at.baseType; at = at.baseType) if (at.builtin === "ID") return true;
  return false;
}

function report(span: Span, message: string, resolution: Resolution): void {
  resolution.diagnostics.error("XSD045", span, { message });
}

/** Reports keyrefs that refer to no key, or to one with another number of fields (Part 1 §3.11.6); and that none of it is enforced. */
export function checkIdentityConstraints(resolution: Resolution): void {
  const [first] = resolution.identityConstraints.values();
  if (first === undefined) return;
  resolution.diagnostics.info("XSD053", first.span, {
    message: `Identity constraints (${resolution.identityConstraints.size} here) are not enforced.`,
  });
  for (const { kind, refer, fields, span } of resolution.identityConstraints.values()) {
    if (kind !== "keyref" || refer === undefined) continue;
    const key = resolution.identityConstraints.get(clark(refer.namespace, refer.local));
    if (key === undefined || key.kind === "keyref") {
      resolution.diagnostics.breach("XSD028", span, { message: `There is no key or unique ${refer.local}.` });
    } else if (key.fields.length !== fields.length) {
      resolution.diagnostics.breach("XSD052", span, {
        message: `The keyref has ${fields.length} fields, and ${refer.local} has ${key.fields.length}.`,
      });
    }
  }
}
