import type { DerivationMethod, TypeDefinition } from "../xsd-model.js";

/** The methods by which a type derives from another, which may be itself; undefined where it does not (Part 1 §3.4.6, §3.14.6). */
export function derivationMethods(from: TypeDefinition, to: TypeDefinition): ReadonlySet<DerivationMethod> | undefined {
  const methods = new Set<DerivationMethod>();
  for (let at = from; ; at = at.baseType) {
    if (at === to) return methods;
    if (at.baseType === at) break;
    methods.add(at.kind === "complexType" ? at.derivation : "restriction");
  }
  if (to.builtin === "anyType") return methods.add("restriction");
  if (to.kind !== "simpleType" || from.kind !== "simpleType") return undefined;
  // Every simple type restricts anySimpleType, and a member restricts the union that it belongs to (Part 1 §3.14.6, 2.2.4).
  if (to.builtin === "anySimpleType") return methods.add("restriction");
  if (to.variety !== "union" || to.facets.length > 0) return undefined;
  const viaMember = to.memberTypes.some((member) => derivationMethods(from, member) !== undefined);
  return viaMember ? methods.add("restriction") : undefined;
}
