import { anyOf, type CharacterClass, complement, type PatternSource, ranges, union } from "@bothends/datatypes/pattern";

const letters = /* @__PURE__ */ ranges(65, 90, 97, 122);
const digits = /* @__PURE__ */ ranges(48, 57);

const classes: ReadonlyMap<string, CharacterClass> = /* @__PURE__ */ new Map([
  ["alnum", /* @__PURE__ */ union([letters, digits])],
  ["alpha", letters],
  ["ascii", /* @__PURE__ */ ranges(0, 127)],
  ["blank", /* @__PURE__ */ anyOf(" \t")],
  ["cntrl", /* @__PURE__ */ ranges(0, 31, 127, 127)],
  ["digit", digits],
  ["graph", /* @__PURE__ */ ranges(33, 126)],
  ["lower", /* @__PURE__ */ ranges(97, 122)],
  ["print", /* @__PURE__ */ ranges(32, 126)],
  ["punct", /* @__PURE__ */ ranges(33, 47, 58, 64, 91, 96, 123, 126)],
  ["space", /* @__PURE__ */ anyOf(" \t\n\v\f\r")],
  ["upper", /* @__PURE__ */ ranges(65, 90)],
  ["word", /* @__PURE__ */ union([letters, digits, /* @__PURE__ */ anyOf("_")])],
  ["xdigit", /* @__PURE__ */ union([digits, /* @__PURE__ */ ranges(65, 70, 97, 102)])],
]);

/** Reads `[:alpha:]` or `[:^alpha:]` inside a class; undefined when the bracket stands for itself. */
export function readPosixClass(source: PatternSource): CharacterClass | undefined {
  const [whole, not, name = ""] =
    /^\[:(\^?)([a-z]*):\]/.exec(source.text.slice(source.offset, source.offset + 16)) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  const found = classes.get(name);
  if (found === undefined) {
    throw source.error(`There is no class [:${name}:].`);
  }
  source.offset += whole.length;
  return not === "" ? found : complement(found);
}
