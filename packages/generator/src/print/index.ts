export type { LiteralValue } from "./escape.js";
export { comment, eachSymbol, type Fragment, identifier, key, literal, member, use } from "./fragment.js";
export {
  array,
  arrayType,
  entry,
  hanging,
  indexSignature,
  intersection,
  itemsOf,
  literalUnion,
  object,
  objectType,
  union,
} from "./groups.js";
export {
  type CodeSymbol,
  type Module,
  runtimeNames,
  runtimeSymbols,
  runtimeType,
  runtimeValue,
  xs,
  xsModule,
} from "./symbols.js";
export { apart, code, documented, type Hole, typeBody } from "./template.js";
export { type Declaration, header, TypeScriptFile } from "./typescript-file.js";
