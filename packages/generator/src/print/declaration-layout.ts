import type {
  ClassDeclaration,
  ClassMember,
  ConstantDeclaration,
  Declaration,
  FunctionDeclaration,
  InterfaceDeclaration,
  ReexportDeclaration,
  Statement,
} from "./declaration.js";
import { expressionLayout, statementLayout } from "./expression-layout.js";
import { ident, memberName } from "./ident.js";
import type { Layout, Page } from "./layout.js";
import {
  documentationLines,
  membersLayout,
  parametersLayout,
  typeLayout,
  typeParametersLayout,
} from "./type-layout.js";
import { unreachable } from "./unreachable.js";

/** Writes one declaration, with its documentation, to the end of its last line. Re-exports are written by the file. */
export function writeDeclaration(page: Page, declaration: Exclude<Declaration, ReexportDeclaration>): void {
  page.write(documentationLines(declaration.documentation, page.width));
  switch (declaration.kind) {
    case "interface":
      writeInterface(page, declaration);
      break;
    case "alias":
      page.write([`export type ${ident(declaration.name)} = `, typeLayout(declaration.type), ";"]);
      page.newLine();
      break;
    case "constant":
      writeConstant(page, declaration);
      break;
    case "class":
      writeClass(page, declaration);
      break;
    case "function":
      writeFunction(page, declaration);
      break;
    default:
      unreachable(declaration);
  }
}

function writeInterface(page: Page, declaration: InterfaceDeclaration): void {
  const bases = declaration.extends.map(typeLayout).flatMap((base, index) => (index === 0 ? [base] : [", ", base]));
  const head: Layout = [
    `export interface ${ident(declaration.name)} `,
    bases.length === 0 ? [] : ["extends ", bases, " "],
  ];
  if (declaration.members.length === 0) {
    page.write([head, "{}"]);
    page.newLine();
    return;
  }
  page.write([head, "{"]);
  page.newLine();
  page.indented(() => {
    for (const member of membersLayout(declaration.members, page.width)) writeLine(page, member);
  });
  page.line("}");
}

function writeConstant(page: Page, declaration: ConstantDeclaration): void {
  const name = ident(declaration.name);
  const value = expressionLayout(declaration.value);
  if (declaration.type === "const") page.write([`export const ${name} = `, value, " as const;"]);
  else page.write([`export const ${name}: `, typeLayout(declaration.type), " = ", value, ";"]);
  page.newLine();
}

function writeFunction(page: Page, declaration: FunctionDeclaration): void {
  page.write([
    `export function ${ident(declaration.name)}`,
    parametersLayout(declaration.parameters),
    ": ",
    typeLayout(declaration.returns),
    " {",
  ]);
  page.newLine();
  writeBody(page, declaration.body);
}

function writeClass(page: Page, declaration: ClassDeclaration): void {
  const base: Layout = declaration.extends === undefined ? [] : ["extends ", typeLayout(declaration.extends), " "];
  const head: Layout = [
    `export class ${ident(declaration.name)}`,
    typeParametersLayout(declaration.typeParameters),
    " ",
    base,
  ];
  if (declaration.members.length === 0) {
    page.write([head, "{}"]);
    page.newLine();
    return;
  }
  page.write([head, "{"]);
  page.newLine();
  page.indented(() => {
    declaration.members.forEach((member, index) => {
      const before = declaration.members[index - 1];
      if (before !== undefined && spaced(before, member)) page.newLine();
      writeClassMember(page, member);
    });
  });
  page.line("}");
}

/** A blank line stands between members, but not between two plain fields. */
function spaced(before: ClassMember, member: ClassMember): boolean {
  return !(isPlainField(before) && isPlainField(member));
}

function isPlainField(member: ClassMember): boolean {
  return (
    (member.kind === "private" || (member.kind === "field" && member.value === undefined)) &&
    member.documentation === undefined
  );
}

function writeClassMember(page: Page, member: ClassMember): void {
  if (member.kind !== "constructor") page.write(documentationLines(member.documentation, page.width));
  switch (member.kind) {
    case "private":
      writeLine(page, [`readonly #${ident(member.name)}: `, typeLayout(member.type), ";"]);
      break;
    case "field":
      writeLine(page, [
        `readonly ${memberName(member.name)}`,
        member.type === undefined ? [] : [": ", typeLayout(member.type)],
        member.value === undefined ? [] : [" = ", expressionLayout(member.value)],
        ";",
      ]);
      break;
    case "constructor":
      page.write(["constructor", parametersLayout(member.parameters), " {"]);
      page.newLine();
      writeBody(page, member.body);
      break;
    case "method":
      page.write([
        memberName(member.name),
        typeParametersLayout(member.typeParameters),
        parametersLayout(member.parameters),
        ": ",
        typeLayout(member.returns),
        " {",
      ]);
      page.newLine();
      writeBody(page, member.body);
      break;
    default:
      unreachable(member);
  }
}

function writeBody(page: Page, body: readonly Statement[]): void {
  page.indented(() => {
    for (const statement of body) writeLine(page, statementLayout(statement));
  });
  page.line("}");
}

function writeLine(page: Page, layout: Layout): void {
  page.write(layout);
  page.newLine();
}
