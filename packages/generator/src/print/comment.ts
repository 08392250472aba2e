import { hexadecimal, invisible } from "./escape.js";

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * The lines of a doc comment, over several lines even when the text is short: TypeScript obeys `@ts-ignore` in a comment
 * of one line. Nothing in the text can end the comment, start a tag, or be read as an instruction to a tool.
 */
export function comment(text: string, width: number): readonly string[] {
  const lines = paragraphs(text).flatMap((line) => wrapped(harmless(line), width - 3));
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}

/** Trimmed lines, without blank ones at either end or two in a row. */
function paragraphs(text: string): readonly string[] {
  const lines: string[] = [];
  for (const raw of text.split(lineBreak)) {
    const line = raw.replace(/\s+/g, " ").trim();
    if (line !== "" || (lines.length > 0 && lines.at(-1) !== "")) lines.push(line);
  }
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** What may need a change. */
const suspect = /[^ -~]|\*\/|#|@|sourceMappingURL/i;

function harmless(line: string): string {
  if (!suspect.test(line)) return line;
  return line
    .replace(invisible, (character) => `U+${hexadecimal(character)}`)
    .replaceAll("*/", "*\\/")
    .replaceAll("#__", "# __")
    .replaceAll("//#", "// #")
    .replace(/sourceMappingURL/gi, "source mapping URL")
    .replaceAll("@", "\\@");
}

function wrapped(line: string, width: number): readonly string[] {
  if (line.length <= width) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === "" ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
