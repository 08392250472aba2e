import { firstDifference, type Shape, shapeOf } from "./body-shape.js";

/**
 * The differences between a served WSDL and the recorded one, with every parameter made required. Ignores documentation and the
 * order of named components.
 */
export function wsdlDifference(expected: string, found: string): string | undefined {
  return firstDifference(inOrder(withRequiredParameters(shapeOf(expected))), inOrder(shapeOf(found)));
}

/** In the recording, the wrapper of a request is a global element whose name does not end with Response. */
function withRequiredParameters(shape: Shape): Shape {
  const isSchema = shape.name.endsWith("}schema");
  return mapped(shape, (child) =>
    isSchema && isRequestWrapper(child) ? required(child) : withRequiredParameters(child),
  );
}

function isRequestWrapper(shape: Shape): boolean {
  return shape.name.endsWith("}element") && shape.children.length > 0 && !nameOf(shape).endsWith("Response");
}

function required(shape: Shape): Shape {
  const attributes = shape.attributes.map((attribute) => (attribute === "minOccurs=0" ? "minOccurs=1" : attribute));
  return mapped({ ...shape, attributes }, required);
}

const named = /\}(?:definitions|schema|portType|binding)$/;

function inOrder(shape: Shape): Shape {
  const plain = mapped({ ...shape, children: shape.children.filter(isNoDocumentation) }, inOrder);
  if (!named.test(shape.name)) {
    return plain;
  }
  return { ...plain, children: plain.children.toSorted((left, right) => compare(orderOf(left), orderOf(right))) };
}

function isNoDocumentation(child: Shape | string): boolean {
  return typeof child === "string" || !/\}(?:documentation|annotation)$/.test(child.name);
}

function orderOf(child: Shape | string): string {
  return typeof child === "string" ? "" : `${child.name} ${nameOf(child)}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function nameOf({ attributes }: Shape): string {
  return attributes.find((attribute) => attribute.startsWith("name=")) ?? "";
}

function mapped(shape: Shape, map: (child: Shape) => Shape): Shape {
  return { ...shape, children: shape.children.map((child) => (typeof child === "string" ? child : map(child))) };
}
