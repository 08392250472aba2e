import { Node, type ObjectLiteralExpression, type SourceFile, SyntaxKind } from "ts-morph";
import type { HandlerTree } from "../handler-tree.js";
import {
  createPrefixReader,
  findHandlersPath,
  findImplementedGroup,
  findTypeAlias,
  findWrittenType,
  type HandlerPaths,
  isSamePath,
  listDenotedTypes,
  maxAliasDepth,
} from "./handler-types.js";
import {
  findObject,
  findSpreadObject,
  type HandlerObject,
  hasUnknownMembers,
  isClass,
  isFunction,
  listMembers,
} from "./read-members.js";
import { isFreezeCall, isTypeWrapper } from "./resolve-names.js";

// Reads which handlers the declared type of an object requires, such as `Omit<RegHandlers, "checkMexico">`.

/** The handlers of a group, and their path among all handlers. */
interface Group {
  readonly tree: HandlerTree;
  readonly path: readonly string[];
}

/**
 * Returns the object to which a new member of a group must be added: an object that the given object spreads if its
 * type requires the member, or else the given object. Undefined if the type of the given object does not require the
 * member.
 */
export function findExtensible(object: HandlerObject, key: string, group: Group): HandlerObject | undefined {
  if (isClass(object)) {
    return object;
  }
  const spreads = object.getProperties().filter(Node.isSpreadAssignment);
  const requiring = spreads
    .flatMap((spread) => findSpreadObject(spread) ?? [])
    .find((spreadObject) => readRequirement(spreadObject, key, group) === "required");
  if (requiring !== undefined) {
    return findExtensible(requiring, key, group);
  }
  const requirement = readRequirement(object, key, group);
  return requirement === "required" || requirement === "unknown" ? object : undefined;
}

/**
 * Whether the type of an object certainly requires a member: its own type, or the type of an object that contains it,
 * such as `VehicleHandlers` for the object of a service.
 */
export function requiresMember(object: HandlerObject, key: string, { tree, path }: Group): boolean {
  if (isClass(object)) {
    return findImplementedGroup(object, tree, path) !== undefined;
  }
  const spreads = object.getProperties().filter(Node.isSpreadAssignment);
  const objects = [object, ...spreads.flatMap((spread) => findSpreadObject(spread) ?? [])];
  if (objects.some((other) => readRequirement(other, key, { tree, path }) === "required")) {
    return true;
  }
  const owner = object.getParent();
  const outer = Node.isPropertyAssignment(owner) ? owner.getParent() : undefined;
  const type = Node.isObjectLiteralExpression(outer) ? findDeclaredType(outer) : undefined;
  const paths = { findPrefix: createPrefixReader(tree, path), findValue: () => undefined };
  return type === undefined
    ? Node.isObjectLiteralExpression(outer) &&
        path.length > 1 &&
        requiresMember(outer, path.at(-1) ?? "", { tree, path: path.slice(0, -1) })
    : findHandlersPath(type, paths) !== undefined;
}

/** "excluded": the type is a part of the group, without the member. "unknown": the type, if any, was not understood. */
type Requirement = "required" | "optional" | "excluded" | "unknown";

function readRequirement(object: ObjectLiteralExpression, key: string, { tree, path }: Group): Requirement {
  const paths = { findPrefix: createPrefixReader(tree, path), findValue: () => undefined };
  const type = findDeclaredType(object);
  return type === undefined ? "unknown" : readTypeRequirement(type, key, { path, paths });
}

const requirementOrder: readonly Requirement[] = ["required", "optional", "excluded"];

/** Joins the requirements of types that an object has at the same time. */
function joinRequirements(requirements: readonly Requirement[]): Requirement {
  return requirementOrder.find((requirement) => requirements.includes(requirement)) ?? "unknown";
}

interface TypeContext {
  readonly path: readonly string[];
  readonly paths: HandlerPaths;
}

