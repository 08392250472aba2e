import {
  type CallExpression,
  type ExportDeclaration,
  type ImportDeclaration,
  Node,
  type ParameterDeclaration,
  type SourceFile,
  type StatementedNode,
  SyntaxKind,
  ts,
} from "ts-morph";

// Finds the declarations to which names in the user's code refer.

/** Returns the declaration or the exported value to which an expression refers. */
export function findReferencedNode(expression: Node): Node | undefined {
  if (Node.isIdentifier(expression)) {
    return resolveName(expression, expression.getText());
  }
  const namespace = Node.isPropertyAccessExpression(expression) ? expression.getExpression().getText() : undefined;
  const importDeclaration = expression
    .getSourceFile()
    .getImportDeclaration((declaration) => declaration.getNamespaceImport()?.getText() === namespace);
  return Node.isPropertyAccessExpression(expression) && importDeclaration !== undefined
    ? findExport(findImportedSource(importDeclaration), expression.getName())
    : undefined;
}

export function isWrapper(node: Node | undefined) {
  return Node.isParenthesizedExpression(node) || isTypeWrapper(node);
}

/** Whether a node is an expression with a type: `… as T`, `<T>…`, `… satisfies T`. */
export function isTypeWrapper(node: Node | undefined) {
  return Node.isAsExpression(node) || Node.isTypeAssertion(node) || Node.isSatisfiesExpression(node);
}

/** Removes parentheses, type assertions, `satisfies`, `await` and `Object.freeze` from an expression. */
export function unwrapExpression(node: Node | undefined): Node | undefined {
  if (isFreezeCall(node)) {
    return unwrapExpression(node.getArguments()[0]);
  }
  return isWrapper(node) || Node.isAwaitExpression(node) ? unwrapExpression(node.getExpression()) : node;
}

/** Whether a node is the call of a function that returns its argument: `Object.freeze(…)`. */
export function isFreezeCall(node: Node | undefined): node is CallExpression {
  return (
    Node.isCallExpression(node) &&
    /^Object\s*\.\s*(?:freeze|seal|preventExtensions)$/.test(node.getExpression().getText())
  );
}

/**
 * Returns the declaration or the file to which an expression refers. For the call of a function, which may return its
 * argument, returns those of the arguments. For a namespace, returns the declarations of `keys` if it exports them.
 */
export function findOrigins(expression: Node | undefined, keys: readonly string[] = []): readonly Node[] {
  const value = unwrapExpression(expression);
  if (Node.isCallExpression(value)) {
    return value.getArguments().flatMap((argument) => findOrigins(argument, keys));
  }
  const declaration = value && findReferencedNode(value);
  if (declaration !== undefined || !Node.isIdentifier(value)) {
    return declaration === undefined ? [] : [declaration];
  }
  const [name, file] = [value.getText(), value.getSourceFile()];
  const importDeclaration = findImport(file, name)?.declaration;
  const source = findNamespace(value) ?? (importDeclaration && findImportedSource(importDeclaration));
  const exported = keys.flatMap((key) => findExport(source, key) ?? []);
  return source === undefined || exported.length > 0 ? exported : [source];
}

/**
 * Whether a type in the user's code refers to the given type: directly, as `VehicleHandlers` or
 * `vehicle.VehicleHandlers`; through an alias of the import; or inside a promise.
 */
export function refersToType(node: Node | undefined, type: string): boolean {
  const name = node?.getText().replace(/^Promise<(.*)>$/s, "$1");
  return node !== undefined && name !== undefined && isNameOf(name, type, node.getSourceFile());
}

/** Whether a name in a file refers to the given type. */
export function isNameOf(name: string, type: string, file: SourceFile): boolean {
  return name === type || name.endsWith(`.${type}`) || findImport(file, name)?.name === type;
}

/**
 * Returns the file whose exports a name denotes: that of `import * as quotes from …`, or of `export * as quotes from …`
 * in the file from which the name is imported.
 */
export function findNamespace(name: Node): SourceFile | undefined {
  return findNamespaceIn(name.getSourceFile(), name.getText());
}

function findNamespaceIn(file: SourceFile, name: string, visited: readonly SourceFile[] = []): SourceFile | undefined {
  const namespaceImport = file.getImportDeclaration((other) => other.getNamespaceImport()?.getText() === name);
  const foundImport = findImport(file, name);
  return namespaceImport !== undefined
    ? findImportedSource(namespaceImport)
    : foundImport && findExportedNamespace(findImportedSource(foundImport.declaration), foundImport.name, visited);
}

