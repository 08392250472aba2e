import { clark } from "@bothends/xml";
import type { Span } from "../../../source/span.js";
import { isEmptiable, isIdType } from "../relations.js";
import type { AttributeListSource, Mutable, Resolution } from "../resolution.js";
import type { SimpleTypeDefinition, TypeDefinition, ValueConstraint } from "../schema-components.js";
import { keepsFixedValue, type SimpleValues } from "../simple-values.js";

/** Reports default and fixed values that are not values of their types (Part 1 §3.2.6, §3.3.6, §3.5.6). */
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
      report(
        span,
        `<${element.name.local}> has no text, so it cannot have a ${element.valueConstraint.kind} value.`,
        resolution,
      );
    } else if (type !== "none" && type !== "text") {
      checkValue(element.valueConstraint, { type, span, resolution, values });
      checkNotation(type, declaration.span, { resolution, values });
    }
  }
  for (const { list } of resolution.complexTypes.values()) {
    checkReferences(list, resolution, values);
  }
  for (const list of resolution.attributeGroupSources.values()) {
    checkReferences(list, resolution, values);
  }
}

interface ValueCheck {
  readonly resolution: Resolution;
  readonly values: SimpleValues;
}

/** The simple type of an element's text; `text` for mixed content that may consist of text, `none` for content without text. */
function valueType(type: TypeDefinition): SimpleTypeDefinition | "text" | "none" {
  if (type.kind === "simpleType") {
    return type;
  }
  const { content } = type;
  if (content.kind === "simple") {
    return content.type;
  }
  return content.kind === "mixed" && isEmptiable(content.particle) ? "text" : "none";
}

function checkValue(
  constraint: Mutable<ValueConstraint> | undefined,
  { type, span, resolution, values }: ValueCheck & { readonly type: SimpleTypeDefinition; readonly span: Span },
): void {
  if (constraint === undefined) {
    return;
  }
  if (isIdType(type)) {
    report(span, `A declaration of type ID cannot have a ${constraint.kind} value.`, resolution);
  }
  const problem = values.problem(type, constraint.value, constraint.context);
  if (problem === undefined) {
    return;
  }
  const digits = type.primitive === "hexBinary" ? /^\s*0[xX](.*)$/s.exec(constraint.value)?.[1] : undefined;
  if (digits === undefined || values.problem(type, digits, constraint.context) !== undefined) {
    report(span, problem, resolution);
    return;
  }
  constraint.value = digits;
  resolution.diagnostics.violation("XSD045", span, {
    message: `${problem} It is read as ${digits.trim()}.`,
    help: "Remove the prefix 0x.",
  });
}

/** Part 2 §3.2.19: only enumerated types that derive from NOTATION may be used. */
function checkNotation(type: SimpleTypeDefinition, span: Span, { resolution, values }: ValueCheck): void {
  if (type.primitive !== "NOTATION" || values.facetsOf(type).isEnumerated) {
    return;
  }
  resolution.diagnostics.violation("XSD042", span, {
    message: "NOTATION is used without an enumeration of notations.",
  });
}

/** Part 1 §3.5.6: a reference must keep the fixed value of the declaration. */
function checkReferences(list: AttributeListSource, resolution: Resolution, values: SimpleValues): void {
  for (const item of list.items) {
    if (!("use" in item)) {
      continue;
    }
    const { declaration, valueConstraint, span } = item.use;
    if (declaration.scope === "local" || valueConstraint === declaration.valueConstraint) {
      continue;
    }
    checkValue(valueConstraint, { type: declaration.type, span, resolution, values });
    if (!keepsFixedValue(declaration.type, declaration.valueConstraint, valueConstraint)) {
      const fixed = declaration.valueConstraint?.value;
      report(span, `The attribute is fixed as "${fixed}" where it is declared.`, resolution);
    }
  }
}

function report(span: Span, message: string, resolution: Resolution): void {
  resolution.diagnostics.error("XSD045", span, { message });
}

/**
 * Reports that identity constraints are checked on request only, and keyrefs that refer to an unknown key or to a key with a different number of
 * fields (Part 1 §3.11.6).
 */
export function checkIdentityConstraints(resolution: Resolution): void {
  const [first] = resolution.identityConstraints.values();
  if (first === undefined) {
    return;
  }
  resolution.diagnostics.info("XSD053", first.span, {
    message: `Identity constraints (${resolution.identityConstraints.size} here) are checked on request only.`,
  });
  for (const { kind, refer, fields, span } of resolution.identityConstraints.values()) {
    if (kind !== "keyref" || refer === undefined) {
      continue;
    }
    const key = resolution.identityConstraints.get(clark(refer.namespace, refer.local));
    if (key === undefined || key.kind === "keyref") {
      resolution.diagnostics.violation("XSD028", span, { message: `There is no key or unique ${refer.local}.` });
    } else if (key.fields.length !== fields.length) {
      resolution.diagnostics.violation("XSD052", span, {
        message: `The keyref has ${fields.length} fields, and ${refer.local} has ${key.fields.length}.`,
      });
    }
  }
}
