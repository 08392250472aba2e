import { type PublishedDefinitions, type PublishedElement, piecesOf, type Template } from "./slots.js";

// Components of included documents: redefined components become plain ones, and unused ones are left out.

/**
 * Replaces redefinitions by plain components (XSD 1.0 Part 1 §4.2.2): the original gets another name, to which the redefinition
 * refers; all other references mean the redefinition. Undefined if an original is missing.
 */
export function writeRedefinitions(
  originals: readonly PublishedElement[],
  redefinitions: readonly PublishedElement[],
  qualified: (name: string) => string,
): readonly PublishedElement[] | undefined {
  const components = [...originals];
  const places = new Map(originals.map((original, place) => [keyOf(original), place]));
  const usedNames = new Set(originals.map(nameOf));
  const written: PublishedElement[] = [];
  for (const redefinition of redefinitions) {
    const name = nameOf(redefinition);
    const place = places.get(keyOf(redefinition));
    const original = place === undefined ? undefined : components[place];
    if (name === undefined || place === undefined || original === undefined) {
      return undefined;
    }
    const other = freeName(`${name}_redefined`, usedNames);
    usedNames.add(other);
    components[place] = replaced(original, "name", { from: name, to: other });
    written.push(redirected(redefinition, { from: qualified(name), to: qualified(other) }));
  }
  return [...components, ...written];
}

interface Change {
  readonly from: string;
  readonly to: string;
}

/** The attributes with which a redefinition refers to the original: the base of a type, the reference of a group. */
const ownReferences: ReadonlySet<string> = new Set(["base", "ref"]);

function redirected(element: PublishedElement, change: Change): PublishedElement {
  const changed = [...ownReferences].reduce((before, attribute) => replaced(before, attribute, change), element);
  return {
    ...changed,
    children: changed.children.map((child) => (typeof child === "string" ? child : redirected(child, change))),
  };
}

function replaced(element: PublishedElement, attribute: string, { from, to }: Change): PublishedElement {
  const attributes = element.attributes.map((known): PublishedElement["attributes"][number] => {
    const [name, value, namespace] = known;
    if (name !== attribute || value !== from) {
      return known;
    }
    return namespace === undefined ? [name, to] : [name, to, namespace];
  });
  return { ...element, attributes };
}

/** A name without slots; a name configurable at run time must not be renamed. */
function nameOf(element: PublishedElement): string | undefined {
  const name = element.attributes.find(([attribute]) => attribute === "name")?.[1];
  return typeof name === "string" ? name : undefined;
}

/** Types and groups have separate name spaces. */
function keyOf(element: PublishedElement): string {
  return `${element.name} ${nameOf(element) ?? ""}`;
}

function freeName(preferred: string, usedNames: ReadonlySet<string | undefined>): string {
  let name = preferred;
  for (let count = 2; usedNames.has(name); count += 1) {
    name = `${preferred}${count}`;
  }
  return name;
}

/**
 * Leaves out included components that the document does not need: otherwise a file of records shared by several services would be
 * copied into each of them completely. Types derived from a needed type are also needed.
 */
export function withoutUnused(root: PublishedDefinitions): PublishedDefinitions {
  if (!hasIncluded(root)) {
    return root;
  }
  const included = new Map<PublishedElement, Component>();
  const others: PublishedElement[] = [];
  const collect = (element: PublishedElement): void => {
    if (element.included === true) {
      included.set(element, componentOf(element));
    } else {
      others.push(element);
      for (const child of element.children) {
        if (typeof child !== "string") {
          collect(child);
        }
      }
    }
  };
  collect(root);

  const needed = new Set(others.flatMap(referencesOf));

  const kept = neededComponents(included, needed);
  const keep = (element: PublishedElement): PublishedElement => ({
    ...element,
    children: element.children.flatMap((child): readonly (PublishedElement | string)[] => {
      if (typeof child === "string") {
        return [child];
      }
      if (child.included !== true) {
        return [keep(child)];
      }
      return kept.has(child) ? [child] : [];
    }),
  });
  return { ...root, ...keep(root) };
}

/** Whether any schema (a child of `types`) has an included component. */
function hasIncluded(root: PublishedDefinitions): boolean {
  const schemas = childElements(root).flatMap(childElements);
  return schemas.some((schema) =>
    schema.children.some((child) => typeof child !== "string" && child.included === true),
  );
}

function childElements({ children }: PublishedElement): readonly PublishedElement[] {
  return children.filter((child) => typeof child !== "string");
}

interface Component {
  readonly name: string;
  readonly references: readonly string[];
  /** The types that it derives from. */
  readonly bases: readonly string[];
}

/** Names are compared without their namespaces, because an extra component does no harm. */
function componentOf(element: PublishedElement): Component {
  const inside = [element, ...descendants(element)];
  return {
    name: attributeOf(element, "name") ?? "",
    references: inside.flatMap(referencesOf),
    bases: inside.flatMap((node) => [...namesIn(node, "base"), ...namesIn(node, "substitutionGroup")]),
  };
}

function neededComponents(
  included: ReadonlyMap<PublishedElement, Component>,
  needed: Set<string>,
): ReadonlySet<PublishedElement> {
  const byNeed = new Map<string, PublishedElement[]>();
  for (const [element, { name, bases }] of included) {
    for (const need of [name, ...bases]) {
      const known = byNeed.get(need);
      if (known === undefined) {
        byNeed.set(need, [element]);
      } else {
        known.push(element);
      }
    }
  }
  const kept = new Set<PublishedElement>();
  const open = [...needed];
  for (let need = open.pop(); need !== undefined; need = open.pop()) {
    for (const element of byNeed.get(need) ?? []) {
      const component = kept.has(element) ? undefined : included.get(element);
      if (component === undefined) {
        continue;
      }
      kept.add(element);
      for (const name of [component.name, ...component.references]) {
        if (!needed.has(name)) {
          open.push(name);
        }
        needed.add(name);
      }
    }
  }
  return kept;
}

function descendants(element: PublishedElement): PublishedElement[] {
  return element.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...descendants(child)]));
}

const references: ReadonlySet<string> = new Set([
  ...["type", "base", "ref", "element", "itemType", "memberTypes", "substitutionGroup", "refer"],
]);

function referencesOf(element: PublishedElement): string[] {
  return element.attributes.flatMap(([name]) => (references.has(name) ? namesIn(element, name) : []));
}

function namesIn(element: PublishedElement, attribute: string): string[] {
  const value = attributeOf(element, attribute);
  return value === undefined ? [] : value.split(" ").map((name) => name.slice(name.indexOf(":") + 1));
}

function attributeOf(element: PublishedElement, attribute: string): string | undefined {
  const found = element.attributes.find(([name]) => name === attribute);
  return found === undefined ? undefined : textOf(found[1]);
}

function textOf(template: Template): string {
  return piecesOf(template)
    .map((piece) => (typeof piece === "string" ? piece : (piece.name ?? "")))
    .join("");
}
