import type {
  ClassMember,
  Declaration,
  Expression,
  MemberNode,
  Parameter,
  Statement,
  TypeNode,
  TypeParameter,
} from "./declaration.js";
import type { CodeSymbol } from "./symbol.js";
import { unreachable } from "./unreachable.js";

type Use = (symbol: CodeSymbol) => void;

/** Tells every symbol that a declaration uses. Re-exported names are not imported, so they do not count. */
export function symbolsOf(declaration: Declaration, use: Use): void {
  switch (declaration.kind) {
    case "interface":
      for (const base of declaration.extends) ofType(base, use);
      ofMembers(declaration.members, use);
      break;
    case "alias":
      ofType(declaration.type, use);
      break;
    case "constant":
      if (declaration.type !== "const") ofType(declaration.type, use);
      ofExpression(declaration.value, use);
      break;
    case "class":
      ofTypeParameters(declaration.typeParameters, use);
      if (declaration.extends !== undefined) ofType(declaration.extends, use);
      for (const member of declaration.members) ofClassMember(member, use);
      break;
    case "function":
      ofParameters(declaration.parameters, use);
      ofType(declaration.returns, use);
      ofStatements(declaration.body, use);
      break;
    case "reexport":
      break;
    default:
      unreachable(declaration);
  }
}

function ofMembers(members: readonly MemberNode[], use: Use): void {
  for (const member of members) {
    if (member.kind === "property" || member.kind === "index") {
      ofType(member.type, use);
    } else {
      ofTypeParameters(member.typeParameters, use);
      ofParameters(member.parameters, use);
      ofType(member.returns, use);
    }
  }
}

function ofClassMember(member: ClassMember, use: Use): void {
  switch (member.kind) {
    case "private":
      ofType(member.type, use);
      break;
    case "field":
      if (member.type !== undefined) ofType(member.type, use);
      if (member.value !== undefined) ofExpression(member.value, use);
      break;
    case "constructor":
      ofParameters(member.parameters, use);
      ofStatements(member.body, use);
      break;
    case "method":
      ofTypeParameters(member.typeParameters, use);
      ofParameters(member.parameters, use);
      ofType(member.returns, use);
      ofStatements(member.body, use);
      break;
    default:
      unreachable(member);
  }
}

function ofTypeParameters(parameters: readonly TypeParameter[] | undefined, use: Use): void {
  for (const parameter of parameters ?? []) {
    ofType(parameter.extends, use);
    if (parameter.default !== undefined) ofType(parameter.default, use);
  }
}

function ofParameters(parameters: readonly Parameter[], use: Use): void {
  for (const parameter of parameters) {
    ofType(parameter.type, use);
    if (parameter.default !== undefined) ofExpression(parameter.default, use);
  }
}

function ofStatements(statements: readonly Statement[], use: Use): void {
  for (const statement of statements) ofExpression(statement.value, use);
}

function ofType(type: TypeNode, use: Use): void {
  switch (type.kind) {
    case "symbol":
      use(type.symbol);
      for (const argument of type.arguments ?? []) ofType(argument, use);
      break;
    case "keyword":
      for (const argument of type.arguments ?? []) ofType(argument, use);
      break;
    case "array":
      ofType(type.item, use);
      break;
    case "union":
    case "intersection":
      for (const member of type.members) ofType(member, use);
      break;
    case "object":
      ofMembers(type.members, use);
      break;
    case "valuesOf":
      use(type.symbol);
      break;
    case "parameter":
    case "literal":
      break;
    default:
      unreachable(type);
  }
}

function ofExpression(expression: Expression, use: Use): void {
  switch (expression.kind) {
    case "symbol":
      use(expression.symbol);
      break;
    case "object":
      for (const entry of expression.entries) ofExpression(entry.value, use);
      break;
    case "array":
      for (const item of expression.items) ofExpression(item, use);
      break;
    case "lazy":
      ofExpression(expression.value, use);
      break;
    case "arrow":
      ofTypeParameters(expression.typeParameters, use);
      ofParameters(expression.parameters, use);
      ofType(expression.returns, use);
      ofExpression(expression.value, use);
      break;
    case "call":
    case "new":
      ofExpression(expression.callee, use);
      for (const argument of expression.arguments) ofExpression(argument, use);
      break;
    case "member":
      ofExpression(expression.of, use);
      break;
    case "literal":
    case "local":
    case "private":
      break;
    default:
      unreachable(expression);
  }
}
