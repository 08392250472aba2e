import type { JsonObject, JsonValue } from "../../descriptor.js";
import { FormLimitError, type FormLimits } from "../../http/body-collector.js";
import { MultipartError } from "../../http/body-parts.js";
import { findHeader, type HeaderLine } from "../../http/headers.js";
import { describeJsonMistake, findJsonEnding, findJsonMistake, formatPosition } from "../../http/json-mistakes.js";
import { type MediaType, nameMediaType, parseMediaType } from "../../http/media-type.js";
import { gzipCause } from "../../observe/unreadable-messages.js";
import { readMultipartForm, readPhpForm, type UploadedFile } from "../../rest/php-form.js";
import { isJsonObject, JsonBodyError, readJsonBody } from "../../rest/php-json.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { LimitError, type ServerLimits } from "../../server-limits.js";
import { createConventionalError, RefusedRequest } from "./rest-errors.js";

// Reads the arguments in the body of a request: JSON, a form, or a multipart form with files.

/** The first byte of a JSON object. */
const openingBrace = 0x7b;

const formMethods = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** The arguments and the files in a body. */
interface BodyValues {
  readonly json: JsonObject | undefined;
  readonly form: ReadonlyMap<string, JsonValue> | undefined;
  readonly files: readonly UploadedFile[];
  /** Why no arguments were read, as the rest of a sentence: `of its Content-Type`. Undefined if they were read. */
  readonly unreadCause?: string | undefined;
  /** What was lost of a form that was read, as a sentence. */
  readonly partProblem?: string | undefined;
}

const noBody: BodyValues = { json: undefined, form: undefined, files: [] };
const untyped = "it has no Content-Type, which a proxy may have removed";
const typedTwice = "it has several Content-Type headers, of which a proxy may have added one";
const invalidType = "of its Content-Type, which is not valid";
const plainJson: MediaType = { name: "application/json", parameters: new Map() };

interface BodyContext {
  readonly headers: readonly HeaderLine[];
  /** The value of `Content-Type`. Undefined if the header is absent or occurs more than once. */
  readonly contentType: string | undefined;
  readonly method: string;
  readonly limits: ServerLimits;
  readonly conventions: RestConventions;
}

const xmlType = /^(?:application|text)\/(?:[\w.-]+\+)?xml\b/i;

/**
 * Whether a body that was not read may have arguments that its client expects to be used. Handlers may read bodies of
 * other types themselves, such as pictures.
 */
export function mayHaveArguments(body: Uint8Array, contentType: string | undefined): boolean {
  if (contentType === undefined || body[0] === openingBrace || xmlType.test(contentType)) {
    return true;
  }
  // A library or a proxy has changed the type of a form.
  return /^multipart\//i.test(contentType) && formPart.test(new TextDecoder().decode(body.subarray(0, maxStartChars)));
}

const formPart = /^content-disposition:[ \t]*form-data/im;

/**
 * Reads the arguments in a body. The media type decides whether it is read as JSON or as a form; a body of any other
 * type contains no arguments.
 */
export function readBodyValues(bytes: Uint8Array, context: BodyContext): BodyValues {
  const { headers, contentType, method, limits } = context;
  if (contentType === undefined) {
    return { ...noBody, unreadCause: findHeader(headers, "content-type") === undefined ? untyped : typedTwice };
  }
  const type = contentType === "application/json" ? plainJson : parseMediaType(contentType);
  if (type === undefined) {
    return { ...noBody, unreadCause: contentType.includes(",") ? typedTwice : invalidType };
  }
  const { name } = type;
  if (name === "application/json" || name.endsWith("+json")) {
    const json = readJson(bytes, context);
    return { ...noBody, json, unreadCause: json === undefined ? "it is JSON, but not an object" : undefined };
  }
  // PHP reads multipart forms only for POST.
  if (name === "multipart/form-data" && method === "POST") {
    return readMultipart(bytes, type, context);
  }
  const isForm = name === "application/x-www-form-urlencoded" || name === "multipart/form-data";
  if (name !== "application/x-www-form-urlencoded" || !formMethods.has(method)) {
    const rule = isForm ? `, which is not read in ${method} requests` : "";
    return { ...noBody, unreadCause: `of its Content-Type ${nameMediaType(type)}${rule}` };
  }
  const text = new TextDecoder().decode(bytes);
  const form = readWithinLimits("formPairs", limits, (formLimits) => readPhpForm(text, formLimits));
  const isJson = bytes[0] === openingBrace;
  return {
    ...noBody,
    form,
    unreadCause: isJson ? "it begins like JSON, but its Content-Type is that of a form" : undefined,
  };
}

function readMultipart(bytes: Uint8Array, { parameters }: MediaType, { limits, conventions }: BodyContext): BodyValues {
  try {
    const { fields, files, partProblem } = readWithinLimits("formPairs", limits, (form) =>
      readMultipartForm(bytes, parameters.get("boundary"), form),
    );
    return { json: undefined, form: fields, files, partProblem };
  } catch (error) {
    if (!(error instanceof MultipartError)) {
      throw error;
    }
    if (error.hasTooManyParts) {
      throw new LimitError("formPairs", limits.formPairs);
    }
    const answer = createConventionalError("invalidMultipart", conventions);
    const cause = describeUnreadableForm(bytes, parameters.get("boundary")) ?? error.message;
    throw new RefusedRequest(answer, [{ reason: `The body is not a valid multipart form. ${cause}` }]);
  }
}

