import {
  anyOf,
  type CharacterClass,
  type CharacterEscape,
  complement,
  type PatternSource,
  range,
  union,
} from "@bothends/datatypes/pattern";

// PCRE without its Unicode mode: the classes are of ASCII.
const classes: ReadonlyMap<string, CharacterClass> = /* @__PURE__ */ new Map([
  ["d", /* @__PURE__ */ range(48, 57)],
  ["s", /* @__PURE__ */ anyOf(" \t\n\v\f\r")],
  ["h", /* @__PURE__ */ anyOf(" \t\u00a0")],
  ["v", /* @__PURE__ */ anyOf("\n\v\f\r\u0085")],
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
  ["a", 7],
  ["t", 9],
  ["n", 10],
  ["f", 12],
  ["r", 13],
  ["e", 27],
]);

/** Reads an escape of the route dialect, from its backslash on. */
export function readRouteEscape(source: PatternSource, { inClass }: { readonly inClass: boolean }): CharacterEscape {
  const start = source.offset;
  const numbered = readCode(source, inClass);
  if (numbered !== undefined) {
    return { kind: "character", codePoint: numbered };
  }
  source.take("\\");
  const letter = source.read();
  if (letter === "") {
    throw source.error("A backslash ends the pattern.", start);
  }
  if (!/[0-9A-Za-z]/.test(letter)) {
    return { kind: "character", codePoint: letter.codePointAt(0) ?? 0 };
  }
  const control = inClass && letter === "b" ? 8 : controls.get(letter);
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

/** Characters by their number: `\0`, `\012` in octal, which in a class any digit may begin; `\x2f`, `\x{2f}`. */
function readCode(source: PatternSource, inClass: boolean): number | undefined {
  const codes = inClass
    ? /\\(?:([0-7]{1,3})|x\{([\da-f]{1,6})\}|x([\da-f]{0,2}))/iy
    : /\\(?:(0[0-7]{0,2})|x\{([\da-f]{1,6})\}|x([\da-f]{0,2}))/iy;
  codes.lastIndex = source.offset;
  const [whole, octal, braced, hexadecimal] = codes.exec(source.text) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  const code = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(braced ?? (hexadecimal || "0"), 16);
  // Without its Unicode mode PCRE knows the characters of one byte.
  if (code > 0xff) {
    throw source.error("A character's number is at most 255.");
  }
  source.offset += whole.length;
  return code;
}
