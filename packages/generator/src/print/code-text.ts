/**
 * The four ways in which text from a schema becomes code: as an identifier, a literal, a property key or a comment. No
 * other module writes text from a schema into code.
 */

const asciiIdentifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const unicodeIdentifier = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** Words that cannot name a declaration in a strict-mode module. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Checks the name of a declaration or a parameter. The plan chooses only valid names, so an invalid name is a bug. */
export function writeIdentifier(name: string): string {
  if (!isIdentifier(name) || reservedWords.has(name)) {
    throw new Error(`The name ${JSON.stringify(name)} is not an identifier of TypeScript.`);
  }
  return name;
}

/** Checks the name of a property or method in a class or after a dot, where reserved words are allowed. */
export function writeMember(name: string): string {
  if (!isIdentifier(name) || name === "__proto__") {
    throw new Error(`The name ${JSON.stringify(name)} is not allowed for a property or method.`);
  }
  return name;
}

function isIdentifier(name: string): boolean {
  return asciiIdentifier.test(name) || unicodeIdentifier.test(name);
}

/**
 * Writes the key of a property, in quotes if necessary. `__proto__` gets brackets, because as a plain key it would set
 * the prototype.
 */
export function writeKey(name: string): string {
  if (name === "__proto__") {
    return '["__proto__"]';
  }
  return asciiIdentifier.test(name) ? name : writeLiteral(name);
}

/** A value that can be printed as a literal. */
export type LiteralValue = string | number | bigint | boolean | null;

/** Matches printable ASCII that needs no escapes in double quotes. */
const plainTextPattern = /^[ !#-[\]-~]*$/;

/** Matches printable ASCII, possibly with line feeds. */
const printableTextPattern = /^[ -~\n]*$/;

/**
 * Matches characters that are invisible in code: controls, format characters (bidi, zero-width, tags) and lone
 * surrogates.
 */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Writes a value as a literal. Text gets double quotes, and every invisible character in it is escaped. */
export function writeLiteral(value: LiteralValue): string {
  switch (typeof value) {
    case "string":
      if (plainTextPattern.test(value)) {
        return `"${value}"`;
      }
      return printableTextPattern.test(value)
        ? JSON.stringify(value)
        : JSON.stringify(value).replace(invisibleCharacters, escapeSequence);
    case "number":
      if (!Number.isFinite(value)) {
        throw new Error(`The number ${value} cannot be written as a literal.`);
      }
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    default:
      return String(value);
  }
}

/** Writes each line of a string, with its line feed, as a literal. The literals are separated by line feeds. */
export function writeLineLiterals(text: string): string {
  if (!printableTextPattern.test(text) || text.includes("\\")) {
    return text
      .split(/(?<=\n)/)
      .map(writeLiteral)
      .join("\n");
  }
  // Converts all lines together, which is much faster. If the text contains no backslashes, every `\n` in the result
  // means a line feed.
  const literals = JSON.stringify(text).replaceAll("\\n", '\\n"\n"');
  return text.endsWith("\n") ? literals.slice(0, -'\n""'.length) : literals;
}

function escapeSequence(character: string): string {
  const digits = formatHexadecimal(character);
  return digits.length === 4 ? `\\u${digits}` : `\\u{${digits}}`;
}

/** Returns the code point of a character in hexadecimal, with at least four digits: `202E`. */
function formatHexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Writes text as a doc comment. The text cannot end the comment, begin a tag, or give an instruction to a tool. Even
 * a short text gets a separate line, because TypeScript obeys `@ts-ignore` in a comment of one line.
 */
export function writeCommentLines(text: string, width: number): readonly string[] {
  const lines = listTrimmedLines(text).flatMap((line) => wrapLine(escapeComment(line), width - 3));
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}

/**
 * Splits a string into trimmed lines, without blank lines at its beginning and end, and without repeated blank lines.
 */
function listTrimmedLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const rawLine of text.split(lineBreak)) {
    const line = rawLine.replace(/\s+/g, " ").trim();
    if (line !== "" || (lines.length > 0 && lines.at(-1) !== "")) {
      lines.push(line);
    }
  }
  if (lines.at(-1) === "") {
    lines.pop();
  }
  return lines;
}

/** Matches a line that may contain something that could end a comment or give an instruction to a tool. */
const suspiciousTextPattern = /[^ -~]|\*\/|#|@|sourceMappingURL/i;

function escapeComment(line: string): string {
  if (!suspiciousTextPattern.test(line)) {
    return line;
  }
  return line
    .replace(invisibleCharacters, (character) => `U+${formatHexadecimal(character)}`)
    .replaceAll("*/", "*\\/")
    .replaceAll("#__", "# __")
    .replaceAll("//#", "// #")
    .replace(/sourceMappingURL/gi, "source mapping URL")
    .replaceAll("@", "\\@");
}

function wrapLine(line: string, width: number): readonly string[] {
  if (line.length <= width) {
    return [line];
  }
  const lines: string[] = [];
  let currentLine = "";
  for (const word of line.split(" ")) {
    if (currentLine !== "" && currentLine.length + 1 + word.length > width) {
      lines.push(currentLine);
      currentLine = word;
    } else {
      currentLine = currentLine === "" ? word : `${currentLine} ${word}`;
    }
  }
  return [...lines, currentLine];
}
