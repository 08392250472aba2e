import {
  isElement,
  listPieces,
  type PublishedChild,
  type PublishedDefinitions,
  type PublishedElement,
  type Template,
} from "./slots.js";

// Converts the components of included schemas: redefinitions become ordinary components, and unused components are
// omitted.

/**
 * Replaces redefinitions with ordinary components (XSD 1.0 Part 1 §4.2.2). The original component gets a new name,
 * which only the redefinition uses. All other references lead to the redefinition. Returns undefined if an original
 * component is missing.
 */
export function writeRedefinitions(
  originals: readonly PublishedElement[],
  redefinitions: readonly PublishedElement[],
  qualify: (name: string) => string,
): readonly PublishedElement[] | undefined {
  const components = [...originals];
  const indexesByKey = new Map(originals.map((original, index) => [getKey(original), index]));
  const usedNames = new Set(originals.map(getName));
  const writtenRedefinitions: PublishedElement[] = [];
  for (const redefinition of redefinitions) {
    const name = getName(redefinition);
    const index = indexesByKey.get(getKey(redefinition));
    const originalComponent = index === undefined ? undefined : components[index];
    if (name === undefined || index === undefined || originalComponent === undefined) {
      return undefined;
    }
    const newName = chooseFreeName(`${name}_redefined`, usedNames);
    usedNames.add(newName);
    components[index] = withAttribute(originalComponent, "name", { from: name, to: newName });
    writtenRedefinitions.push(withReferences(redefinition, { from: qualify(name), to: qualify(newName) }));
  }
  return [...components, ...writtenRedefinitions];
}

interface NameChange {
  readonly from: string;
  readonly to: string;
}

/** The attributes that refer to the original component of a redefinition: `base` of a type, `ref` of a group. */
const redefinitionReferences: ReadonlySet<string> = new Set(["base", "ref"]);

function withReferences(element: PublishedElement, change: NameChange): PublishedElement {
  const changedElement = [...redefinitionReferences].reduce(
    (before, attribute) => withAttribute(before, attribute, change),
    element,
  );
  return {
    ...changedElement,
    children: changedElement.children.map((child) => (isElement(child) ? withReferences(child, change) : child)),
  };
}

function withAttribute(element: PublishedElement, attribute: string, { from, to }: NameChange): PublishedElement {
  const attributes = element.attributes.map((attributeEntry): PublishedElement["attributes"][number] => {
    const [name, value, namespace] = attributeEntry;
    if (name !== attribute || value !== from) {
      return attributeEntry;
    }
    return namespace === undefined ? [name, to] : [name, to, namespace];
  });
  return { ...element, attributes };
}

/** Returns the name of a component; undefined if the name contains a slot, because it may then change at run time. */
function getName(element: PublishedElement): string | undefined {
  const name = element.attributes.find(([attribute]) => attribute === "name")?.[1];
  return typeof name === "string" ? name : undefined;
}

/** Returns the key of a component: its kind and its name, because a type and a group may have the same name. */
function getKey(element: PublishedElement): string {
  return `${element.name} ${getName(element) ?? ""}`;
}

function chooseFreeName(preferredName: string, usedNames: ReadonlySet<string | undefined>): string {
  let name = preferredName;
  for (let count = 2; usedNames.has(name); count += 1) {
    name = `${preferredName}${count}`;
  }
  return name;
}

/**
 * Omits included components that the document does not need. Otherwise, the WSDL of each service would contain all
 * types of a schema that several services include. Types that are derived from a needed type are needed too.
 */
