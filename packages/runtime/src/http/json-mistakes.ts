// Finds the mistake in text that is not JSON, and describes it without text of the message. The messages of
// `JSON.parse` differ between engines, and contain such text.

/** What JSON requires at the position of a mistake. */
type Expected = "value" | "name" | "colon" | "separator" | "text" | "end";

/** The first mistake in a text that is not JSON. */
export interface JsonMistake {
  /** The offset of the first character that is not allowed; the length of the text if the text ends too early. */
  readonly offset: number;
  /** `text` is inside a string, and `end` after the JSON. */
  readonly expected: Expected;
}

const literal = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const token = /[\w.+-]*/y;
const whiteSpace = /[ \t\n\r]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Returns the first mistake in a text; undefined if `JSON.parse` accepts the text. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const brackets: string[] = [];
  let expected: Expected = "value";
  // Whether the position follows an opening bracket, so that the closing bracket is allowed.
  let isEmpty = false;
  for (let offset = skip(whiteSpace, text, 0); ; offset = skip(whiteSpace, text, offset)) {
    const character = text[offset] ?? "";
    const mistake: JsonMistake = { offset, expected };
    const bracket = brackets.at(-1);
    if (character === "" || expected === "end") {
      return character === "" && expected === "end" ? undefined : mistake;
    }
    if (isClosing(character, bracket) && (isEmpty || expected === "separator")) {
      brackets.pop();
      offset += 1;
      expected = brackets.length === 0 ? "end" : "separator";
    } else if (expected === "colon" || expected === "separator") {
      if (character !== (expected === "colon" ? ":" : ",")) {
        return mistake;
      }
      expected = expected === "separator" && bracket === "{" ? "name" : "value";
      offset += 1;
    } else if (character === '"') {
      const end = readString(text, offset);
      if (typeof end !== "number") {
        return end;
      }
      offset = end;
      expected = expected === "name" ? "colon" : brackets.length === 0 ? "end" : "separator";
    } else if (expected === "name") {
      return mistake;
    } else if (character === "{" || character === "[") {
      brackets.push(character);
      isEmpty = true;
      expected = character === "{" ? "name" : "value";
      offset += 1;
      continue;
    } else {
      const end = skip(token, text, offset);
      if (!literal.test(text.slice(offset, end))) {
        // A text that was cut off can end in a literal.
        return end === text.length && brackets.length > 0 ? { offset: end, expected } : mistake;
      }
      offset = end;
      expected = brackets.length === 0 ? "end" : "separator";
    }
    isEmpty = false;
  }
}

function isClosing(character: string, bracket: string | undefined): boolean {
  return bracket === "[" ? character === "]" : bracket === "{" && character === "}";
}

/** Returns the offset after the characters that match; 0 if none match. */
function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Returns the offset after a string, or the mistake in it. */
function readString(text: string, start: number): number | JsonMistake {
  for (let offset = start + 1; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) {
      return offset + 1;
    }
    if (code < 0x20) {
      return { offset, expected: "text" };
    }
    if (code === 0x5c) {
      const end = skip(escapeSequence, text, offset);
      if (end === 0) {
        const isCutOff = /^\\(?:u[\da-fA-F]{0,3})?$/.test(text.slice(offset, offset + 6));
        return { offset: isCutOff ? text.length : offset, expected: "text" };
      }
      offset = end - 1;
    }
  }
  // If the string contains the last bracket, its closing quotation mark is probably missing.
  return { offset: /[\]}]\s*$/.test(text.slice(-16)) ? start : text.length, expected: "text" };
}

/**
 * Returns how a JSON object or list that cannot be read ends: `incomplete` if the text ends before its last bracket,
 * `followed` if other text follows it. Returns undefined for other text.
 */
