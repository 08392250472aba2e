import { findJsonType, findStringFormat } from "@bothends/runtime/argument-defaults";
import { suggestName } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonMember, JsonNode, JsonObjectNode } from "../../source/json.js";
import type { Span } from "../../source/span.js";
import {
  type Arg,
  type Endpoint,
  findPresentMember,
  findStringMember,
  type JsonTypeName,
  jsonTypeNames,
  type Method,
  type Property,
  readList,
  readMembers,
  readNamedMembers,
  reportWrongType,
  type Schema,
} from "./documents.js";
import { getObjectSpan } from "./object-spans.js";

// Reads the endpoints of a route: their methods, their arguments, and the schemas of the arguments.

const noMembers: ReadonlyMap<string, JsonMember> = new Map();

/** Reads the schema of an argument, an item or a property. */
function readSchema(node: JsonNode, diagnostics: Diagnostics): Schema {
  const members = readMembers(node, diagnostics) ?? noMembers;
  return {
    span: node.span,
    description: node.kind === "object" ? findStringMember(node, "description") : undefined,
    types: readTypes(members.get("type")?.value, diagnostics),
    format: readFormat(members),
    enum: readEnum(members.get("enum")?.value, diagnostics),
    default: members.get("default")?.value,
    items: readItems(members.get("items")?.value, diagnostics),
    properties: readProperties(members, diagnostics),
    alternatives: readAlternatives(members, diagnostics),
  };
}

/** Reads `required`. A value that is not a boolean is converted to a boolean in the same way as in PHP. */
function readRequired(node: JsonNode | undefined, diagnostics: Diagnostics): boolean {
  if (node === undefined) {
    return false;
  }
  if (node.kind === "scalar" && typeof node.value === "boolean") {
    return node.value;
  }
  const isRequired =
    node.kind !== "scalar" || !(["", "0", 0, null] as const).some((falseValue) => falseValue === node.value);
  diagnostics.warning("IDX033", node.span, {
    message: `The value at ${node.pointer} is not a boolean. It is read as ${isRequired}.`,
  });
  return isRequired;
}

/** Reads the types of a schema; undefined if any type is allowed, or if a type is unknown. */
export function readTypes(node: JsonNode | undefined, diagnostics: Diagnostics): readonly JsonTypeName[] | undefined {
  if (node === undefined) {
    return undefined;
  }
  const types: JsonTypeName[] = [];
  for (const item of node.kind === "scalar" ? [node] : (readList(node, diagnostics) ?? [])) {
    const type = item.kind === "scalar" ? findJsonType(item.value) : undefined;
    if (type === undefined) {
      diagnostics.warning("IDX030", item.span, {
        message: `The value at ${item.pointer} is not a type of JSON Schema. Any value is accepted.`,
        help: item.kind === "scalar" ? suggestName(String(item.value), jsonTypeNames) : undefined,
      });
      return undefined;
    }
    if (item.kind === "scalar" && item.value !== type) {
      diagnostics.info("IDX030", item.span, {
        message: `The value at ${item.pointer} is not a type of JSON Schema. It is read as ${type}.`,
        help: `Write "${type}".`,
      });
    }
    if (!types.includes(type)) {
      types.push(type);
    }
  }
  return types.length === 0 ? undefined : types;
}

/** Reads the format of a schema. Some plug-ins write it as the type: `"type": "date-time"`. */
export function readFormat(members: ReadonlyMap<string, JsonMember>): string | undefined {
  const format = members.get("format")?.value;
  if (format?.kind === "scalar" && typeof format.value === "string") {
    return format.value;
  }
  const type = members.get("type")?.value;
  const words = type?.kind === "array" ? type.items : [type];
  return findStringFormat(words.map((word) => (word?.kind === "scalar" ? word.value : undefined)));
}

/** Reads an enumeration. It is a list, or an object whose keys are ignored, as in PHP. */
export function readEnum(node: JsonNode | undefined, diagnostics: Diagnostics): readonly JsonNode[] | undefined {
  if (node === undefined) {
    return undefined;
  }
  if (node.kind === "object") {
    return [...node.members.values()].map((member) => member.value);
  }
  return readList(node, diagnostics);
}

function readItems(node: JsonNode | undefined, diagnostics: Diagnostics): Schema | undefined {
  if (node === undefined || (node.kind === "array" && node.items.length === 0)) {
    return undefined;
  }
  if (node.kind === "object") {
    return readSchema(node, diagnostics);
  }
  diagnostics.warning("IDX034", node.span, {
    message: `The value at ${node.pointer} is not a single schema. Any item is accepted.`,
  });
  return undefined;
}

