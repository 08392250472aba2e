import type { IdentityPath } from "../../model/soap.js";
import type { SpannedText } from "../../source/span.js";
import type {
  ComplexContent,
  ComplexTypeDefinition,
  DerivationMethod,
  ElementDeclaration,
  ElementReference,
  GroupReference,
  IdentityConstraint,
  ModelGroup,
  ModelGroupDefinition,
  Particle,
  Reference,
  SimpleContent,
  Term,
  TypeDefinition,
} from "./documents.js";
import {
  readAttributeList,
  readFacets,
  readSimpleType,
  readValueConstraint,
  readWildcard,
} from "./read-simple-types.js";
import type { XsdElement } from "./xsd-element.js";

/** XSD 1.0 Part 1 §3.7.2. */
export function readGroup(element: XsdElement): ModelGroupDefinition {
  const child = element.child("all", "choice", "sequence");
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "group",
    name: element.name(),
    modelGroup: child && readModelGroup(child),
  };
}

/** XSD 1.0 Part 1 §3.9.2; undefined if maxOccurs is 0, which is equivalent to no particle. */
function readParticle(element: XsdElement): Particle | undefined {
  const min = readCount(element.value("minOccurs")?.text) ?? 1;
  const maxText = element.value("maxOccurs")?.text;
  const max = maxText === "unbounded" ? maxText : (readCount(maxText) ?? 1);
  if (max !== "unbounded" && min > max) {
    element.error("XSD010", element.value("minOccurs")?.span ?? element.value("maxOccurs")?.span ?? element.span, {
      message: `minOccurs (${min}) is greater than maxOccurs (${max}).`,
      help: maxText === undefined ? "The default of maxOccurs is 1." : undefined,
    });
  }
  const term = readTerm(element);
  if (term === undefined || max === 0) {
    return undefined;
  }
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "particle",
    min,
    max: normalizeMax(max),
    term,
  };
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
    span: element.span,
    documentation: element.documentation,
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
  const ref = element.value("ref");
  if (ref === undefined) {
    if (!element.has("name")) {
      element.error("XSD003", element.span, { message: '<element> has neither "name" nor "ref".' });
    }
    return readLocalElement(element);
  }
  // §3.3.3: a reference may only have minOccurs and maxOccurs.
  element.ignoreTogether(ref, "name", "type", "nillable", "default", "fixed", "form", "block");
  for (const child of element.children) {
    element.error("XSD009", child.span, { message: `<element> has both "ref" and a child <${child.localName}>.` });
  }
  const reference = element.reference("ref");
  return reference && { kind: "elementReference", ref: reference };
}

function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^(?:\+?[0-9]+|-0+)$/.test(text)
    ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    : undefined;
}

/** Larger than any document, so the bound has no effect. */
function normalizeMax(max: number | "unbounded"): number | "unbounded" {
  return max === Number.MAX_SAFE_INTEGER ? "unbounded" : max;
}

const methods = ["extension", "restriction"] as const;

/** XSD 1.0 Part 1 §3.3.2, a global element. */
export function readGlobalElement(element: XsdElement): ElementDeclaration {
  return readDeclaration(element, true);
}

/** XSD 1.0 Part 1 §3.3.2, a local element. */
function readLocalElement(element: XsdElement): ElementDeclaration {
  const form = element.value("form")?.text;
  return readDeclaration(element, form === undefined ? element.context.elementsQualified : form === "qualified");
}

function readDeclaration(element: XsdElement, qualified: boolean): ElementDeclaration {
  const { blockDefault, finalDefault } = element.context;
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "element",
    name: element.name(),
    qualified,
    type: readTypeUse(element),
    nillable: element.boolean("nillable"),
    abstract: element.boolean("abstract"),
    valueConstraint: readValueConstraint(element),
    substitutionGroup: element.reference("substitutionGroup"),
    block: element.derivations("block", blockDefault, [...methods, "substitution"]),
    final: element.derivations("final", finalDefault, methods),
    identityConstraints: readIdentityConstraints(element),
  };
}

function readTypeUse(element: XsdElement): Reference | TypeDefinition | undefined {
  const child = element.child("simpleType", "complexType", "sequence", "choice", "all");
  const word = element.value("type");
  if (child === undefined) {
    return element.reference("type");
  }
  if (word !== undefined) {
    element.error("XSD009", child.span, {
      message: `<element> has both type="${word.text}" and a child <${child.localName}>.`,
      help: "Remove one of the two.",
    });
  }
  switch (child.localName) {
    case "simpleType":
      return readSimpleType(child, false);
    case "complexType":
      return readComplexType(child, false);
    default:
      // The grammar has reported that the complexType around the group is absent.
      return { ...readComplexType(element, false), abstract: false };
  }
}

