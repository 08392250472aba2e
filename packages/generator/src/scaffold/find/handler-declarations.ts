import { Node, type SourceFile, SyntaxKind } from "ts-morph";
import { findProperty, getValue, type HandlerObject, isFunction, listMembers, readMember } from "./read-members.js";
import { cacheUntilEdited, unwrapExpression } from "./resolve-names.js";

// Finds the code of a handler to which a member of an object or a class refers.

/**
 * Returns the declaration of a member's handler, such as a method, or a function in another file. Returns the member
 * itself if it contains the handler, if several functions may be the handler, or if no file of the server declares it.
 */
export function getDeclaration(member: Node): Node {
  const value = Node.isShorthandPropertyAssignment(member) ? member.getNameNode() : getValue(member);
  const containsFunction = value === undefined || [value, ...value.getDescendants()].some(isFunction);
  const declaration = containsFunction ? undefined : findFunction(value);
  return declaration ?? member;
}

/** Finds the declaration of the function that is the value of an expression. */
function findFunction(expression: Node): Node | undefined {
  const value = unwrapExpression(expression);
  if (Node.isPropertyAccessExpression(value)) {
    return findDefinition(value.getNameNode());
  }
  if (!Node.isCallExpression(value)) {
    return findDefinition(value);
  }
  const called = value.getExpression();
  if (Node.isPropertyAccessExpression(called) && called.getName() === "bind") {
    return findFunction(called.getExpression());
  }
  // A call with one function probably wraps it: `logged(getQuote)`.
  const [wrapped, ...others] = value.getArguments().flatMap((argument) => {
    const declaration = findFunction(argument);
    return declaration !== undefined && declaresFunction(declaration) ? [declaration] : [];
  });
  if (wrapped !== undefined) {
    return others.length === 0 ? wrapped : undefined;
  }
  return countCalls(value.getSourceFile()).get(called.getText()) === 1 ? findFunction(called) : undefined;
}

function declaresFunction(declaration: Node): boolean {
  const value = unwrapExpression(getValue(declaration) ?? declaration);
  return value !== undefined && isFunction(value);
}

/** Counts the calls in a file by the text of the called function. A function with several calls has several results. */
const countCalls = cacheUntilEdited((file: SourceFile): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
    const text = call.getExpression().getText();
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
});

/** Returns the declaration of a name in the server's code. Undefined if another package declares it. */
function findDefinition(name: Node | undefined): Node | undefined {
  if (!Node.isIdentifier(name)) {
    return undefined;
  }
  return (
    name
      .getDefinitionNodes()
      // For a shorthand member, TypeScript returns the import instead of the declaration, so the import is followed.
      .flatMap((node) => getImportedName(node)?.getDefinitionNodes() ?? [node])
      .filter((node) => node !== name.getParent() && !Node.isSourceFile(node) && getImportedName(node) === undefined)
      .at(-1)
  );
}

/** Returns the name that an import declares; undefined if the node is not part of an import. */
function getImportedName(node: Node) {
  const name = Node.isImportSpecifier(node)
    ? (node.getAliasNode() ?? node.getNameNode())
    : Node.isImportClause(node)
      ? node.getDefaultImport()
      : undefined;
  return Node.isIdentifier(name) ? name : undefined;
}

/** Returns the declarations in other files to which the member of a key refers. */
export function listDeclarations(object: HandlerObject, key: string): readonly Node[] {
  const member = readMember(object, key);
  const property = findProperty(object, key);
  const group = member.kind === "object" ? member.object : undefined;
  const isInside = property !== undefined && group?.getAncestors().includes(property) === true;
  const declaration = property === undefined || isInside ? undefined : getDeclaration(property);
  const file = declaration?.getSourceFile();
  const isElsewhere = file !== undefined && file !== object.getSourceFile() && !file.isDeclarationFile();
  // The members of a class are left out, because some of them may not be handlers.
  const innerMembers = Node.isObjectLiteralExpression(group) ? listMembers(group) : [];
  const innerDeclarations = innerMembers.flatMap((inner) => listDeclarations(inner.object, inner.key));
  return [...new Set([...(declaration !== undefined && isElsewhere ? [declaration] : []), ...innerDeclarations])];
}

/** Whether a file exports only this declaration. The file can then be deleted together with the declaration. */
export function isOnlyExport(declaration: Node): boolean {
  const exportedDeclarations = [...declaration.getSourceFile().getExportedDeclarations().values()].flat();
  return exportedDeclarations.length > 0 && exportedDeclarations.every((exported) => exported === declaration);
}