function readProperties(members: ReadonlyMap<string, JsonMember>, diagnostics: Diagnostics): readonly Property[] {
  const node = members.get("properties")?.value;
  if (node === undefined) {
    return [];
  }
  // JSON Schema draft 4 lists required properties in one list; draft 3 and WordPress mark each property.
  const requiredNode = members.get("required")?.value;
  const requiredItems = requiredNode?.kind === "array" ? requiredNode.items : [];
  return [...(readNamedMembers(node, diagnostics) ?? noMembers).values()].map(({ name, value }) => ({
    name,
    required:
      requiredItems.some((item) => item.kind === "scalar" && item.value === name) ||
      isMarkedRequired(value, diagnostics),
    schema: readSchema(value, diagnostics),
  }));
}

function isMarkedRequired(property: JsonNode, diagnostics: Diagnostics): boolean {
  const node = property.kind === "object" ? property.members.get("required")?.value : undefined;
  return node?.kind === "array" ? false : readRequired(node, diagnostics);
}

function readAlternatives(
  members: ReadonlyMap<string, JsonMember>,
  diagnostics: Diagnostics,
): readonly Schema[] | undefined {
  const node = members.get("oneOf")?.value ?? members.get("anyOf")?.value;
  if (node === undefined) {
    return undefined;
  }
  return readList(node, diagnostics)?.map((member) => readSchema(member, diagnostics));
}

/** Reads the endpoints of a route, and checks that the route lists their methods. */
export function readEndpoints(route: JsonObjectNode, span: Span, diagnostics: Diagnostics): readonly Endpoint[] {
  const methods = findPresentMember(route, "methods");
  const nodes = listEndpointNodes(route, diagnostics);
  if (nodes === undefined || nodes.length === 0) {
    diagnostics.warning("IDX018", span, {
      message: `The route at ${route.pointer} has no endpoints. ${
        methods === undefined ? "It is left out." : "Its methods are read as one endpoint without arguments."
      }`,
    });
    const names = methods === undefined ? [] : readMethods(methods, new Set(), diagnostics);
    return names.length === 0 ? [] : [{ span, methods: names, args: [] }];
  }
  const answeredMethods = new Set<Method>();
  // An endpoint without methods gets the methods of its route if it is the route's only endpoint.
  const context = { answeredMethods, methodsOfRoute: nodes.length === 1 ? methods : undefined, diagnostics };
  return nodes.flatMap((node) => readEndpoint(node, context) ?? []);
}

/** Returns the endpoints of a route; undefined if it has none. */
function listEndpointNodes(route: JsonObjectNode, diagnostics: Diagnostics): readonly JsonNode[] | undefined {
  const list = findPresentMember(route, "endpoints");
  if (list?.kind === "object" && list.members.has("methods")) {
    diagnostics.warning("IDX013", list.span, { message: `The list at ${list.pointer} is written as an object.` });
    return [list];
  }
  return list && (readList(list, diagnostics) ?? []);
}

/**
 * Checks that a route's list of methods contains the methods of all its endpoints, because a server publishes the list
 * as well as the endpoints.
 */
export function checkMethods(route: JsonObjectNode, endpoints: readonly Endpoint[], diagnostics: Diagnostics): void {
  const node = route.members.get("methods")?.value;
  if (node === undefined) {
    return;
  }
  // If a route has no `endpoints`, its list of methods was itself read as an endpoint and needs no check.
  const items = findPresentMember(route, "endpoints") === undefined ? undefined : listMethodNodes(node, diagnostics);
  if (items === undefined) {
    return;
  }
  const listedMethods = new Set<string>();
  for (const item of items) {
    if (item.kind === "scalar" && typeof item.value === "string") {
      listedMethods.add(item.value.toUpperCase());
    } else {
      reportWrongType(item, "a string", diagnostics);
    }
  }
  const answeredMethods = new Set<string>(endpoints.flatMap((endpoint) => endpoint.methods));
  const unlistedMethods = [...answeredMethods].filter((method) => !listedMethods.has(method));
  if (listedMethods.size > 0 && unlistedMethods.length > 0) {
    diagnostics.warning("IDX015", node.span, {
      message: `The list at ${node.pointer} lacks ${unlistedMethods.join(", ")}, which endpoints of the route have.`,
    });
  }
}

