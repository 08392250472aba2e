import type { PropertyNode, TypeNode } from "../print/index.js";
import { keyword, property } from "./nodes.js";

/** `wireNames?: { namespaces?: { reg?: string }, … }`: what may bear another name at run time; none if nothing may. */
export function wireNamesProperty(
  slots: Readonly<Record<string, readonly string[]>>,
  documentation: string,
): readonly PropertyNode[] {
  const kinds = Object.entries(slots).filter(([, names]) => names.length > 0);
  if (kinds.length === 0) return [];
  const members = kinds.map(([kind, names]) => property(kind, slotsNode(names), { optional: true, readonly: true }));
  return [property("wireNames", { kind: "object", members }, { optional: true, readonly: true, documentation })];
}

function slotsNode(names: readonly string[]): TypeNode {
  const members = [...new Set(names)].map((name) =>
    property(name, keyword("string"), { optional: true, readonly: true }),
  );
  return { kind: "object", members };
}