function readTypeRequirement(type: Node, key: string, context: TypeContext, depth = 0): Requirement {
  const readInner = (inner: Node) => readTypeRequirement(inner, key, context, depth + 1);
  if (depth > maxAliasDepth) {
    return "unknown";
  }
  if (Node.isParenthesizedTypeNode(type)) {
    return readInner(type.getTypeNode());
  }
  if (Node.isIntersectionTypeNode(type)) {
    return joinRequirements(type.getTypeNodes().map(readInner));
  }
  if (Node.isMappedTypeNode(type)) {
    const keys = type.getTypeParameter().getConstraint();
    const requirement = keys === undefined ? "unknown" : readKeyRequirement(keys, key, context, depth + 1);
    return requirement === "required" && type.getQuestionToken() !== undefined ? "optional" : requirement;
  }
  const { name, typeArguments } = readReference(type);
  const [base, selection] = typeArguments;
  if (base !== undefined && name === "Record") {
    return readKeyRequirement(base, key, context, depth + 1);
  }
  if (base !== undefined && name === "Partial") {
    const requirement = readInner(base);
    return requirement === "required" ? "optional" : requirement;
  }
  if (base !== undefined && ["Awaited", "NonNullable", "Promise", "Readonly", "Required"].includes(name)) {
    return readInner(base);
  }
  if (base !== undefined && selection !== undefined && ["Omit", "Pick"].includes(name)) {
    const keys = readKeys(selection);
    const requirement = keys === undefined ? "unknown" : readInner(base);
    return requirement === "unknown" || keys?.has(key) === (name === "Pick") ? requirement : "excluded";
  }
  const handlersPath = findHandlersPath(type, context.paths);
  if (handlersPath !== undefined && typeArguments.length === 0 && isSamePath(handlersPath, context.path)) {
    // An alias of the type may be an alias of `Partial<…>`.
    const denoted = listDenotedTypes(type.getSourceFile(), name).map(readInner);
    return denoted.length === 0 ? "required" : joinRequirements(denoted);
  }
  return handlersPath !== undefined && isSamePath(handlersPath, context.path)
    ? "required"
    : joinRequirements(listDenotedTypes(type.getSourceFile(), name).map(readInner));
}

/** Reads whether the members whose names are `keys`, such as those of `Record<keys, string>`, include a member. */
function readKeyRequirement(keys: Node, key: string, context: TypeContext, depth: number): Requirement {
  const readInner = (inner: Node) => readKeyRequirement(inner, key, context, depth + 1);
  if (depth > maxAliasDepth) {
    return "unknown";
  }
  if (Node.isParenthesizedTypeNode(keys)) {
    return readInner(keys.getTypeNode());
  }
  if (Node.isUnionTypeNode(keys)) {
    return joinRequirements(keys.getTypeNodes().map(readInner));
  }
  if (Node.isTypeOperatorTypeNode(keys) && keys.getOperator() === SyntaxKind.KeyOfKeyword) {
    const requirement = readTypeRequirement(keys.getTypeNode(), key, context, depth + 1);
    return requirement === "optional" ? "required" : requirement;
  }
  const { name, typeArguments } = readReference(keys);
  const [base, selection] = typeArguments;
  if (base !== undefined && selection !== undefined && ["Exclude", "Extract"].includes(name)) {
    const selectedKeys = readKeys(selection);
    const requirement = selectedKeys === undefined ? "unknown" : readInner(base);
    return requirement === "unknown" || selectedKeys?.has(key) === (name === "Extract") ? requirement : "excluded";
  }
  const alias = findAlias(keys.getSourceFile(), name);
  return alias === undefined ? "unknown" : readInner(alias);
}

/** An object whose type requires members that it lacks. */
export interface IncompleteObject {
  readonly object: ObjectLiteralExpression;
  readonly missingKeys: readonly string[];
}

/**
 * Finds the objects beside the handlers whose types require a member for each child of a group, such as
 * `Record<keyof VehicleHandlers, string>`, but that lack some of these members.
 */
