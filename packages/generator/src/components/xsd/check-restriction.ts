import type { Budget } from "../../source/budget.js";
import { derivationMethods } from "./derivation.js";
import { ParticleRestriction } from "./particle-restriction.js";
import { isEmptiable } from "./particles.js";
import type { ComplexTypeSource, Resolution } from "./resolution.js";

/** Reports restrictions that allow what their bases do not (Part 1 §3.4.6, Derivation Valid (Restriction, Complex), 5). */
export function checkRestriction(
  { type, declaration }: ComplexTypeSource,
  resolution: Resolution,
  budget: Budget,
): void {
  const base = type.baseType;
  if (type.derivation !== "restriction" || base.kind !== "complexType" || base.builtin !== undefined) return;
  const problem = contentProblem();
  if (problem === undefined) return;
  resolution.diagnostics.breach("XSD051", declaration.content.base?.span ?? declaration.span, {
    message: `${type.name?.local ?? "The type"} is no restriction of ${base.name?.local ?? "its base"}: ${problem}`,
  });

  function contentProblem(): string | undefined {
    if (base.kind !== "complexType") return undefined;
    const { content } = type;
    const inherited = base.content;
    switch (content.kind) {
      case "simple":
        if (inherited.kind !== "simple" || derivationMethods(content.type, inherited.type) !== undefined)
          return undefined;
        return "its text is of another type.";
      case "empty":
        if (inherited.kind === "simple") return "the base has text.";
        return inherited.kind === "empty" || isEmptiable(inherited.particle)
          ? undefined
          : "the base requires elements.";
      default:
        if (inherited.kind === "empty") return isNothing(content.particle) ? undefined : "the base is empty.";
        if (inherited.kind === "simple") return undefined;
        return new ParticleRestriction(budget).problem(content.particle, inherited.particle);
    }
  }
}

function isNothing({
  term,
}: {
  readonly term: { readonly kind: string; readonly particles?: readonly unknown[] };
}): boolean {
  return term.particles?.length === 0;
}
