import { clark } from "@bothends/xml";
import { limitHelp } from "../../source/source-limits.js";
import { anyType } from "./builtin-types.js";
import { derivationMethods } from "./relations.js";
import { inDependencyOrder, type MutableElement, type Resolution } from "./resolution.js";
import type { ElementDeclaration, TypeDefinition } from "./schema-components.js";

/** Sets the type of elements that declare a head and no type: it is the head's (Part 1 §3.3.2). Reports circular heads. */
export function inheritHeadTypes(resolution: Resolution): void {
  const members = [...resolution.elements.values()].filter((element) => element.substitutionGroup !== undefined);
  const memberSet: ReadonlySet<ElementDeclaration> = new Set(members);
  const depths = new Map<ElementDeclaration, number>();
  const { inheritance } = resolution.limits;
  const ordered = inDependencyOrder(members, (element) => {
    const head = mutableHead(element, resolution);
    return head !== undefined && memberSet.has(head)
      ? [{ on: head, remove: () => removeHead(element, resolution) }]
      : [];
  });
  for (const element of ordered) {
    const head = element.substitutionGroup;
    if (head === undefined) {
      continue;
    }
    const depth = (depths.get(head) ?? 0) + 1;
    depths.set(element, depth);
    if (depth > inheritance) {
      resolution.diagnostics.error("XSD033", element.span, {
        message: `A chain of substitution groups has more than ${inheritance} elements.`,
        help: limitHelp("inheritance", resolution.limits),
      });
      element.substitutionGroup = undefined;
      depths.set(element, 0);
    } else if (resolution.elementSources.get(element)?.declaration.type === undefined && element.type === anyType) {
      element.type = head.type;
    }
  }
}

/** Sets the substitutes of each head. Reports members whose type does not derive from the head's (Part 1 §3.3.6). */
export function completeSubstitutionGroups(resolution: Resolution): void {
  const substitutes = new Map<ElementDeclaration, ElementDeclaration[]>();
  for (const element of resolution.elements.values()) {
    if (element.substitutionGroup !== undefined) {
      checkMember(element, element.substitutionGroup, resolution);
    }
    for (let head = element.substitutionGroup; head !== undefined; head = head.substitutionGroup) {
      if (!element.abstract && maySubstitute(element, head)) {
        const elements = substitutes.get(head) ?? [];
        elements.push(element);
        substitutes.set(head, elements);
      }
    }
  }
  for (const element of resolution.elements.values()) {
    element.substitutes = substitutes.get(element) ?? [];
  }
}

/** Part 1 §3.3.6, Substitution Group OK (Transitive): the derivation from the head's type uses no blocked method. */
function maySubstitute(element: ElementDeclaration, head: ElementDeclaration): boolean {
  if (head.block.has("substitution")) {
    return false;
  }
  const methods = derivationMethods(element.type, head.type);
  if (methods === undefined) {
    return false;
  }
  const blocked = new Set<string>(head.block);
  let ancestor: TypeDefinition = element.type;
  while (ancestor !== head.type && ancestor.baseType !== ancestor) {
    ancestor = ancestor.baseType;
    for (const method of ancestor.kind === "complexType" ? ancestor.block : []) {
      blocked.add(method);
    }
  }
  return [...methods].every((method) => !blocked.has(method));
}

function checkMember(element: MutableElement, head: ElementDeclaration, resolution: Resolution): void {
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

function mutableHead({ substitutionGroup }: ElementDeclaration, resolution: Resolution): MutableElement | undefined {
  if (substitutionGroup === undefined) {
    return undefined;
  }
  return resolution.elements.get(clark(substitutionGroup.name.namespace, substitutionGroup.name.local));
}

function removeHead(element: MutableElement, resolution: Resolution): void {
  resolution.diagnostics.unresolved("XSD032", element.span, {
    message: `The element ${element.name.local} is a member of its own substitution group.`,
    fallback: "It is read without its substitution group.",
  });
  element.substitutionGroup = undefined;
}