export function withoutUnused(root: PublishedDefinitions): PublishedDefinitions {
  if (!hasIncluded(root)) {
    return root;
  }
  const includedComponents = new Map<PublishedElement, Component>();
  const otherElements: PublishedElement[] = [];
  const collect = (element: PublishedElement): void => {
    if (element.included === true) {
      includedComponents.set(element, getComponent(element));
    } else {
      otherElements.push(element);
      for (const child of element.children) {
        if (isElement(child)) {
          collect(child);
        }
      }
    }
  };
  collect(root);

  const neededNames = new Set(otherElements.flatMap(listReferences));

  const keptComponents = listNeededComponents(includedComponents, neededNames);
  const withNeededChildren = (element: PublishedElement): PublishedElement => ({
    ...element,
    children: element.children.flatMap((child): readonly PublishedChild[] => {
      if (!isElement(child)) {
        return [child];
      }
      if (child.included !== true) {
        return [withNeededChildren(child)];
      }
      return keptComponents.has(child) ? [child] : [];
    }),
  });
  return { ...root, ...withNeededChildren(root) };
}

/** Whether a schema in `wsdl:types` has an included component. */
function hasIncluded(root: PublishedDefinitions): boolean {
  const schemas = listChildElements(root).flatMap(listChildElements);
  return schemas.some((schema) => schema.children.some((child) => isElement(child) && child.included === true));
}

function listChildElements({ children }: PublishedElement): readonly PublishedElement[] {
  return children.filter(isElement);
}

interface Component {
  readonly name: string;
  readonly references: readonly string[];
  /** The names of the types from which the component is derived, and of its substitution group heads. */
  readonly bases: readonly string[];
}

/**
 * Collects the names that a component declares or refers to. Namespaces are ignored, so the document may keep a
 * component that it does not need.
 */
function getComponent(element: PublishedElement): Component {
  const elementAndDescendants = [element, ...listDescendants(element)];
  return {
    name: findPublishedAttribute(element, "name") ?? "",
    references: elementAndDescendants.flatMap(listReferences),
    bases: elementAndDescendants.flatMap((node) => [
      ...listNames(node, "base"),
      ...listNames(node, "substitutionGroup"),
    ]),
  };
}

function listNeededComponents(
  included: ReadonlyMap<PublishedElement, Component>,
  neededNames: Set<string>,
): ReadonlySet<PublishedElement> {
  const elementsByName = new Map<string, PublishedElement[]>();
  for (const [element, { name: componentName, bases }] of included) {
    for (const name of [componentName, ...bases]) {
      const elements = elementsByName.get(name);
      if (elements === undefined) {
        elementsByName.set(name, [element]);
      } else {
        elements.push(element);
      }
    }
  }
  const keptComponents = new Set<PublishedElement>();
  const pendingNames = [...neededNames];
  for (let neededName = pendingNames.pop(); neededName !== undefined; neededName = pendingNames.pop()) {
    for (const element of elementsByName.get(neededName) ?? []) {
      const component = keptComponents.has(element) ? undefined : included.get(element);
      if (component === undefined) {
        continue;
      }
      keptComponents.add(element);
      for (const name of [component.name, ...component.references]) {
        if (!neededNames.has(name)) {
          pendingNames.push(name);
        }
        neededNames.add(name);
      }
    }
  }
  return keptComponents;
}

function listDescendants(element: PublishedElement): PublishedElement[] {
  return element.children.flatMap((child) => (isElement(child) ? [child, ...listDescendants(child)] : []));
}

const referenceAttributes: ReadonlySet<string> = new Set([
  ...["type", "base", "ref", "element", "itemType", "memberTypes", "substitutionGroup", "refer"],
]);

function listReferences(element: PublishedElement): string[] {
  return element.attributes.flatMap(([name]) => (referenceAttributes.has(name) ? listNames(element, name) : []));
}

function listNames(element: PublishedElement, attribute: string): string[] {
  const value = findPublishedAttribute(element, attribute);
  return value === undefined ? [] : value.split(" ").map((name) => name.slice(name.indexOf(":") + 1));
}

function findPublishedAttribute(element: PublishedElement, attribute: string): string | undefined {
  const attributeEntry = element.attributes.find(([name]) => name === attribute);
  return attributeEntry === undefined ? undefined : getText(attributeEntry[1]);
}

function getText(template: Template): string {
  return listPieces(template)
    .map((piece) => (typeof piece === "string" ? piece : (piece.name ?? "")))
    .join("");
}
