/** Names that objects and classes have already, or may not have. */
const reserved = new Set([
  "constructor",
  "prototype",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);

/** A piece of a route as a property name: `contact-forms` is `contactForms`. Never empty. */
export function camelWord(text: string): string {
  const words = text.normalize("NFC").match(/(?:(?!\p{Pc})\p{ID_Continue})+/gu) ?? [];
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("");
  if (joined === "") return "_";
  if (reserved.has(joined)) return `${joined}_`;
  return /^[\p{ID_Start}]/u.test(joined) ? joined : `_${joined}`;
}

/** Several pieces as one name: `translation`, `st` is `translationSt`. */
export function camelWords(pieces: readonly string[]): string {
  return camelWord(pieces.join("-"));
}

/** The first free name: as it is, else with 2, 3 … behind. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count += 1) free = `${name}${count}`;
  return free;
}

/** `v1`, `v2.1`, `1.0`: says which edition, not what. */
export function isVersion(segment: string): boolean {
  return /^v?\d+(\.\d+)*$/i.test(segment);
}

function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
