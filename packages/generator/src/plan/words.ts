/** Letters that came with Unicode 16 and 17: not every tool that reads code knows them, nor does every Node. */
const young =
  "\\u088f\\u0897\\u0c5c\\u0cdc\\u1acf-\\u1aeb\\u1c89\\u1c8a\\ua7cb-\\ua7cf\\ua7d2\\ua7d4\\ua7da-\\ua7dc\\ua7f1";

/** Letters, digits and marks of the basic plane that an identifier may hold, without connectors and what cannot be seen. */
const word = new RegExp(
  `(?:(?![\\p{Pc}\\p{Default_Ignorable_Code_Point}\\u{10000}-\\u{10ffff}${young}])\\p{ID_Continue})+`,
  "gu",
);

function wordsOf(text: string): readonly string[] {
  return text.normalize("NFC").match(word) ?? [];
}

function upperFirst(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return first.toUpperCase() + text.slice(first.length);
}

function startable(name: string): string {
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** A schema's name as the name of a type or class: `vehicle-type` is `VehicleType`. Capitals inside stay. */
export function pascal(text: string): string {
  return startable(wordsOf(text).map(upperFirst).join("") || "Unnamed");
}

/** A schema's name as the name of a method, constant or property: `CheckUSA` is `checkUSA`, `ACMEFoo` is `acmeFoo`. */
export function camel(text: string): string {
  const name = wordsOf(text)
    .map((each, index) => (index === 0 ? each : upperFirst(each)))
    .join("");
  return startable(lowerHead(name) || "unnamed");
}

/** A name that may already be one: as it is if it can be (`delete`, `constructor_`), else as `camel` makes it. */
export function memberWord(text: string): string {
  const bare = text.replace(/_$/, "");
  const [only, ...others] = wordsOf(bare);
  return only === bare && others.length === 0 ? startable(text) : camel(text);
}

/** Lowers the capitals a name begins with; the last of several belongs to the next word, if that goes on in small letters. */
function lowerHead(name: string): string {
  const head = /^\p{Lu}+/u.exec(name)?.[0] ?? "";
  const rest = name.slice(head.length);
  if ([...head].length < 2 || !/^\p{Ll}/u.test(rest)) return head.toLowerCase() + rest;
  const last = [...head].at(-1) ?? "";
  return head.slice(0, -last.length).toLowerCase() + last + rest;
}

/** The last word of a namespace, capitalised: `http://vehicle.example/bespoke/` gives `Bespoke`; undefined if it has none. */
export function namespaceWord(namespace: string): string | undefined {
  const steps = namespace.split(/[/:#?]/).filter((step) => /\p{L}/u.test(step));
  const last = steps.at(-1);
  return last === undefined ? undefined : pascal(last.replace(/\.(?:xsd|wsdl|asmx)$/i, ""));
}
