import { Project, type SourceFile, SyntaxKind } from "ts-morph";
import type { Declaration } from "../../src/print/index.js";

const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { noLib: true } });

export function parse(text: string): SourceFile {
  return project.createSourceFile("file.ts", text, { overwrite: true });
}

/** The syntax errors of a text. */
export function syntaxErrors(text: string): readonly string[] {
  const file = parse(text);
  const found = project.getProgram().getSyntacticDiagnostics(file);
  return found.map((each) => String(each.getMessageText()));
}

/** The statements of a text without its imports: `interface Vehicle`. */
export function statements(text: string): readonly string[] {
  return parse(text)
    .getStatements()
    .flatMap((statement) => {
      switch (statement.getKind()) {
        case SyntaxKind.ImportDeclaration:
          return [];
        case SyntaxKind.ExportDeclaration:
          return ["export"];
        case SyntaxKind.InterfaceDeclaration:
          return [`interface ${statement.asKindOrThrow(SyntaxKind.InterfaceDeclaration).getName()}`];
        case SyntaxKind.TypeAliasDeclaration:
          return [`alias ${statement.asKindOrThrow(SyntaxKind.TypeAliasDeclaration).getName()}`];
        case SyntaxKind.ClassDeclaration:
          return [`class ${statement.asKindOrThrow(SyntaxKind.ClassDeclaration).getName()}`];
        case SyntaxKind.FunctionDeclaration:
          return [`function ${statement.asKindOrThrow(SyntaxKind.FunctionDeclaration).getName()}`];
        case SyntaxKind.VariableStatement:
          return statement
            .asKindOrThrow(SyntaxKind.VariableStatement)
            .getDeclarations()
            .map((each) => `constant ${each.getName()}`);
        default:
          return [statement.getKindName()];
      }
    });
}

/** The statements that declarations must become. Re-exports are left out, because they have a statement for each module. */
export function planned(declarations: readonly Declaration[]): readonly string[] {
  return declarations.flatMap((each) => (each.kind === "reexport" ? [] : [`${each.kind} ${each.name}`]));
}
