// Finds the tokens and values of JSON that may be truncated or not valid, in time that grows with its length.

/**
 * Returns the end of a JSON token: a string, number, literal name, bracket or separator. Returns undefined for other
 * text.
 */
export function findTokenEnd(text: string, offset: number): number | undefined {
  if (text[offset] === '"') {
    return findJsonStringEnd(text, offset);
  }
  const token = /[\s{}[\],:();]+|(?:-?\d[\d.eE+-]*|true|false|null)(?![\w.'"])/y;
  token.lastIndex = offset;
  return token.test(text) ? token.lastIndex : undefined;
}

/** Returns the end of a JSON string, or the end of the text if the string is truncated. */
function findJsonStringEnd(text: string, start: number): number {
  for (let offset = start + 1; offset < text.length; offset += 1) {
    if (text[offset] === "\\") {
      offset += 1;
    } else if (text[offset] === '"') {
      return offset + 1;
    }
  }
  return text.length;
}

/** Returns the end of a JSON value, or the end of the text if the value is not valid or is truncated. */
export function findJsonValueEnd(text: string, start: number): number {
  const brackets: string[] = [];
  let offset = start;
  do {
    const character = text[offset] ?? "";
    if (character === "{" || character === "[") {
      brackets.push(character === "{" ? "}" : "]");
      offset += 1;
    } else if (character === "}" || character === "]") {
      if (brackets.pop() !== character) {
        return text.length;
      }
      offset += 1;
    } else if (brackets.length > 0 && /[\s,:]/.test(character)) {
      offset += 1;
    } else {
      const end = /["\w-]/.test(character) ? findTokenEnd(text, offset) : undefined;
      if (end === undefined) {
        return text.length;
      }
      offset = end;
    }
  } while (brackets.length > 0 && offset < text.length);
  // A value is complete only if a separator or the end of the text follows. Otherwise, all of the rest is replaced.
  const next = skipSpace(text, offset);
  return next === text.length || /[,}\]]/.test(text[next] ?? "") ? offset : text.length;
}

export function skipSpace(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && /\s/.test(text[offset] ?? "")) {
    offset += 1;
  }
  return offset;
}

/** Matches a JSON string that contains the beginning of a JSON object, or of a list that is not empty. */
const jsonInString =
  /^"(?:[ \t]|\\[nrt])*(?:\{(?:[ \t]|\\[nrt])*\\(?:"|u0022)|\[(?:[ \t]|\\[nrt])*(?:[[{\d-]|\\"|\\u0022|true|false|null))/;

/** Returns the JSON text that a JSON string contains; undefined for a string with other text. */
export function readJsonInString(string: string): string | undefined {
  if (!jsonInString.test(string)) {
    return undefined;
  }
  const content = string.slice(1, isClosed(string) ? -1 : undefined);
  // Escaped characters above ASCII stay escaped, because one character represents one byte here.
  return content.replace(/\\(?:u00([2-7][0-9a-f])|([^u]))/gi, (_, code?: string, character = "") =>
    code === undefined ? (decodedEscapes[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const decodedEscapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: " ", f: " " };
const encodedSpaces: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Writes a text as a JSON string. */
export function writeJsonString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replace(/[\n\r\t]/g, (space) => encodedSpaces[space] ?? " ")}"`;
}

/** Whether a JSON string has its closing quotation mark, rather than being truncated. */
function isClosed(string: string): boolean {
  let backslashes = 0;
  while (string[string.length - 2 - backslashes] === "\\") {
    backslashes += 1;
  }
  return string.length > 1 && string.endsWith('"') && backslashes % 2 === 0;
}

export function unescapeJson(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
