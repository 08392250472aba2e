import type { WildcardNamespaces } from "../descriptor.js";
import type { WireNames } from "./names.js";

/** Whether a wildcard admits a namespace (XSD 1.0 Part 1 §3.10.4). */
export function admits(namespaces: WildcardNamespaces, namespace: string): boolean {
  if (namespaces === "any") return true;
  if ("not" in namespaces) return namespace !== namespaces.not && namespace !== "";
  return namespaces.includes(namespace);
}

/** A wildcard's namespaces as they are on the wire. */
export function wildcardOnWire(namespaces: WildcardNamespaces, names: WireNames): WildcardNamespaces {
  if (namespaces === "any") return namespaces;
  if ("not" in namespaces) return { not: names.namespace(namespaces.not) };
  return namespaces.map((namespace) => names.namespace(namespace));
}