/** Returns the file whose exports a file exports under a name. */
function findExportedNamespace(
  file: SourceFile | undefined,
  name: string,
  visited: readonly SourceFile[],
): SourceFile | undefined {
  if (file === undefined || visited.includes(file)) {
    return undefined;
  }
  for (const declaration of file.getExportDeclarations()) {
    const specifiers = declaration.getNamedExports();
    const specifier = specifiers.find((other) => (other.getAliasNode()?.getText() ?? other.getName()) === name);
    const source = declaration.hasModuleSpecifier() ? findImportedSource(declaration) : undefined;
    const isNamespace = declaration.getNamespaceExport()?.getName() === name;
    const isStar = specifiers.length === 0 && declaration.getNamespaceExport() === undefined;
    const innerName = specifier?.getName() ?? (isStar ? name : undefined);
    const found = isNamespace
      ? source
      : innerName === undefined
        ? undefined
        : source === undefined
          ? findNamespaceIn(file, innerName, [...visited, file])
          : findExportedNamespace(source, innerName, [...visited, file]);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Returns the file that an import refers to. The method of ts-morph would compile the server after each edit. */
export function findImportedSource(declaration: ImportDeclaration | ExportDeclaration): SourceFile | undefined {
  return findModule(declaration.getSourceFile(), declaration.getModuleSpecifierValue() ?? "");
}

/** Returns the file of the server to which a specifier in a file refers. */
export function findModule(file: SourceFile, specifier: string): SourceFile | undefined {
  const project = file.getProject();
  const resolution = ts.resolveModuleName(
    specifier,
    file.getFilePath(),
    project.getCompilerOptions(),
    project.getModuleResolutionHost(),
  );
  return project.getSourceFile(resolution.resolvedModule?.resolvedFileName ?? "");
}

/**
 * Returns the variable, function or class to which a name at a node refers, in the same file or through an import. For
 * a default export, returns its value.
 */
export function resolveName(node: Node, name: string): Node | undefined {
  for (const scope of [...(Node.isSourceFile(node) ? [node] : []), ...node.getAncestors()]) {
    if (hasParameter(scope, name)) {
      return undefined;
    }
    const declaration = findDeclaration(scope, name);
    if (declaration !== undefined) {
      return declaration;
    }
  }
  const file = node.getSourceFile();
  const foundImport = findImport(file, name);
  const declaration =
    foundImport?.declaration ?? file.getImportDeclaration((other) => other.getDefaultImport()?.getText() === name);
  return (
    findExport(declaration && findImportedSource(declaration), foundImport?.name ?? "default") ??
    findRequiredMember(file, name)
  );
}

/** Returns the value of a name that a CommonJS file imports: `Quotes` of `const { Quotes } = require("./quotes")`. */
function findRequiredMember(file: SourceFile, name: string): Node | undefined {
  if (!file.getFullText().includes("require")) {
    return undefined;
  }
  for (const variable of file.getVariableDeclarations()) {
    const pattern = variable.getNameNode();
    const elements = Node.isObjectBindingPattern(pattern) ? pattern.getElements() : [];
    const element = elements.find((other) => other.getName() === name);
    if (element !== undefined) {
      const exported = element.getPropertyNameNode()?.getText() ?? name;
      return findRequiredValue(variable.getInitializer(), exported);
    }
  }
  return undefined;
}

/**
 * Returns the value of a call `require("./quotes")`: the value that the CommonJS file exports, or its member. Undefined
 * for any other expression.
 */
export function findRequiredValue(node: Node | undefined, member?: string): Node | undefined {
  const specifier = readRequireCall(node);
  const source =
    specifier === undefined || node === undefined ? undefined : findModule(node.getSourceFile(), specifier);
  return source && findCommonJsExport(source, member);
}

function readRequireCall(node: Node | undefined): string | undefined {
  const [argument] =
    Node.isCallExpression(node) && node.getExpression().getText() === "require" ? node.getArguments() : [];
  return Node.isStringLiteral(argument) ? argument.getLiteralText() : undefined;
}

/** Returns the value that a CommonJS file assigns to `module.exports`, or to a member of it. */
function findCommonJsExport(file: SourceFile, member: string | undefined): Node | undefined {
  const assignments = file
    .getStatements()
    .flatMap((statement) => (Node.isExpressionStatement(statement) ? [statement.getExpression()] : []))
    .filter(Node.isBinaryExpression);
  const findAssigned = (name: string) =>
    assignments.find((assignment) => [name, `module.${name}`].includes(assignment.getLeft().getText()))?.getRight();
  const whole = unwrapExpression(findAssigned("exports"));
  if (member === undefined) {
    return whole;
  }
  const property = Node.isObjectLiteralExpression(whole) ? whole.getProperty(member) : undefined;
  const value = Node.isPropertyAssignment(property)
    ? property.getInitializer()
    : (property ?? findAssigned(`exports.${member}`));
  const name = Node.isShorthandPropertyAssignment(value) ? value.getNameNode() : unwrapExpression(value);
  return Node.isIdentifier(name) ? resolveName(file, name.getText()) : name;
}

/** Returns the function around a name that has a parameter with this name. */
export function findParameterOwner(name: Node): Node | undefined {
  return name.getAncestors().find((scope) => hasParameter(scope, name.getText()));
}

function hasParameter(scope: Node, name: string): boolean {
  return Node.isParametered(scope) && scope.getParameters().some((parameter) => declaresName(parameter, name));
}

/** Whether a parameter, or its destructuring pattern, declares a name. */
function declaresName(parameter: ParameterDeclaration, name: string): boolean {
  return (
    parameter.getName() === name ||
    parameter.getDescendantsOfKind(SyntaxKind.BindingElement).some((element) => element.getName() === name)
  );
}

/** Returns the variable, function or class that a file or a block declares with a name. */
function findDeclaration(scope: Node, name: string): Node | undefined {
  return Node.isStatemented(scope) ? readDeclarations(scope).get(name) : undefined;
}

const readDeclarations = cacheUntilEdited((scope: Node & StatementedNode): ReadonlyMap<string, Node> => {
  const declarations = [...scope.getVariableDeclarations(), ...scope.getClasses(), ...scope.getFunctions()];
  return keepFirstByName(declarations.map((declaration) => [declaration.getName() ?? "", declaration]));
});

/** Returns the import of a name, and the name under which the imported file exports it. */
export function findImport(file: SourceFile, name: string) {
  return readImports(file).get(name);
}

const readImports = cacheUntilEdited((file: SourceFile) =>
  keepFirstByName(
    file
      .getImportDeclarations()
      .flatMap((declaration) => declaration.getNamedImports().map((specifier) => ({ declaration, specifier })))
      .map(({ declaration, specifier }) => {
        const name = specifier.getName();
        return [specifier.getAliasNode()?.getText() ?? name, { declaration, name }] as const;
      }),
  ),
);

/**
 * Returns a function that caches the results of `read` until the node's file is edited, because an edit replaces
 * compiler nodes. Without this cache, merging would take quadratic time.
 */
export function cacheUntilEdited<N extends Node, Result>(read: (node: N) => Result): (node: N) => Result {
  const results = new WeakMap<Node["compilerNode"], Result>();
  return (node) => {
    const result = results.get(node.compilerNode) ?? read(node);
    results.set(node.compilerNode, result);
    return result;
  };
}

function keepFirstByName<Value>(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  return new Map(entries.toReversed());
}

/**
 * Returns the declaration that a file exports under a name: `mine` for `export { mine as checkMexico }`. A default
 * export may be a value.
 */
export function findExport(
  file: SourceFile | undefined,
  name: string,
  visited: readonly SourceFile[] = [],
): Node | undefined {
  if (file === undefined || visited.includes(file)) {
    return undefined;
  }
  const files = [...visited, file];
  for (const declaration of file.getExportDeclarations()) {
    const specifiers = declaration.getNamedExports();
    const specifier = specifiers.find(
      (exportSpecifier) => (exportSpecifier.getAliasNode()?.getText() ?? exportSpecifier.getName()) === name,
    );
    const isStar = specifiers.length === 0 && declaration.getNamespaceExport() === undefined && name !== "default";
    const innerName = specifier?.getName() ?? (isStar ? name : undefined);
    const foundDeclaration =
      innerName === undefined
        ? undefined
        : declaration.hasModuleSpecifier()
          ? findExport(findImportedSource(declaration), innerName, files)
          : specifier && resolveName(specifier, innerName);
    if (foundDeclaration !== undefined) {
      return foundDeclaration;
    }
  }
  return name === "default" ? findDefaultExport(file) : findDeclaration(file, name);
}

/**
 * Returns the names under which a file exports variables, functions and classes. `isComplete` is false if it re-exports
 * the names of a file that was not found.
 */
export function listExportedNames(
  file: SourceFile | undefined,
  visited: readonly SourceFile[] = [],
): { readonly names: ReadonlySet<string>; readonly isComplete: boolean } {
  if (file === undefined || visited.includes(file)) {
    return { names: new Set(), isComplete: file !== undefined };
  }
  const declarations = [...file.getVariableDeclarations(), ...file.getFunctions(), ...file.getClasses()];
  const exportedDeclarations = declarations.filter((declaration) => declaration.hasExportKeyword());
  const reExported = file.getExportDeclarations().map((declaration) => {
    const namespace = declaration.getNamespaceExport()?.getName();
    const specifiers = declaration.getNamedExports();
    return namespace === undefined && specifiers.length === 0 && declaration.hasModuleSpecifier()
      ? listExportedNames(findImportedSource(declaration), [...visited, file])
      : {
          names: [
            ...(namespace === undefined ? [] : [namespace]),
            ...specifiers.map((specifier) => specifier.getAliasNode()?.getText() ?? specifier.getName()),
          ],
          isComplete: true,
        };
  });
  return {
    names: new Set([
      ...exportedDeclarations.flatMap((declaration) => declaration.getName() ?? []),
      ...reExported.flatMap(({ names }) => [...names]),
    ]),
    isComplete: reExported.every(({ isComplete }) => isComplete),
  };
}

function findDefaultExport(file: SourceFile): Node | undefined {
  const value = unwrapExpression(
    file.getExportAssignment((assignment) => !assignment.isExportEquals())?.getExpression(),
  );
  return Node.isIdentifier(value)
    ? resolveName(value, value.getText())
    : (value ?? [...file.getClasses(), ...file.getFunctions()].find((declaration) => declaration.isDefaultExport()));
}

/** Formats the file and line of a node: `src/vehicle/handlers.ts:12`. */
export function formatPosition(node: Node): string {
  return `${node.getSourceFile().getFilePath().slice(1)}:${node.getStartLineNumber()}`;
}
