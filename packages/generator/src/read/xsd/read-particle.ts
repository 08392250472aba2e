import type {
  ElementDeclaration,
  ElementReference,
  GroupReference,
  ModelGroup,
  ModelGroupDefinition,
  Particle,
  Term,
} from "./documents.js";
import { readLocalElement } from "./read-element.js";
import { readWildcard } from "./read-wildcard.js";
import type { XsdElement } from "./xsd-element.js";

/** XSD 1.0 Part 1 §3.7.2. */
export function readGroup(element: XsdElement): ModelGroupDefinition {
  const child = element.child("all", "choice", "sequence");
  return {
    ...element.declared,
    kind: "group",
    name: element.name(),
    modelGroup: child && readModelGroup(child),
  };
}

/** XSD 1.0 Part 1 §3.9.2; undefined where it occurs 0 times, which is the same as not being there. */
export function readParticle(element: XsdElement): Particle | undefined {
  const min = count(element.word("minOccurs")?.text) ?? 1;
  const maxText = element.word("maxOccurs")?.text;
  const max = maxText === "unbounded" ? maxText : (count(maxText) ?? 1);
  if (max !== "unbounded" && min > max) {
    element.error("XSD010", element.word("minOccurs")?.span ?? element.word("maxOccurs")?.span ?? element.span, {
      message: `minOccurs (${min}) is more than maxOccurs (${max}).`,
      help: maxText === undefined ? "maxOccurs is 1 where it is not given." : undefined,
    });
  }
  const term = readTerm(element);
  if (term === undefined || max === 0) return undefined;
  return { ...element.declared, kind: "particle", min, max: reachable(max), term };
}

function readTerm(element: XsdElement): Term | undefined {
  switch (element.localName) {
    case "element":
      return readElementTerm(element);
    case "group":
      return readGroupReference(element);
    case "any":
      return readWildcard(element);
    case "all":
    case "choice":
    case "sequence":
      return readModelGroup(element);
    default:
      return undefined;
  }
}

function readModelGroup(element: XsdElement): ModelGroup {
  const { localName } = element;
  return {
    ...element.declared,
    kind: "modelGroup",
    compositor: localName === "all" || localName === "choice" ? localName : "sequence",
    particles: element.children.map(readParticle).filter((particle) => particle !== undefined),
  };
}

function readGroupReference(element: XsdElement): GroupReference | undefined {
  const ref = element.reference("ref");
  return ref && { kind: "groupReference", ref };
}

function readElementTerm(element: XsdElement): ElementDeclaration | ElementReference | undefined {
  const ref = element.word("ref");
  if (ref === undefined) {
    if (!element.has("name")) {
      element.error("XSD003", element.span, { message: '<element> has neither "name" nor "ref".' });
    }
    return readLocalElement(element);
  }
  // §3.3.3: a reference says how often, and nothing of the element itself.
  element.ignoreBeside(ref, "name", "type", "nillable", "default", "fixed", "form", "block");
  for (const child of element.children) {
    element.error("XSD009", child.span, { message: `<element> has a <${child.localName}> beside "ref".` });
  }
  const reference = element.reference("ref");
  return reference && { kind: "elementReference", ref: reference };
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^(?:\+?[0-9]+|-0+)$/.test(text)
    ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    : undefined;
}

/** No document holds so many that a larger number would ever bind. */
function reachable(max: number | "unbounded"): number | "unbounded" {
  return max === Number.MAX_SAFE_INTEGER ? "unbounded" : max;
}
