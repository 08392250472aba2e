import { emptyContext, type TextContext } from "@bothends/datatypes";
import { clark, type XmlElement } from "@bothends/xml";
import type { Reference } from "../../read/xsd/documents.js";
import { xsdNamespace } from "../../read/xsd/namespaces.js";
import { resolveQName } from "../../read/xsd/xsd-element.js";
import { nearestQName, type QName } from "../../source/qname.js";
import type { Span } from "../../source/span.js";
import { builtinTypes } from "./builtin-types.js";
import { nouns, placeText, type SymbolSpace, unknownCodes } from "./declarations.js";
import type {
  BuildingAttribute,
  BuildingAttributeGroup,
  BuildingElement,
  BuildingGroup,
  Resolution,
  Scope,
} from "./resolution.js";
import type { NotationDeclaration, TypeDefinition } from "./schema-components.js";

/** How many unknown names get a suggestion: each costs a walk over all names. */
const mostSuggestions = 100;

/** The name that a reference means where it stands: in a chameleon document, no namespace is the includer's (Part 1 §4.2.1). */
export function nameIn(name: QName, scope: Scope): QName {
  return name.namespace === "" && scope.instance.chameleon
    ? { namespace: scope.instance.namespace, local: name.local }
    : name;
}

/** The namespaces in scope of an element of a document, for the prefixes in the values that it gives. */
export function textContext(element: XmlElement, scope: Scope): TextContext {
  return {
    ...emptyContext,
    resolve(prefix) {
      const name = resolveQName(`${prefix}:`, element);
      return name && nameIn(name, scope).namespace;
    },
  };
}

export function findType(reference: Reference, scope: Scope, resolution: Resolution): TypeDefinition | undefined {
  const name = nameIn(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.space === "type" && redefined.key === clark(name.namespace, name.local)) {
    const { component } = redefined;
    if (component.kind === "complexType" || component.kind === "simpleType") return component;
  }
  const sought = { reference, scope, resolution };
  const builtin = builtinTypes.get(clark(name.namespace, name.local));
  if (builtin !== undefined) return builtin;
  const meant = name.namespace === "" ? builtinTypes.get(clark(xsdNamespace, name.local)) : undefined;
  if (meant === undefined || resolution.types.has(clark("", name.local))) return find("type", resolution.types, sought);
  const own = resolution.types.get(clark(scope.instance.namespace, name.local));
  reportUnprefixed(own === undefined ? xsdNamespace : scope.instance.namespace, sought);
  return own ?? meant;
}

export function findElement(reference: Reference, scope: Scope, resolution: Resolution): BuildingElement | undefined {
  return find("element", resolution.elements, { reference, scope, resolution });
}

export function findAttribute(
  reference: Reference,
  scope: Scope,
  resolution: Resolution,
): BuildingAttribute | undefined {
  return find("attribute", resolution.attributes, { reference, scope, resolution });
}

export function findGroup(reference: Reference, scope: Scope, resolution: Resolution): BuildingGroup | undefined {
  const name = nameIn(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.component.kind === "group" && redefined.key === clark(name.namespace, name.local)) {
    return redefined.component;
  }
  return find("group", resolution.groups, { reference, scope, resolution });
}

export function findAttributeGroup(
  reference: Reference,
  scope: Scope,
  resolution: Resolution,
): BuildingAttributeGroup | undefined {
  const name = nameIn(reference.name, scope);
  const { redefined } = scope;
  if (redefined?.component.kind === "attributeGroup" && redefined.key === clark(name.namespace, name.local)) {
    return redefined.component;
  }
  return find("attributeGroup", resolution.attributeGroups, { reference, scope, resolution });
}

export function findNotation(
  reference: Reference,
  scope: Scope,
  resolution: Resolution,
): NotationDeclaration | undefined {
  return find("notation", resolution.notations, { reference, scope, resolution });
}

interface Sought {
  readonly reference: Reference;
  readonly scope: Scope;
  readonly resolution: Resolution;
}

function find<T extends Placed>(space: SymbolSpace, table: ReadonlyMap<string, T>, sought: Sought): T | undefined {
  const name = nameIn(sought.reference.name, sought.scope);
  const found = table.get(clark(name.namespace, name.local));
  if (found !== undefined) {
    checkImported(name, sought);
    return found;
  }
  const { namespace } = sought.scope.instance;
  const own = name.namespace === "" ? table.get(clark(namespace, name.local)) : undefined;
  if (own === undefined) reportUnknown(space, name, { ...sought, table });
  else reportUnprefixed(namespace, sought);
  return own;
}

interface Placed {
  readonly span: Span;
}

function reportUnknown(
  space: SymbolSpace,
  name: QName,
  { reference, resolution, table }: Sought & { readonly table: ReadonlyMap<string, Placed> },
): void {
  const names = space === "type" ? [...builtinTypes.keys(), ...table.keys()] : [...table.keys()];
  const mayHelp = resolution.reported.size < mostSuggestions;
  if (mayHelp) resolution.reported.add(`unknown ${space} ${reference.span.source.path} ${reference.span.start}`);
  const close = mayHelp ? nearestQName(name, names) : undefined;
  const place = close === undefined ? undefined : table.get(clark(close.namespace, close.local))?.span;
  const meant = close && `${inWords(close, name, reference)}${place === undefined ? "" : ` (${placeText(place)})`}`;
  resolution.diagnostics.unresolved(unknownCodes[space], reference.span, {
    message: `There is no ${nouns[space]} ${reference.text} (${describe(name)}).`,
    help: meant && `Did you mean ${meant}?`,
    instead: space === "type" ? "It is taken for any type." : "It is left out.",
  });
}

/** As it would be written in place of the reference, where its prefix stands for the namespace. */
function inWords(close: QName, name: QName, { text }: Reference): string {
  return close.namespace === name.namespace ? `${text.slice(0, text.indexOf(":") + 1)}${close.local}` : describe(close);
}

function describe(name: QName): string {
  return name.namespace === "" ? `${name.local} without a namespace` : `${name.local} in ${name.namespace}`;
}

/** A name without a prefix where no default namespace is declared: strictly in no namespace, but meant in one. */
function reportUnprefixed(namespace: string, { reference, resolution }: Sought): void {
  resolution.diagnostics.breach("XSD036", reference.span, {
    message: `${reference.text} is in no namespace, and is read as ${reference.text} in ${namespace}.`,
    help: `Write a prefix, or declare xmlns="${namespace}".`,
  });
}

/** Part 1 §3.15.3 (src-resolve): a document imports what it refers to. Services that run break the rule, so it warns. */
function checkImported(name: QName, { reference, scope, resolution }: Sought): void {
  const { instance } = scope;
  if (name.namespace === instance.namespace || name.namespace === xsdNamespace) return;
  if (instance.imported.has(name.namespace)) return;
  const key = `import ${instance.schema.source.path} ${instance.schema.span.start} ${name.namespace}`;
  if (resolution.reported.has(key)) return;
  resolution.reported.add(key);
  const text = {
    message: `The namespace ${name.namespace === "" ? "of names without one" : name.namespace} is not imported here.`,
    help: name.namespace === "" ? "Add <import/>." : `Add <import namespace="${name.namespace}"/>.`,
  };
  resolution.diagnostics.breach("XSD030", reference.span, text);
}
