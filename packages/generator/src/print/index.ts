export { type LiteralValue, writeKey, writeLiteral } from "./code-text.js";
export {
  applyToUnion,
  array,
  arrayType,
  comment,
  entry,
  type Fragment,
  identifier,
  indexSignature,
  intersection,
  key,
  lineItems,
  literal,
  literalUnion,
  member,
  object,
  objectType,
  printItems,
  union,
  use,
  wrappableValue,
} from "./fragment.js";
export {
  type CodeSymbol,
  kindNames,
  listRuntimeNames,
  type Module,
  runtimeSymbols,
  runtimeType,
  runtimeValue,
  xs,
  xsModule,
} from "./symbols.js";
export { addDocComment as documented, code, type Hole, separateByBlankLines, typeBody } from "./template.js";
export { type Declaration, header, type PrintedDeclaration, TypeScriptFile } from "./typescript-file.js";
