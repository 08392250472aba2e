import { findFirstDifference, readShape, type Shape } from "./body-shape.js";

/**
 * Describes the first difference between a served WSDL and the recorded one, ignoring documentation and the order of
 * named components. Request parameters of the recorded WSDL count as required.
 */
export function findWsdlDifference(expected: string, actual: string): string | undefined {
  return findFirstDifference(
    withSortedChildren(withRequiredParameters(readShape(expected))),
    withSortedChildren(readShape(actual)),
  );
}

/**
 * Makes the parameters of requests required. The wrapper of a request is a global element whose name does not end with
 * Response.
 */
function withRequiredParameters(shape: Shape): Shape {
  const isSchema = shape.name.endsWith("}schema");
  return mapChildren(shape, (child) =>
    isSchema && isRequestWrapper(child) ? withRequiredParameter(child) : withRequiredParameters(child),
  );
}

function isRequestWrapper(shape: Shape): boolean {
  return shape.name.endsWith("}element") && shape.children.length > 0 && !getName(shape).endsWith("Response");
}

function withRequiredParameter(shape: Shape): Shape {
  const attributes = shape.attributes.map((attribute) => (attribute === "minOccurs=0" ? "minOccurs=1" : attribute));
  return mapChildren({ ...shape, attributes }, withRequiredParameter);
}

const namedComponents = /\}(?:definitions|schema|portType|binding)$/;

function withSortedChildren(shape: Shape): Shape {
  const sortedInside = mapChildren(
    { ...shape, children: shape.children.filter(isNotDocumentation) },
    withSortedChildren,
  );
  if (!namedComponents.test(shape.name)) {
    return sortedInside;
  }
  return {
    ...sortedInside,
    children: sortedInside.children.toSorted((left, right) => compare(sortKeyOf(left), sortKeyOf(right))),
  };
}

function isNotDocumentation(child: Shape | string): boolean {
  return typeof child === "string" || !/\}(?:documentation|annotation)$/.test(child.name);
}

function sortKeyOf(child: Shape | string): string {
  return typeof child === "string" ? "" : `${child.name} ${getName(child)}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function getName({ attributes }: Shape): string {
  return attributes.find((attribute) => attribute.startsWith("name=")) ?? "";
}

function mapChildren(shape: Shape, map: (child: Shape) => Shape): Shape {
  return { ...shape, children: shape.children.map((child) => (typeof child === "string" ? child : map(child))) };
}
