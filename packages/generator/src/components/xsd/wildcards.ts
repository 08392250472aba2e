import type { Wildcard, WildcardNamespaces } from "../xsd-model.js";

/** The namespaces that a wildcard's `namespace` means in a target namespace (Part 1 §3.10.2). */
export function wildcardNamespaces(
  written: "##any" | "##other" | readonly string[],
  targetNamespace: string,
): WildcardNamespaces {
  if (written === "##any") return "any";
  if (written === "##other") return { not: targetNamespace };
  const names = written.map((item) =>
    item === "##targetNamespace" ? targetNamespace : item === "##local" ? "" : item,
  );
  return [...new Set(names)];
}

/** Part 1 §3.10.4, Wildcard allows Namespace Name. */
export function allowsNamespace(namespaces: WildcardNamespaces, namespace: string): boolean {
  if (namespaces === "any") return true;
  if (isList(namespaces)) return namespaces.includes(namespace);
  return namespace !== "" && namespace !== namespaces.not;
}

/** Part 1 §3.10.6, Wildcard Subset. */
export function isSubset(sub: WildcardNamespaces, all: WildcardNamespaces): boolean {
  if (all === "any") return true;
  if (sub === "any") return false;
  if (isList(sub)) return sub.every((namespace) => allowsNamespace(all, namespace));
  return !isList(all) && (sub.not === all.not || all.not === "");
}

/** Part 1 §3.10.6, Attribute Wildcard Union; undefined where it cannot be expressed. */
export function unionOf(a: WildcardNamespaces, b: WildcardNamespaces): WildcardNamespaces | undefined {
  if (a === "any" || b === "any") return "any";
  if (isList(a)) {
    if (isList(b)) return [...new Set([...a, ...b])];
    return unionWithNot(b.not, a);
  }
  if (isList(b)) return unionWithNot(a.not, b);
  return a.not === b.not ? a : { not: "" };
}

/** Part 1 §3.10.6, Attribute Wildcard Intersection; undefined where it cannot be expressed. */
export function intersectionOf(a: WildcardNamespaces, b: WildcardNamespaces): WildcardNamespaces | undefined {
  if (a === "any") return b;
  if (b === "any") return a;
  if (isList(a)) return a.filter((namespace) => allowsNamespace(b, namespace));
  if (isList(b)) return b.filter((namespace) => allowsNamespace(a, namespace));
  if (a.not === b.not || b.not === "") return a;
  return a.not === "" ? b : undefined;
}

/** The wildcard with other namespaces. */
export function withNamespaces(wildcard: Wildcard, namespaces: WildcardNamespaces): Wildcard {
  return { ...wildcard, namespaces };
}

/** A namespace negated, united with a list: the cases 5 and 6 of the union. */
function unionWithNot(not: string, list: readonly string[]): WildcardNamespaces | undefined {
  const hasAbsent = list.includes("");
  if (not === "") return hasAbsent ? "any" : { not: "" };
  if (list.includes(not)) return hasAbsent ? "any" : { not: "" };
  return hasAbsent ? undefined : { not };
}

function isList(namespaces: WildcardNamespaces): namespaces is readonly string[] {
  return Array.isArray(namespaces);
}
