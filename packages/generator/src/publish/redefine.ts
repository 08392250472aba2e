import type { PublishedElement } from "./slots.js";

/** The attribute with which a redefinition refers to the original: the base of a type, the reference of a group. */
const ownReferences: ReadonlySet<string> = new Set(["base", "ref"]);

/**
 * Replaces redefinitions by plain components (XSD 1.0 Part 1 §4.2.2): the original gets another name, which the
 * redefinition refers to; all other references mean the redefinition. Undefined where an original is missing.
 */
export function writeRedefinitions(
  originals: readonly PublishedElement[],
  redefinitions: readonly PublishedElement[],
  qualified: (name: string) => string,
): readonly PublishedElement[] | undefined {
  const components = [...originals];
  const places = new Map(originals.map((original, place) => [keyOf(original), place]));
  const taken = new Set(originals.map(nameOf));
  const written: PublishedElement[] = [];
  for (const redefinition of redefinitions) {
    const name = nameOf(redefinition);
    const place = places.get(keyOf(redefinition));
    const original = place === undefined ? undefined : components[place];
    if (name === undefined || place === undefined || original === undefined) {
      return undefined;
    }
    const other = freeName(`${name}_redefined`, taken);
    taken.add(other);
    components[place] = replaced(original, "name", { from: name, to: other });
    written.push(redirected(redefinition, { from: qualified(name), to: qualified(other) }));
  }
  return [...components, ...written];
}

interface Change {
  readonly from: string;
  readonly to: string;
}

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

/** A name without slots; one that may be another at run time is nothing to rename. */
function nameOf(element: PublishedElement): string | undefined {
  const name = element.attributes.find(([attribute]) => attribute === "name")?.[1];
  return typeof name === "string" ? name : undefined;
}

/** Types and groups have names of their own each. */
function keyOf(element: PublishedElement): string {
  return `${element.name} ${nameOf(element) ?? ""}`;
}

function freeName(wanted: string, taken: ReadonlySet<string | undefined>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) {
    name = `${wanted}${count}`;
  }
  return name;
}
