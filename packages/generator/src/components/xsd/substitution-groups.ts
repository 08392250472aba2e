import { clark } from "@bothends/xml";
import { limitHelp } from "../../source/source-limits.js";
import { anyType } from "./builtin-types.js";
import { derivationMethods } from "./relations.js";
import { type BuildingElement, inDependencyOrder, type Resolution } from "./resolution.js";
import type { ElementDeclaration, TypeDefinition } from "./schema-components.js";

/** Types that elements take from their heads: where neither is given, the type is the head's (Part 1 §3.3.2). Cycles are reported. */
export function completeHeads(resolution: Resolution): void {
  const heads = [...resolution.elements.values()].filter((element) => element.substitutionGroup !== undefined);
  const known: ReadonlySet<ElementDeclaration> = new Set(heads);
  const depths = new Map<ElementDeclaration, number>();
  const { inheritance } = resolution.limits;
  const ordered = inDependencyOrder(heads, (element) => {
    const head = headOf(element, resolution);
    return head !== undefined && known.has(head) ? [{ to: head, cut: () => cut(element, resolution) }] : [];
  });
  for (const element of ordered) {
    const head = element.substitutionGroup;
    if (head === undefined) continue;
    const depth = (depths.get(head) ?? 0) + 1;
    depths.set(element, depth);
    if (depth > inheritance) {
      resolution.diagnostics.error("XSD033", element.span, {
        message: `More than ${inheritance} elements substitute each other in a chain.`,
        help: limitHelp("inheritance", resolution.limits),
      });
      element.substitutionGroup = undefined;
      depths.set(element, 0);
    } else if (resolution.elementSources.get(element)?.declaration.type === undefined && element.type === anyType) {
      element.type = head.type;
    }
  }
}

/** Fills in what may stand for each head, and reports members whose type does not derive from the head's (Part 1 §3.3.6). */
export function completeSubstitutionGroups(resolution: Resolution): void {
  const substitutes = new Map<ElementDeclaration, ElementDeclaration[]>();
  for (const element of resolution.elements.values()) {
    if (element.substitutionGroup !== undefined) checkMember(element, element.substitutionGroup, resolution);
    for (let head = element.substitutionGroup; head !== undefined; head = head.substitutionGroup) {
      if (element.abstract || !mayStandFor(element, head)) continue;
      const members = substitutes.get(head);
      if (members === undefined) substitutes.set(head, [element]);
      else members.push(element);
    }
  }
  for (const element of resolution.elements.values()) element.substitutes = substitutes.get(element) ?? [];
}

/** Part 1 §3.3.6, Substitution Group OK (Transitive): no blocked method lies between the two types. */
function mayStandFor(element: ElementDeclaration, head: ElementDeclaration): boolean {
  if (head.block.has("substitution")) return false;
  const methods = derivationMethods(element.type, head.type);
  if (methods === undefined) return false;
  const blocked = new Set<string>(head.block);
  for (let at: TypeDefinition = element.type; at !== head.type && at.baseType !== at; ) {
    at = at.baseType;
    if (at.kind === "complexType") for (const method of at.block) blocked.add(method);
  }
  return [...methods].every((method) => !blocked.has(method));
}

function checkMember(element: BuildingElement, head: ElementDeclaration, resolution: Resolution): void {
  const span = resolution.elementSources.get(element)?.declaration.substitutionGroup?.span ?? element.span;
  const methods = derivationMethods(element.type, head.type);
  if (methods === undefined) {
    resolution.diagnostics.error("XSD048", span, {
      message: `The type of ${element.name.local} does not derive from that of ${head.name.local}.`,
    });
  } else if ([...methods].some((method) => head.final.has(method))) {
    resolution.diagnostics.error("XSD041", span, {
      message: `The element ${head.name.local} is final for ${[...methods].join(" and ")}.`,
    });
  }
}

/** The head as it is being built. */
function headOf({ substitutionGroup }: ElementDeclaration, resolution: Resolution): BuildingElement | undefined {
  if (substitutionGroup === undefined) return undefined;
  return resolution.elements.get(clark(substitutionGroup.name.namespace, substitutionGroup.name.local));
}

function cut(element: BuildingElement, resolution: Resolution): void {
  resolution.diagnostics.error("XSD032", element.span, {
    message: `The element ${element.name.local} substitutes itself.`,
  });
  element.substitutionGroup = undefined;
}
