import type { AttributeUse, ComplexTypeDefinition } from "../xsd-model.js";
import { type AttributeSet, attributeKey } from "./attribute-set.js";
import { derivationMethods } from "./derivation.js";
import type { Resolution } from "./resolution.js";
import { allowsNamespace, isSubset } from "./wildcards.js";

const process = { skip: 0, lax: 1, strict: 2 } as const;

/** Reports attributes of a restriction that its base does not allow (Part 1 §3.4.6, Derivation Valid (Restriction, Complex), 2 to 4). */
export function restrictAttributes(type: ComplexTypeDefinition, own: AttributeSet, resolution: Resolution): void {
  const base = type.baseType;
  if (base.kind === "simpleType" || base.builtin === "anyType") return;
  const inherited = new Map(base.attributeUses.map((use) => [attributeKey(use), use]));
  for (const use of own.uses) {
    const before = inherited.get(attributeKey(use));
    if (before !== undefined) restrictUse(use, before, resolution);
    else if (!allowsNamespace(base.attributeWildcard?.namespaces ?? [], use.declaration.name.namespace)) {
      report(
        use,
        `The base has no attribute ${use.declaration.name.local}, and no wildcard that allows it.`,
        resolution,
      );
    }
  }
  for (const key of own.prohibited) {
    const before = inherited.get(key);
    if (before?.required === true) report(type, `The base requires the attribute ${key}.`, resolution);
  }
  restrictWildcard(type, base, resolution);
}

function restrictUse(use: AttributeUse, before: AttributeUse, resolution: Resolution): void {
  const { local } = use.declaration.name;
  if (before.required && !use.required) report(use, `The base requires the attribute ${local}.`, resolution);
  if (derivationMethods(use.declaration.type, before.declaration.type) === undefined) {
    report(use, `The type of the attribute ${local} does not derive from the base's.`, resolution);
  }
  const fixed = before.valueConstraint?.kind === "fixed" ? before.valueConstraint.value : undefined;
  const own = use.valueConstraint?.kind === "fixed" ? use.valueConstraint.value : undefined;
  if (fixed !== undefined && own !== fixed) {
    report(use, `The base fixes the attribute ${local} as "${fixed}".`, resolution);
  }
}

function restrictWildcard(type: ComplexTypeDefinition, base: ComplexTypeDefinition, resolution: Resolution): void {
  const own = type.attributeWildcard;
  const inherited = base.attributeWildcard;
  if (own === undefined) return;
  if (inherited === undefined || !isSubset(own.namespaces, inherited.namespaces)) {
    report(own, "The attribute wildcard allows more than the base.", resolution);
  } else if (process[own.process] < process[inherited.process]) {
    report(own, `processContents="${own.process}" is weaker than the base's "${inherited.process}".`, resolution);
  }
}

function report(at: { readonly span: AttributeUse["span"] }, message: string, resolution: Resolution): void {
  resolution.diagnostics.breach("XSD051", at.span, { message });
}
