import { clark, readTree, type XmlElement, type XmlLimits } from "@bothends/xml";

/** A document without prefixes, declarations, and white space between elements. */
export interface Shape {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly children: readonly (Shape | string)[];
}

const generous: XmlLimits = {
  depth: 256,
  attributes: 256,
  namespaces: 256,
  attributeChars: 1 << 20,
  children: 1 << 20,
  nodes: 1 << 22,
  textChars: 1 << 25,
  nameChars: 1024,
  comments: 1 << 20,
};

/** The shape of an XML document; throws `XmlError`. */
export function shapeOf(text: string): Shape {
  return shapeOfElement(readTree(text, generous));
}

function shapeOfElement(element: XmlElement): Shape {
  const children = element.children.map((child) => (child.kind === "text" ? child.text : shapeOfElement(child)));
  const hasElements = children.some((child) => typeof child !== "string");
  return {
    name: clark(element.namespace, element.localName),
    attributes: element.attributes
      .map(({ namespace, localName, value }) => `${clark(namespace, localName)}=${value}`)
      .sort(),
    children: hasElements ? children.filter((child) => typeof child !== "string" || child.trim() !== "") : children,
  };
}

/** The first difference between two shapes; undefined if they are equal. */
export function firstDifference(expected: Shape, found: Shape, path = ""): string | undefined {
  const place = `${path}/${expected.name}`;
  if (expected.name !== found.name) {
    return `${place}: found <${found.name}>`;
  }
  if (expected.attributes.join(" ") !== found.attributes.join(" ")) {
    return `${place}: attributes ${expected.attributes.join(" ")}, found ${found.attributes.join(" ")}`;
  }
  for (let index = 0; index < Math.max(expected.children.length, found.children.length); index++) {
    const difference = childDifference(expected.children[index], found.children[index], place);
    if (difference !== undefined) {
      return difference;
    }
  }
  return undefined;
}

function childDifference(
  expected: Shape | string | undefined,
  found: Shape | string | undefined,
  place: string,
): string | undefined {
  if (expected === found) {
    return undefined;
  }
  if (typeof expected === "object" && typeof found === "object") {
    return firstDifference(expected, found, place);
  }
  return `${place}: ${shown(expected)}, found ${shown(found)}`;
}

function shown(child: Shape | string | undefined): string {
  if (child === undefined) {
    return "nothing";
  }
  return typeof child === "string" ? JSON.stringify(child.slice(0, 80)) : `<${child.name}>`;
}

/** The first element with a local name: the shape or a descendant. */
export function descendant(shape: Shape, localName: string): Shape | undefined {
  const waiting: Shape[] = [shape];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next.name.endsWith(`}${localName}`) || next.name === localName) {
      return next;
    }
    waiting.push(...next.children.filter((child): child is Shape => typeof child === "object"));
  }
  return undefined;
}

/** All text in a shape. */
export function textOf(shape: Shape | undefined): string {
  return shape?.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("") ?? "";
}