/** Returns the cause of a multipart form that cannot be read. Returns undefined if the error names the cause. */
function describeUnreadableForm(body: Uint8Array, boundary: string | undefined): string | undefined {
  if (body[0] === 0x1f && body[1] === 0x8b) {
    return gzipCause;
  }
  const start = new TextDecoder().decode(body.subarray(0, maxStartChars));
  const startCause = formStartCauses.find(({ pattern }) => pattern.test(start))?.cause;
  if (startCause !== undefined || (boundary !== undefined && boundary !== "")) {
    return startCause;
  }
  return "The Content-Type has no boundary: if the client builds the form with FormData, it must not set this header, which FormData does.";
}

/**
 * Reads a JSON body. Returns undefined if it is not an object, because only the members of an object can be arguments.
 */
function readJson(bytes: Uint8Array, { limits, conventions }: BodyContext): JsonObject | undefined {
  try {
    const value = readJsonBody(bytes, limits);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof JsonBodyError)) {
      throw error;
    }
    const data = { json_error_code: error.code, json_error_message: error.reason };
    if (error.limit !== undefined) {
      const cause = new LimitError(error.limit, limits[error.limit]);
      throw createConventionalError("invalidJson", conventions, { data, cause });
    }
    const reason = `The body is not valid JSON: ${describeUnreadableJson(bytes, error)}`;
    throw new RefusedRequest(createConventionalError("invalidJson", conventions, { data }), [{ reason }]);
  }
}

/**
 * Explains why a JSON body could not be read: the reason of PHP, for a syntax error with its position, and the probable
 * cause if it is known.
 */
function describeUnreadableJson(body: Uint8Array, { code, reason }: JsonBodyError): string {
  const byteCause = findByteCause(body);
  if (byteCause !== undefined || code !== syntaxErrorCode) {
    return joinSentences(`${reason}.`, byteCause ?? valueCauses[code]);
  }
  const text = new TextDecoder().decode(body);
  const mistake = findJsonMistake(text);
  if (mistake === undefined) {
    return `${reason}.`;
  }
  const startCause = jsonStartCauses.find(({ pattern }) => pattern.test(text.slice(0, maxStartChars)))?.cause;
  const cause = startCause ?? describeJsonEnding(text, body.length) ?? describeJsonMistake(text, mistake);
  return joinSentences(`${reason} (${formatPosition(text, mistake)}).`, cause);
}

/** The code with which PHP refuses a body that is not JSON. */
const syntaxErrorCode = 4;

function joinSentences(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined && sentence !== "").join(" ");
}

/** Returns the cause of a body whose first bytes are not those of JSON in UTF-8 (RFC 8259 §8.1). */
function findByteCause([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return "It begins with a byte-order mark, which JSON must not have.";
  }
  if (first === 0x1f && second === 0x8b) {
    return gzipCause;
  }
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe)
    ? "It is in UTF-16 instead of UTF-8."
    : undefined;
}

function describeJsonEnding(text: string, bytes: number): string | undefined {
  switch (findJsonEnding(text)) {
    case "incomplete":
      return `It ends after ${bytes} bytes, before its last bracket: a proxy or the client may have cut it off.`;
    case "followed":
      return "Other text follows its last bracket: the client may have joined two bodies, or written a warning after it.";
    default:
      return undefined;
  }
}

/** The number of characters at the start of a body that are examined. */
const maxStartChars = 4_096;

/** Matches the start of a form of pairs, such as `a=1&b[]=2`, but not a boundary. */
const pairPattern = /^(?!--)[^\s{}"'<>&=[\]]{1,256}(?:\[[^\s&=[\]]{0,256}\]){0,8}=/;

/** What a body is that does not begin like a multipart form. The patterns match the start of the body. */
const formStartCauses: readonly { readonly pattern: RegExp; readonly cause: string }[] = [
  { pattern: /^\s*[{[]/, cause: "It begins like JSON: the client must send the Content-Type application/json." },
  {
    pattern: pairPattern,
    cause: "It is a form of pairs: the client must send the Content-Type application/x-www-form-urlencoded.",
  },
];

/** What a body is that does not begin like JSON. The patterns match the start of the body. */
const jsonStartCauses: readonly { readonly pattern: RegExp; readonly cause: string }[] = [
  { pattern: /^\s*$/, cause: "It contains only white space." },
  { pattern: /^\s*</, cause: "It begins like XML or HTML." },
  { pattern: /^--[^\s-]/, cause: "It begins like a multipart form, whose Content-Type must be multipart/form-data." },
  {
    pattern: pairPattern,
    cause: "It is a form: the client must send JSON, or the Content-Type application/x-www-form-urlencoded.",
  },
  {
    pattern: /^(?:eyJ|W3si)[\w+/-]*={0,2}\s*$/,
    cause: "It seems to be JSON in Base64: the client must send it without this step.",
  },
  { pattern: /^b["']/, cause: "It begins like bytes that Python wrote as text: the client must decode them first." },
];

/** The causes of values that are refused although `JSON.parse` accepts them, by the code of PHP. */
const valueCauses: Readonly<Record<number, string>> = {
  7: "It contains a number that is too large: JavaScript has no number above 1.8e308.",
  9: 'It has a member "__proto__", or a member "constructor" with a member "prototype", which are never accepted.',
  10: "It contains one half of a surrogate pair, such as \\ud83d without \\ude00: the client may have cut a text in the middle of a character.",
};

/** Reads a query or form. Throws a `LimitError` that names the server's limit, if one is exceeded. */
export function readWithinLimits<T>(
  pairs: "queryPairs" | "formPairs",
  limits: ServerLimits,
  read: (limits: FormLimits) => T,
): T {
  const { paramName, paramValue } = limits;
  try {
    return read({ pairs: limits[pairs], paramName, paramValue });
  } catch (error) {
    if (!(error instanceof FormLimitError)) {
      throw error;
    }
    const limit = error.limit === "pairs" ? pairs : error.limit;
    throw new LimitError(limit, error.value);
  }
}