function readIdentityConstraints(element: XsdElement): readonly IdentityConstraint[] {
  const constraints: IdentityConstraint[] = [];
  for (const child of element.children) {
    const kind = child.localName;
    if (kind !== "key" && kind !== "keyref" && kind !== "unique") {
      continue;
    }
    const fields = child.children.filter((candidate) => candidate.localName === "field");
    constraints.push({
      span: child.span,
      documentation: child.documentation,
      kind,
      name: child.name(),
      selector: readPaths(child.child("selector")),
      fields: fields.map(readPaths),
      refer: child.reference("refer"),
    });
  }
  return constraints;
}

/** Reads the paths of a selector or field. Their prefixes must be declared (§3.11.6). */
function readPaths(element: XsdElement | undefined): readonly IdentityPath[] {
  const word = element?.value("xpath");
  if (element === undefined || word === undefined) {
    return [];
  }
  return word.text.split("|").map((path) => {
    const anywhere = /^\s*\.\s*\/\//.test(path);
    const steps = path.replace(/^\s*\.\s*\/\//, "").split("/");
    const last = steps.at(-1) ?? "";
    const attribute = /^\s*(?:@|attribute\s*::)(.*)$/s.exec(last)?.[1];
    const elements = attribute === undefined ? steps : steps.slice(0, -1);
    const tests = elements.map((step) => step.replace(/^\s*child\s*::/, "").trim()).filter((step) => step !== ".");
    return {
      anywhere,
      steps: tests.map((test) => readNameTest(test, word, element)),
      attribute: attribute === undefined ? undefined : readNameTest(attribute.trim(), word, element),
    };
  });
}

/** Expands a name test of a path: `*`, `prefix:*` or a name. Names without a prefix are in no namespace (XPath 1.0 §2.3). */
function readNameTest(test: string, word: SpannedText, element: XsdElement): string {
  const [prefix = "", local] = test.split(":", 2);
  if (local === undefined) {
    return test;
  }
  const namespace = element.element.resolve(prefix.trim());
  if (namespace === undefined) {
    element.error("XSD008", word.span, {
      message: `The prefix "${prefix.trim()}" of "${word.text}" is not declared here.`,
      help: `Declare xmlns:${prefix.trim()}, or use a prefix that is declared.`,
    });
  }
  return `{${namespace ?? ""}}${local.trim()}`;
}

/** XSD 1.0 Part 1 §3.4.2. */
export function readComplexType(element: XsdElement, named: boolean): ComplexTypeDefinition {
  const { blockDefault, finalDefault } = element.context;
  const child = element.child("simpleContent", "complexContent");
  // Without complexContent, which the grammar has reported, the derivation is a child of the type.
  const derivation = (child ?? element).child(...methods);
  return {
    span: element.span,
    documentation: element.documentation,
    kind: "complexType",
    name: named ? element.name() : undefined,
    abstract: element.boolean("abstract"),
    block: element.derivations("block", blockDefault, methods),
    final: element.derivations("final", finalDefault, methods),
    content: readContent(element, child, derivation),
    list: readAttributeList(derivation ?? child ?? element),
  };
}

function readContent(
  element: XsdElement,
  child: XsdElement | undefined,
  derivation: XsdElement | undefined,
): ComplexContent | SimpleContent {
  const method: DerivationMethod = derivation?.localName === "extension" ? "extension" : "restriction";
  if (child?.localName === "simpleContent") {
    const restricted = method === "restriction" ? derivation?.child("simpleType") : undefined;
    return {
      kind: "simpleContent",
      derivation: method,
      base: derivation?.reference("base"),
      restricted: restricted && readSimpleType(restricted, false),
      facets: method === "restriction" && derivation !== undefined ? readFacets(derivation) : [],
      span: (derivation ?? child).span,
    };
  }
  const model = (derivation ?? element).child("group", "all", "choice", "sequence");
  return {
    kind: "complexContent",
    derivation: method,
    base: derivation?.reference("base"),
    // §3.4.2: `mixed` on complexContent overrides `mixed` on complexType.
    mixed: child?.has("mixed") ? child.boolean("mixed") : element.boolean("mixed"),
    particle: model && readParticle(model),
  };
}
