import { clark, readTree, type XmlElement, type XmlLimits } from "@bothends/xml";

/** A document without prefixes, namespace declarations, and white space between elements. */
export interface Shape {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly children: readonly (Shape | string)[];
}

const wideLimits: XmlLimits = {
  depth: 256,
  attributes: 256,
  namespaces: 256,
  attributeChars: 1 << 20,
  namespaceChars: 1 << 20,
  children: 1 << 20,
  nodes: 1 << 22,
  textChars: 1 << 25,
  nameChars: 1024,
  comments: 1 << 20,
};

/** Reads the shape of an XML document. Throws `XmlError` if the document is invalid. */
export function readShape(text: string): Shape {
  return createShapeOfElement(readTree(text, wideLimits));
}

function createShapeOfElement(element: XmlElement): Shape {
  const children = element.children.map((child) => (child.kind === "text" ? child.text : createShapeOfElement(child)));
  const hasElements = children.some((child) => typeof child !== "string");
  return {
    name: clark(element.namespace, element.localName),
    attributes: element.attributes
      .map(({ namespace, localName, value }) => `${clark(namespace, localName)}=${value}`)
      .sort(),
    children: hasElements ? children.filter((child) => typeof child !== "string" || child.trim() !== "") : children,
  };
}

/** Describes the first difference between two shapes; undefined if they are equal. */
export function findFirstDifference(expected: Shape, actual: Shape, path = ""): string | undefined {
  const place = `${path}/${expected.name}`;
  if (expected.name !== actual.name) {
    return `${place}: found <${actual.name}>`;
  }
  if (expected.attributes.join(" ") !== actual.attributes.join(" ")) {
    return `${place}: attributes ${expected.attributes.join(" ")}, found ${actual.attributes.join(" ")}`;
  }
  for (let index = 0; index < Math.max(expected.children.length, actual.children.length); index++) {
    const difference = findChildDifference(expected.children[index], actual.children[index], place);
    if (difference !== undefined) {
      return difference;
    }
  }
  return undefined;
}

function findChildDifference(
  expected: Shape | string | undefined,
  actual: Shape | string | undefined,
  place: string,
): string | undefined {
  if (expected === actual) {
    return undefined;
  }
  if (typeof expected === "object" && typeof actual === "object") {
    return findFirstDifference(expected, actual, place);
  }
  return `${place}: ${shortenText(expected)}, found ${shortenText(actual)}`;
}

function shortenText(child: Shape | string | undefined): string {
  if (child === undefined) {
    return "nothing";
  }
  return typeof child === "string" ? JSON.stringify(child.slice(0, 80)) : `<${child.name}>`;
}

/** Finds the first element with a local name: the shape or one of its descendants. */
export function findDescendant(shape: Shape, localName: string): Shape | undefined {
  const pendingShapes: Shape[] = [shape];
  for (let candidate = pendingShapes.shift(); candidate !== undefined; candidate = pendingShapes.shift()) {
    if (candidate.name.endsWith(`}${localName}`) || candidate.name === localName) {
      return candidate;
    }
    pendingShapes.push(...candidate.children.filter((child): child is Shape => typeof child === "object"));
  }
  return undefined;
}

/** Joins all text in a shape. */
export function getText(shape: Shape | undefined): string {
  return shape?.children.map((child) => (typeof child === "string" ? child : getText(child))).join("") ?? "";
}
