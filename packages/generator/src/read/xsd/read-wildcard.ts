import { listOf } from "./attribute-values.js";
import type { Wildcard } from "./documents.js";
import type { XsdElement } from "./xsd-element.js";

/** XSD 1.0 Part 1 §3.10.2: `<any>` and `<anyAttribute>`. */
export function readWildcard(element: XsdElement): Wildcard {
  const text = element.word("namespace")?.text ?? "##any";
  const process = element.word("processContents")?.text;
  return {
    ...element.declared,
    kind: "wildcard",
    namespaces: text === "##any" || text === "##other" ? text : listOf(text),
    process: process === "lax" || process === "skip" ? process : "strict",
  };
}