export function findJsonEnding(text: string): "incomplete" | "followed" | undefined {
  const json = text.trim();
  const mistake = /^[[{]/.test(json) ? findJsonMistake(json) : undefined;
  if (mistake?.expected === "end") {
    return "followed";
  }
  return mistake?.offset === json.length ? "incomplete" : undefined;
}

/** Returns the position of a mistake: `line 2, column 5` */
export function formatPosition(text: string, { offset }: JsonMistake): string {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", end + 1)) {
    line += 1;
    lineStart = end + 1;
  }
  return `line ${line}, column ${offset - lineStart + 1}`;
}

/** Returns a sentence with the probable cause of a mistake; "" if none is known. It has no text of the message. */
export function describeJsonMistake(text: string, { offset, expected }: JsonMistake): string {
  const before = text.slice(Math.max(0, offset - maxContext), offset).trimEnd();
  const after = text.slice(offset, offset + maxContext);
  const cause = causes.find(
    (candidate) =>
      candidate.after.test(after) &&
      (candidate.expected?.includes(expected) ?? true) &&
      (candidate.before?.test(before) ?? true),
  );
  return cause?.text ?? "";
}

/** The number of characters before and after a mistake that are examined. */
const maxContext = 64;

interface Cause {
  readonly expected?: readonly Expected[];
  readonly before?: RegExp;
  readonly after: RegExp;
  readonly text: string;
}

/** The causes of mistakes. The first one that applies is used. */
const causes: readonly Cause[] = [
  {
    expected: ["text"],
    after: /^[\0-\x1f]/,
    text: "A text contains a line break or another control character, which must be escaped, such as \\n, or its closing quotation mark is missing.",
  },
  {
    expected: ["text"],
    after: /^\\/,
    text: "A text contains a backslash, which must be written as \\\\ unless it begins an escape such as \\n.",
  },
  { expected: ["text"], after: /^"/, text: "A text has no closing quotation mark." },
  {
    after: /^'/,
    text: "A name or a text is in single quotation marks, which JSON does not have: JSON must be written with a function for it, such as json.dumps in Python.",
  },
  {
    after: /^[\u2018-\u201f\u00ab\u00bb`]/,
    text: 'A name or a text is in other quotation marks than ", which a text editor may have inserted.',
  },
  {
    before: /\[$/,
    after: /^object \w+\]/,
    text: 'An object was converted to the text "[object Object]": it must be converted with JSON.stringify.',
  },
  { before: /,$/, after: /^[\]}]/, text: "A comma precedes a closing bracket, which JSON does not allow." },
  {
    after: /^(?:None|True|False)\b/,
    text: "It contains None, True or False, as Python writes these values: JSON must be written with json.dumps.",
  },
  {
    after: /^(?:true|false|null|nil)\b/i,
    expected: ["value"],
    text: "JSON has only true, false and null, in lower case.",
  },
  {
    after: /^[-+]?(?:undefined|NaN|Infinity|inf)\b/i,
    text: "It contains undefined, NaN or Infinity, which JSON does not have: null must be sent instead, or the member left out.",
  },
  { after: /^(?:\/[/*]|#)/, text: "It contains a comment, which JSON does not allow." },
  {
    expected: ["value", "name"],
    before: /[{[:,]$/,
    after: /^(?:\{\S|\$\{|<%|%[a-z({])/i,
    text: "It seems to contain a placeholder of a template, such as {{name}}, that was not replaced.",
  },
  {
    before: /\d,$/,
    expected: ["name"],
    after: /^\d/,
    text: "A number may have a decimal comma: JSON requires a point.",
  },
  {
    expected: ["value"],
    after: /^[-+.\d]/,
    text: "A number has a form that JSON does not allow, such as 01, +1, .5 or 0x1F.",
  },
  {
    after: /^[\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/,
    text: "It contains an invisible character, such as a no-break space, which JSON does not allow between values.",
  },
  { expected: ["name"], after: /^[\w$@\u0080-\uffff]/, text: "A name is not in quotation marks." },
  { expected: ["value"], after: /^[\w$@\u0080-\uffff]/, text: "A text is not in quotation marks." },
  { expected: ["value", "name"], after: /^[,\]}]/, text: "A value or a member is missing." },
  { expected: ["colon"], after: /^=/, text: "A name is followed by = instead of a colon." },
  { expected: ["colon"], after: /^./, text: "A colon is missing after a name." },
  { expected: ["separator"], after: /^;/, text: "A semicolon is in the place of a comma." },
  { expected: ["separator"], after: /^[\]}]/, text: "A closing bracket is not of the same kind as the opening one." },
  {
    expected: ["separator"],
    before: /"$/,
    after: /^[\w\u0080-\uffff]/,
    text: 'A text may contain a quotation mark that is not written as \\".',
  },
  {
    expected: ["separator"],
    after: /^["{[\w\u0080-\uffff-]/,
    text: "A comma is missing between two values or members.",
  },
  {
    after: /^\0/,
    text: "It contains a byte of the value 0, with which C ends a text: this byte must not be sent.",
  },
];
