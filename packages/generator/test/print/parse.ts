import { Project, type SourceFile, ts } from "ts-morph";
import type { PrintedDeclaration } from "../../src/print/index.js";

const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { noLib: true } });

/** Parses a text. Uses the compiler itself, because ts-morph would wrap every node, which takes ten times as long. */
function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest);
}

/** The syntax errors of a text. */
export function syntaxErrors(text: string): readonly string[] {
  const file: SourceFile = project.createSourceFile("file.ts", text, { overwrite: true });
  const found = project.getProgram().getSyntacticDiagnostics(file);
  return found.map((each) => String(each.getMessageText()));
}

/** The kinds of all nodes in a text. */
export function nodeKinds(text: string): ReadonlySet<ts.SyntaxKind> {
  const kinds = new Set<ts.SyntaxKind>();
  const visit = (node: ts.Node): void => {
    kinds.add(node.kind);
    ts.forEachChild(node, visit);
  };
  visit(parse(text));
  return kinds;
}

/** The statements of a text without its imports: `interface Vehicle`. */
export function statements(text: string): readonly string[] {
  const file = parse(text);
  return file.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) {
      return [];
    }
    if (ts.isExportDeclaration(statement)) {
      return ["export"];
    }
    if (ts.isInterfaceDeclaration(statement)) {
      return [`interface ${statement.name.text}`];
    }
    if (ts.isTypeAliasDeclaration(statement)) {
      return [`alias ${statement.name.text}`];
    }
    if (ts.isClassDeclaration(statement)) {
      return [`class ${statement.name?.text}`];
    }
    if (ts.isFunctionDeclaration(statement)) {
      return [`function ${statement.name?.text}`];
    }
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => `constant ${name.getText(file)}`);
    }
    return [ts.SyntaxKind[statement.kind]];
  });
}

/**
 * The statements that must be printed for declarations. Re-exports are left out, because they are printed as one
 * statement for each module.
 */
export function planned(declarations: readonly PrintedDeclaration[]): readonly string[] {
  return declarations.flatMap((each) => (each.kind === "reexport" ? [] : [`${each.kind} ${each.name}`]));
}
