export type { LiteralValue } from "./escape.js";
export {
  array,
  arrayType,
  comment,
  entry,
  type Fragment,
  hangingValue,
  identifier,
  indexSignature,
  intersection,
  itemsOf,
  key,
  literal,
  literalUnion,
  member,
  object,
  objectType,
  ofUnion,
  union,
  use,
} from "./fragment.js";
export {
  type CodeSymbol,
  kindNames,
  type Module,
  runtimeNames,
  runtimeSymbols,
  runtimeType,
  runtimeValue,
  xs,
  xsModule,
} from "./symbols.js";
export { code, documented, type Hole, separatedByBlankLines, typeBody } from "./template.js";
export { type Declaration, header, type PrintedDeclaration, TypeScriptFile } from "./typescript-file.js";
