import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { type SourceFile, sourceFiles } from "./sources.js";

const files = ["packages", "examples"]
  .flatMap((folder) => sourceFiles(folder))
  .filter(({ path }) => !/^packages\/(?:client|contract|server)\/|\/(?:golden|expected)\//.test(path));

/** Names that are too vague for variables, parameters and members. */
const vague = new Set(["asked", "given", "of", "one", "own", "told"]);

/** Matches the texts of files that may declare a vague name. All other files need not be parsed. */
const mayBeVague =
  /^(?![ \t]*(?:\*|\/\/|\/\*)).*(?:\b(?:asked|given|one|own|told)\b|[({[,#]\s*of\b|\b(?:const|let|get|readonly) of\b|^\s*of\b)/im;

/** Returns the names that a file declares: those of variables, parameters, functions, types and members. */
function declaredNames({ path, text }: SourceFile): readonly { readonly name: string; readonly place: string }[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: { readonly name: string; readonly place: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (isDeclaration(node) && !isTableColumn(node, path)) {
      const { line } = file.getLineAndCharacterOfPosition(node.name.getStart(file));
      found.push({ name: node.name.text.replace(/^#/, ""), place: `${path}:${line + 1}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isDeclaration(node: ts.Node): node is ts.Node & { readonly name: ts.Identifier | ts.PrivateIdentifier } {
  const name = "name" in node ? (node.name as ts.Node | undefined) : undefined;
  const isReference = ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node) || ts.isMetaProperty(node);
  return name !== undefined && !isReference && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
}

/** Whether a name is a column of a table of test cases, which may be `given` or `want`. */
function isTableColumn(node: ts.Node & { readonly name: ts.Identifier | ts.PrivateIdentifier }, path: string): boolean {
  return (
    node.name.text === "given" && path.includes("/test/") && !ts.isVariableDeclaration(node) && !ts.isParameter(node)
  );
}

test("no name is on the list of vague names", { timeout: 60_000 }, () => {
  const found = files
    .filter(({ text }) => mayBeVague.test(text))
    .flatMap(declaredNames)
    .filter(({ name }) => vague.has(name));
  expect(found.map(({ name, place }) => `${place}: ${name}`)).toEqual([]);
});

test("the check finds vague names of variables, parameters and members, but not uses and table columns", () => {
  const text = `const one = 1;
for (const { a: own } of list) {}
class Told { #asked = list.of(1); told(of: string) {} }
test.each([{ given: 1, want: 2 }])("", ({ given }) => {});
const given = Array.of(1);`;
  const found = declaredNames({ path: "packages/x/test/a.test.ts", text }).filter(({ name }) => vague.has(name));
  expect(found.map(({ name }) => name)).toEqual(["one", "own", "asked", "told", "of", "given"]);
  expect(
    ["const of = 1;", "{ of: 1 }", "  of(a) {", "(of) => 1", "  #told = 1;"].every((code) => mayBeVague.test(code)),
  ).toBe(true);
});
