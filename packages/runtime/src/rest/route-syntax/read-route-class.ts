import {
  anyCharacterOf,
  type CharacterClass,
  type CharacterEscape,
  character,
  complement,
  type PatternSource,
  range,
  ranges,
  union,
} from "@bothends/datatypes/pattern";

/** Reads a character class, including its brackets. `foldCase` adds the other case of each letter. */
export function readRouteClass(
  source: PatternSource,
  foldCase: (characters: CharacterClass) => CharacterClass,
): CharacterClass {
  const start = source.offset;
  source.take("[");
  const isNegated = source.take("^");
  const parts: CharacterClass[] = [];
  // A closing bracket at the start of the class is a literal.
  while (parts.length === 0 || !source.isAt("]")) {
    if (source.isAtEnd) {
      throw source.error("The character class is not closed.", start);
    }
    parts.push(readClassPart(source));
  }
  source.take("]");
  const characters = foldCase(union(parts));
  return isNegated ? complement(characters) : characters;
}

function readClassPart(source: PatternSource): CharacterClass {
  const start = source.offset;
  const first = readCharacter(source);
  if (first.kind === "class") {
    return first.class;
  }
  if (!source.isAt("-") || source.isAt("-]")) {
    return character(first.codePoint);
  }
  source.take("-");
  const last = readCharacter(source);
  if (last.kind === "class") {
    // A hyphen is a literal if it is followed by a class such as `\d`.
    return union([character(first.codePoint), character(0x2d), last.class]);
  }
  if (last.codePoint < first.codePoint) {
    throw source.error("The range ends before it begins.", start);
  }
  return range(first.codePoint, last.codePoint);
}

function readCharacter(source: PatternSource): CharacterEscape {
  if (source.isAt("\\")) {
    return readRouteEscape(source, { isInClass: true });
  }
  if (source.isAt("[.") || source.isAt("[=")) {
    throw source.error("Collating elements such as [.a.] are not supported.");
  }
  const posix = source.isAt("[:") ? readPosixClass(source) : undefined;
  if (posix !== undefined) {
    return { kind: "class", class: posix };
  }
  if (source.isAtEnd) {
    throw source.error("The character class is not closed.");
  }
  return { kind: "character", codePoint: source.read().codePointAt(0) ?? 0 };
}

const letters = /* @__PURE__ */ ranges(65, 90, 97, 122);
const digits = /* @__PURE__ */ ranges(48, 57);

const posixClasses: ReadonlyMap<string, CharacterClass> = /* @__PURE__ */ new Map([
  ["alnum", /* @__PURE__ */ union([letters, digits])],
  ["alpha", letters],
  ["ascii", /* @__PURE__ */ ranges(0, 127)],
  ["blank", /* @__PURE__ */ anyCharacterOf(" \t")],
  ["cntrl", /* @__PURE__ */ ranges(0, 31, 127, 127)],
  ["digit", digits],
  ["graph", /* @__PURE__ */ ranges(33, 126)],
  ["lower", /* @__PURE__ */ ranges(97, 122)],
  ["print", /* @__PURE__ */ ranges(32, 126)],
  ["punct", /* @__PURE__ */ ranges(33, 47, 58, 64, 91, 96, 123, 126)],
  ["space", /* @__PURE__ */ anyCharacterOf(" \t\n\v\f\r")],
  ["upper", /* @__PURE__ */ ranges(65, 90)],
  ["word", /* @__PURE__ */ union([letters, digits, /* @__PURE__ */ anyCharacterOf("_")])],
  ["xdigit", /* @__PURE__ */ union([digits, /* @__PURE__ */ ranges(65, 70, 97, 102)])],
]);

/**
 * Reads a POSIX class such as `[:alpha:]` or `[:^alpha:]` inside a character class; undefined if the bracket is a
 * literal.
 */
function readPosixClass(source: PatternSource): CharacterClass | undefined {
  const [posixClass, negation, name = ""] =
    /^\[:(\^?)([a-z]*):\]/.exec(source.text.slice(source.offset, source.offset + 16)) ?? [];
  if (posixClass === undefined) {
    return undefined;
  }
  const characters = posixClasses.get(name);
  if (characters === undefined) {
    throw source.error(`There is no POSIX character class [:${name}:].`);
  }
  source.offset += posixClass.length;
  return negation === "" ? characters : complement(characters);
}

/**
 * The characters that `\d` and similar escapes match. Without Unicode mode, these classes of PCRE contain only ASCII
 * characters.
 */
const escapedClasses: ReadonlyMap<string, CharacterClass> = /* @__PURE__ */ new Map([
  ["d", /* @__PURE__ */ range(48, 57)],
  ["s", /* @__PURE__ */ anyCharacterOf(" \t\n\v\f\r")],
  ["h", /* @__PURE__ */ anyCharacterOf(" \t\u00a0")],
  ["v", /* @__PURE__ */ anyCharacterOf("\n\v\f\r\u0085")],
  [
    "w",
    /* @__PURE__ */ union([
      /* @__PURE__ */ range(48, 57),
      /* @__PURE__ */ range(65, 90),
      /* @__PURE__ */ anyCharacterOf("_"),
      /* @__PURE__ */ range(97, 122),
    ]),
  ],
]);

/** The codes of control characters, by the letter in their escape. */
const controlCodes: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ["a", 7],
  ["t", 9],
  ["n", 10],
  ["f", 12],
  ["r", 13],
  ["e", 27],
]);

/** Reads an escape, including its backslash. */
export function readRouteEscape(
  source: PatternSource,
  { isInClass }: { readonly isInClass: boolean },
): CharacterEscape {
  const start = source.offset;
  const code = readCode(source, isInClass);
  if (code !== undefined) {
    return { kind: "character", codePoint: code };
  }
  source.take("\\");
  const letter = source.read();
  if (letter === "") {
    throw source.error("The pattern ends with a backslash.", start);
  }
  if (!/[0-9A-Za-z]/.test(letter)) {
    return { kind: "character", codePoint: letter.codePointAt(0) ?? 0 };
  }
  const controlCode = isInClass && letter === "b" ? 8 : controlCodes.get(letter);
  if (controlCode !== undefined) {
    return { kind: "character", codePoint: controlCode };
  }
  const characters = escapedClasses.get(letter.toLowerCase());
  if (characters === undefined) {
    const feature = /[1-9gk]/.test(letter)
      ? "Backreferences are not supported"
      : `The escape \\${letter} is not supported`;
    throw source.error(`${feature}.`, start);
  }
  return { kind: "class", class: escapedClasses.has(letter) ? characters : complement(characters) };
}

/**
 * Reads an escape that contains a character code: `\0`, `\012`, `\x2f`, `\x{2f}`. An octal code must begin with 0,
 * except inside a class.
 */
function readCode(source: PatternSource, isInClass: boolean): number | undefined {
  const codePattern = isInClass
    ? /\\(?:([0-7]{1,3})|x\{([\da-f]{1,6})\}|x([\da-f]{0,2}))/iy
    : /\\(?:(0[0-7]{0,2})|x\{([\da-f]{1,6})\}|x([\da-f]{0,2}))/iy;
  codePattern.lastIndex = source.offset;
  const [codeText, octal, braced, hexadecimal] = codePattern.exec(source.text) ?? [];
  if (codeText === undefined) {
    return undefined;
  }
  const code = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(braced ?? (hexadecimal || "0"), 16);
  // Without Unicode mode, PCRE supports only one-byte characters.
  if (code > 0xff) {
    throw source.error("A character code cannot exceed 255.");
  }
  source.offset += codeText.length;
  return code;
}
