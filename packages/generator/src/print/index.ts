export { comment } from "./comment.js";
export type {
  ClassMember,
  Declaration,
  Expression,
  Keyword,
  MemberNode,
  MethodNode,
  ObjectEntry,
  Parameter,
  PropertyNode,
  Statement,
  TypeNode,
  TypeParameter,
} from "./declaration.js";
export { ident } from "./ident.js";
export { key } from "./key.js";
export { type Literal, lit } from "./lit.js";
export { runtimeNames, runtimeSymbols, runtimeType, runtimeValue, xs, xsModule } from "./runtime-symbols.js";
export type { CodeSymbol, Module } from "./symbol.js";
export { symbolsOf } from "./symbols-of.js";
export { header, TypeScriptFile } from "./typescript-file.js";
export { unreachable } from "./unreachable.js";
