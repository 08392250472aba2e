const inherited: ReadonlySet<string> = new Set([
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/** Whether `{}` fits a type with these optional members: the compiler takes what every object inherits for a member. */
export function emptyObjectFits(names: readonly string[]): boolean {
  return !names.some((name) => inherited.has(name));
}
