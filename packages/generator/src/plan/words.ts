// Letters, digits and marks that an identifier may hold, without connectors and without what cannot be seen.
const word = /(?:(?![\p{Pc}\p{Default_Ignorable_Code_Point}])\p{ID_Continue})+/gu;

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