const methodNames = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly Method[];

/** The context in which an endpoint is read: its route and the endpoints before it. */
interface EndpointContext {
  /** The methods of the route's endpoints that have already been read. */
  readonly answeredMethods: Set<Method>;
  /** The methods of the route, for an endpoint that lists none; undefined if the route has several endpoints. */
  readonly methodsOfRoute: JsonNode | undefined;
  readonly diagnostics: Diagnostics;
}

/** Reads an endpoint of a route: `{ methods, args }`. */
function readEndpoint(
  node: JsonNode,
  { answeredMethods, methodsOfRoute, diagnostics }: EndpointContext,
): Endpoint | undefined {
  if (node.kind !== "object") {
    return reportWrongType(node, "an object", diagnostics);
  }
  const methodsNode = findPresentMember(node, "methods");
  if (methodsNode === undefined) {
    diagnostics.warning("IDX018", node.span, {
      message: `The endpoint at ${node.pointer} has no methods. ${
        methodsOfRoute === undefined ? "It is left out." : "It gets the methods of its route."
      }`,
    });
  }
  const namedMethods = methodsNode ?? methodsOfRoute;
  const methods = namedMethods === undefined ? [] : readMethods(namedMethods, answeredMethods, diagnostics);
  const argsNode = node.members.get("args")?.value;
  const args = argsNode === undefined ? [] : readArgs(argsNode, diagnostics);
  return methods.length === 0 ? undefined : { span: getObjectSpan(node), methods, args };
}

/** Reads the methods of an endpoint, except those that an earlier endpoint of the route already has. */
function readMethods(node: JsonNode, answeredMethods: Set<Method>, diagnostics: Diagnostics): readonly Method[] {
  const methods: Method[] = [];
  for (const item of listMethodNodes(node, diagnostics)) {
    if (item.kind !== "scalar" || typeof item.value !== "string") {
      reportWrongType(item, "a string", diagnostics);
      continue;
    }
    const text = item.value.toUpperCase();
    const method = methodNames.find((name) => name === text);
    if (method === undefined) {
      const message = `The method at ${item.pointer} is not GET, POST, PUT, PATCH or DELETE. It is left out.`;
      diagnostics.warning("IDX012", item.span, { message });
    } else if (methods.includes(method)) {
    } else if (answeredMethods.has(method)) {
      diagnostics.warning("IDX014", item.span, {
        message: `The method ${method} at ${item.pointer} is already answered by an earlier endpoint of the route.`,
      });
    } else {
      methods.push(method);
    }
  }
  for (const method of methods) {
    answeredMethods.add(method);
  }
  return methods;
}

/**
 * Returns the method names in a list, in a string, or in an object such as `{ "GET": true }`, as in route
 * registrations.
 */
function listMethodNodes(node: JsonNode, diagnostics: Diagnostics): readonly JsonNode[] {
  const { span, pointer } = node;
  const toNodes = (names: readonly string[]): readonly JsonNode[] =>
    names.map((value) => ({ kind: "scalar", value, span, pointer }));
  if (node.kind === "scalar" && typeof node.value === "string") {
    diagnostics.warning("IDX018", span, {
      message: `The value at ${pointer} is a string, not a list. It is read as a list.`,
    });
    return toNodes(node.value.split(/[\s,|]+/));
  }
  if (node.kind === "object") {
    const members = [...node.members.values()];
    if (members.length > 0 && members.every(({ value }) => value.kind === "scalar" && value.value === true)) {
      diagnostics.warning("IDX013", span, { message: `The list at ${pointer} is written as an object.` });
      return toNodes(members.map(({ name }) => name));
    }
  }
  return readList(node, diagnostics) ?? [];
}

function readArgs(node: JsonNode, diagnostics: Diagnostics): readonly Arg[] {
  const members = readNamedMembers(node, diagnostics);
  if (members === undefined) {
    return [];
  }
  return [...members.values()].map(({ name, nameSpan, value }) => ({
    name,
    span: nameSpan,
    required: readArgRequired(value, diagnostics),
    schema: readSchema(value, diagnostics),
    definition: value,
  }));
}

function readArgRequired(arg: JsonNode, diagnostics: Diagnostics): boolean {
  const node = arg.kind === "object" ? arg.members.get("required")?.value : undefined;
  // A list names the required properties of the value (draft 4). It does not make the argument itself required.
  return node?.kind === "array" ? false : readRequired(node, diagnostics);
}
