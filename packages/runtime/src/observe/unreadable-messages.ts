import { type SyntaxProblem, XmlError } from "@bothends/xml/error";
import { DecodeError } from "../answer-errors.js";
import { LexicalError } from "../errors.js";
import type { InvalidRequest } from "./incidents.js";

// Explains to the operator why a message could not be read: what it is instead of XML, or how it was changed.

/**
 * Returns the reason why a request could not be read, and the path of the invalid member if known. Returns undefined
 * for errors of other kinds. `body` is examined for frequent causes: proxies and clients truncate messages, compress
 * them, or change their encoding.
 */
export function describeUnreadable(
  error: unknown,
  body?: Uint8Array,
): Pick<InvalidRequest, "path" | "reason"> | undefined {
  if (error instanceof DecodeError) {
    return { path: error.path, reason: describeUnfitValue(error) };
  }
  if (!(error instanceof XmlError)) {
    return undefined;
  }
  const reason = `${xmlReasons[error.code] ?? "The message is not well-formed"} (line ${error.line}, column ${error.column}).`;
  const cause = body === undefined || error.limit !== undefined ? undefined : findCause(error, body);
  return { reason: cause === undefined ? reason : `${reason} ${cause}` };
}

/** Returns the reason of an error about a value. It says if a text is empty, unless its type explains its rules. */
export function describeUnfitValue({ reason, value, cause }: DecodeError): string {
  return value === "" && cause instanceof LexicalError && cause.reason === undefined
    ? `${reason} It is empty.`
    : reason;
}

/** The cause of a request whose body is still compressed with gzip when it is read. */
export const gzipCause =
  "The body is compressed with gzip, but the header Content-Encoding is missing, or the body was compressed twice: a proxy may have removed the header, or compressed the body again.";

/** Returns a sentence with the probable cause of a message that is not well-formed. */
function findCause(error: XmlError, body: Uint8Array): string | undefined {
  const { problem, line, column, message } = error;
  const [first, second] = body;
  const isAtStart = line === 1 && column <= 2;
  if (body.length === 0) {
    return "The body is empty.";
  }
  if (first === 0x1f && second === 0x8b) {
    return gzipCause;
  }
  if (isAtStart && first === 0x2d && second === 0x2d) {
    return "The body begins like a multipart message: its Content-Type must be multipart/related, which a proxy or the client may have changed.";
  }
  if (isAtStart && (first === 0 || second === 0)) {
    return "The body is in UTF-16, but the Content-Type or the XML declaration names another encoding.";
  }
  // If `<` is the first byte, but the text does not begin with it, the bytes were decoded with a wrong encoding.
  if (problem === "textBeforeRoot" && isAtStart && first === 0x3c && second !== 0) {
    return "The body does not have the encoding that the charset of the Content-Type names.";
  }
  const start = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body.subarray(0, maxStartBytes));
  if (/^\ufeff\s*\ufeff/.test(start)) {
    return "The body begins with two byte-order marks: the client may have joined files, or written the mark twice.";
  }
  const otherDocument = describeOtherDocument(start);
  if (otherDocument !== undefined) {
    return otherDocument;
  }
  if (problem === "textBeforeRoot") {
    return startCauses.find(({ pattern }) => pattern.test(start))?.cause ?? "The body does not begin like XML.";
  }
  const endsInMarkup = body.lastIndexOf(0x3c) > body.lastIndexOf(0x3e);
  if (problem === "openElement" || (endsInMarkup && error.code === "xml.not-well-formed")) {
    return `The message ends after ${body.length} bytes, before all elements are closed: a proxy or the client may have cut it off.`;
  }
  if (
    (problem === "unquotedValue" || problem === "malformedDeclaration") &&
    /=\s*[\u2018-\u201f\u00ab\u00bb]/.test(start)
  ) {
    return "A value is in typographic quotation marks, such as \u201c or \u201d, which a text editor may have inserted: in XML, they must be \" or '.";
  }
  if (problem === "nullCharacter" && body.at(-1) === 0) {
    return "The body ends with a byte of the value 0, with which C ends a text: the client must not send this byte.";
  }
  return problem === undefined ? undefined : plainProblems.has(problem) ? message : syntaxCauses[problem];
}