export function listIncompleteObjects(
  files: readonly SourceFile[],
  tree: HandlerTree,
  { path, keys }: { readonly path: readonly string[]; readonly keys: readonly string[] },
): readonly IncompleteObject[] {
  return files
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression))
    .flatMap((object) => {
      const ownKeys = new Set(listMembers(object).map(({ key }) => key));
      const isRelated = keys.some((key) => ownKeys.has(key));
      const requires = (key: string) => readRequirement(object, key, { tree, path }) === "required";
      if (!isRelated || hasAssertedType(object) || hasUnknownMembers(object)) {
        return [];
      }
      const missingKeys = keys.filter((key) => !ownKeys.has(key) && requires(key));
      return missingKeys.length === 0 ? [] : [{ object, missingKeys }];
    });
}

/** Whether a type is asserted for an object, so that the object may lack members: `{…} as VehicleHandlers`. */
function hasAssertedType(node: Node): boolean {
  const parent = node.getParent();
  return (
    Node.isAsExpression(parent) ||
    Node.isTypeAssertion(parent) ||
    (Node.isParenthesizedExpression(parent) && hasAssertedType(parent))
  );
}

/** Returns the name and the arguments of a type. */
function readReference(type: Node): { readonly name: string; readonly typeArguments: readonly Node[] } {
  if (Node.isTypeReference(type)) {
    return { name: type.getTypeName().getText(), typeArguments: type.getTypeArguments() };
  }
  return Node.isExpressionWithTypeArguments(type)
    ? { name: type.getExpression().getText(), typeArguments: type.getTypeArguments() }
    : { name: "", typeArguments: [] };
}

/**
 * Returns the names in a type: `a` and `b` for `"a" | "b"`, or for `keyof typeof handlers` with these members.
 * Undefined for other types.
 */
function readKeys(type: Node, depth = 0): ReadonlySet<string> | undefined {
  if (depth > maxAliasDepth) {
    return undefined;
  }
  if (Node.isParenthesizedTypeNode(type)) {
    return readKeys(type.getTypeNode(), depth + 1);
  }
  if (Node.isUnionTypeNode(type)) {
    const parts = type.getTypeNodes().map((part) => readKeys(part, depth + 1));
    return parts.some((part) => part === undefined) ? undefined : new Set(parts.flatMap((part) => [...(part ?? [])]));
  }
  const literal = Node.isLiteralTypeNode(type) ? type.getLiteral() : undefined;
  if (Node.isStringLiteral(literal)) {
    return new Set([literal.getLiteralText()]);
  }
  if (Node.isTypeOperatorTypeNode(type) && type.getOperator() === SyntaxKind.KeyOfKeyword) {
    return readKeysOf(type.getTypeNode());
  }
  const alias = findAlias(type.getSourceFile(), readReference(type).name);
  return alias && readKeys(alias, depth + 1);
}

function findAlias(file: SourceFile, name: string): Node | undefined {
  return findTypeAlias(file, name)?.getTypeNode();
}

/** Returns the keys of the object in `typeof object`. */
function readKeysOf(type: Node): ReadonlySet<string> | undefined {
  const object = Node.isTypeQuery(type) ? findObject(type.getExprName()) : undefined;
  return object === undefined || hasUnknownMembers(object)
    ? undefined
    : new Set(listMembers(object).map(({ key }) => key));
}

/** Returns the type that the code around an object literal declares for it. */
export function findDeclaredType(value: Node): Node | undefined {
  const parent = value.getParent();
  if (Node.isParenthesizedExpression(parent) || isFreezeCall(parent)) {
    return findDeclaredType(parent);
  }
  if (Node.isVariableDeclaration(parent) || isTypeWrapper(parent)) {
    return findWrittenType(parent);
  }
  const returning = Node.isReturnStatement(parent) ? value.getFirstAncestor(isFunction) : parent;
  return returning !== undefined && isFunction(returning) ? returning.getReturnTypeNode() : undefined;
}
