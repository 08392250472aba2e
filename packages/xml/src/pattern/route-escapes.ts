import { anyOf, type CharacterClass, complement, range, union } from "./character-class.js";
import type { PatternSource } from "./pattern-source.js";
import type { CharacterEscape } from "./xsd-escapes.js";

// PCRE without its Unicode mode: the classes are of ASCII.
const classes: ReadonlyMap<string, CharacterClass> = /* @__PURE__ */ new Map([
  ["d", /* @__PURE__ */ range(48, 57)],
  ["s", /* @__PURE__ */ anyOf(" \t\n\v\f\r")],
  [
    "w",
    /* @__PURE__ */ union([
      /* @__PURE__ */ range(48, 57),
      /* @__PURE__ */ range(65, 90),
      /* @__PURE__ */ anyOf("_"),
      /* @__PURE__ */ range(97, 122),
    ]),
  ],
]);

const controls: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ["t", 9],
  ["n", 10],
  ["f", 12],
  ["r", 13],
]);

/** Reads an escape of the route dialect, from its backslash on. */
export function readRouteEscape(source: PatternSource): CharacterEscape {
  const start = source.offset;
  source.take("\\");
  const letter = source.read();
  if (letter === "") {
    throw source.error("A backslash ends the pattern.", start);
  }
  if (!/[0-9A-Za-z]/.test(letter)) {
    return { kind: "character", codePoint: letter.codePointAt(0) ?? 0 };
  }
  const control = controls.get(letter);
  if (control !== undefined) {
    return { kind: "character", codePoint: control };
  }
  const known = classes.get(letter.toLowerCase());
  if (known === undefined) {
    const what = /[1-9gk]/.test(letter)
      ? "Backreferences are not supported"
      : `The escape \\${letter} is not supported`;
    throw source.error(`${what}.`, start);
  }
  return { kind: "class", class: classes.has(letter) ? known : complement(known) };
}