/** The number of bytes at the start of a message that are examined. */
const maxStartBytes = 4_096;

/** Explains what a body is that begins with HTML instead of a message. Undefined for other bodies. */
export function describeOtherDocument(text: string): string | undefined {
  const start = text.slice(0, maxStartBytes);
  return htmlCauses.find(({ pattern }) => pattern.test(start))?.cause;
}

const htmlCauses: typeof startCauses = [
  {
    pattern: /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)[\s>]/i,
    cause: "The body is an HTML page instead of a message: the client may have sent the answer of another server.",
  },
  {
    pattern: /^\s*(?:<br\s*\/?>\s*)?<b>|^\s*<br\s*\/?>/i,
    cause:
      "The body begins with HTML: a program such as PHP may have written a warning before the message of the client.",
  },
];

/** What a body is that has other text before its first element. The patterns match the start of the body. */
const startCauses: readonly { readonly pattern: RegExp; readonly cause: string }[] = [
  { pattern: /^\ufeff?\s*[{[]/, cause: "The body is JSON instead of XML." },
  {
    pattern: /^\ufeff?\s*"\s*</,
    cause: "The body is a JSON string that contains XML: the client must send the XML itself.",
  },
  {
    pattern: /^\ufeff?\s*&(?:lt|#60|#x3c);/i,
    cause:
      "The body is XML that was escaped once more, so < is written as &lt;: the client must send it without this step.",
  },
  {
    pattern: /^\s*(?:PHP )?(?:[A-Z][a-z]{1,20} ){0,2}(?:Warning|Notice|Deprecated|error): /,
    cause: "A message of PHP, such as a warning, precedes the message: the program of the client has written it.",
  },
  { pattern: /^[\w.-]+=/, cause: "The body is a form instead of XML." },
  {
    pattern: /^P[A-P][A-Za-z0-9+/]{14}/,
    cause: "The body seems to be XML in Base64: the client must send it without this step.",
  },
];

/** The causes of problems with the syntax. None has text of the document. */
const syntaxCauses: { readonly [Problem in SyntaxProblem]?: string } = {
  lateDeclaration:
    "A blank line, a space or other text precedes the XML declaration (<?xml …?>), which must be the first text of the message.",
  malformedDeclaration: 'The XML declaration is not valid. It must be <?xml version="1.0" encoding="utf-8"?>.',
  unquotedValue: "The value of an attribute has no quotation marks.",
  noReference: "An & is not escaped as &amp;: the client may have inserted text without escaping it.",
  textAfterRoot: "Other text follows the last element: the client may have joined two messages.",
  secondRoot: "A second element follows the message: the client may have joined two messages.",
  repeatedAttribute: "A tag has the same attribute twice.",
  otherEndTag: "The name of an end tag differs from that of the start tag, or an end tag is missing.",
  noRoot: "The body contains no element.",
  undeclaredPrefix: "A prefix is not declared.",
};

/**
 * The problems whose messages name the cause, and have no text of the document except the code of a character that XML
 * forbids.
 */
const plainProblems: ReadonlySet<SyntaxProblem> = new Set([
  "forbiddenCharacter",
  "nullCharacter",
  "forbiddenReference",
  "openComment",
  "openCdata",
  "openValue",
  "hyphensInComment",
  "cdataEndInText",
  "lessThanInValue",
  "noAttributeValue",
  "noElementName",
  "malformedTag",
  "malformedInstruction",
]);

/** The reasons why XML cannot be read, without text from the document. */
const xmlReasons: Readonly<Record<string, string>> = {
  "xml.dtd": "The message has a document type declaration, which is never accepted",
  "xml.entity": "The message refers to an entity that is not built in",
  "xml.namespace": "The message has a namespace prefix or declaration that is not valid",
  "xml.encoding": "The message is not in its declared or default encoding",
};
