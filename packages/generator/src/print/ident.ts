const ascii = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const identifier = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

function isIdentifier(name: string): boolean {
  return ascii.test(name) || identifier.test(name);
}

/** Words that cannot name a declaration in a strict-mode module. */
const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** A name that the plan chose, for a declaration. Anything that is not one is a mistake of ours, and refused. */
export function ident(name: string): string {
  if (!isIdentifier(name) || reserved.has(name)) throw new Error(`${JSON.stringify(name)} is no identifier.`);
  return name;
}

/** The name of a property or method behind a dot, where words of the language are fine. */
export function memberName(name: string): string {
  if (!isIdentifier(name) || name === "__proto__") throw new Error(`${JSON.stringify(name)} is no member name.`);
  return name;
}
