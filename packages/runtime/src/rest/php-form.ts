import { readBodyParts } from "../body-parts.js";
import type { JsonValue } from "../descriptor.js";

/** Limits of a query or form. */
export interface FormLimits {
  readonly pairs: number;
  readonly paramName: number;
  readonly paramValue: number;
}

/** A query or form over a limit. */
export class FormLimitError extends Error {
  readonly limit: keyof FormLimits;
  constructor(limit: keyof FormLimits) {
    super(`The parameters pass the limit of ${limit}.`);
    this.name = "FormLimitError";
    this.limit = limit;
  }
}

const maxDepth = 64;

/** An array as PHP builds it while reading a form: keys are texts, or the next free number. */
class PhpArray {
  readonly entries = new Map<string, string | PhpArray>();
  next = 0;

  keyFor(step: string): string {
    const key = step === "" ? String(this.next) : step;
    if (/^(?:0|[1-9]\d{0,8})$/.test(key)) {
      this.next = Math.max(this.next, Number(key) + 1);
    }
    return key;
  }
}

/**
 * Reads a query or form body as PHP does: `a[]=1&a[]=2` is a list, `a[b][c]=1` an object, the last of several values
 * of one name is used, `+` is a space, and a dot or space in a name becomes `_`.
 */
export function readPhpForm(text: string, limits: FormLimits): ReadonlyMap<string, JsonValue> {
  const form = new PhpForm(limits);
  for (let start = 0; start < text.length; ) {
    const separator = text.indexOf("&", start);
    const end = separator < 0 ? text.length : separator;
    if (end > start) {
      const equals = text.indexOf("=", start);
      const nameEnd = equals < 0 || equals > end ? end : equals;
      form.add(text.slice(start, nameEnd), decodeFormText(text.slice(nameEnd + 1, end)), decodeFormText);
    }
    start = end + 1;
  }
  return form.values();
}

const plainName = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Collects the values of a form, within limits. */
class PhpForm {
  readonly #root = new PhpArray();
  readonly #bounds: FormLimits;
  #pairs = 0;

  constructor(limits: FormLimits) {
    this.#bounds = limits;
  }

  /** Adds one value; `decode` decodes the name. */
  add(rawName: string, value: string, decode: (name: string) => string = (name) => name): void {
    this.#pairs += 1;
    if (this.#pairs > this.#bounds.pairs) {
      throw new FormLimitError("pairs");
    }
    this.checkName(rawName);
    if (value.length > this.#bounds.paramValue) {
      throw new FormLimitError("paramValue");
    }
    if (plainName.test(rawName)) {
      this.#root.entries.set(rawName, value);
      return;
    }
    const steps = stepsOf(decode(rawName));
    if (steps !== undefined) {
      put(this.#root, steps, value);
    }
  }

  /** Refuses a name that is too long; files have names too. */
  checkName(rawName: string): void {
    if (rawName.length > this.#bounds.paramName) {
      throw new FormLimitError("paramName");
    }
  }

  values(): ReadonlyMap<string, JsonValue> {
    const values = new Map<string, JsonValue>();
    for (const [name, value] of this.#root.entries) {
      values.set(name, typeof value === "string" ? value : plain(value));
    }
    return values;
  }
}

/** Splits `a[b][]` into `a`, `b`, and "" for the next number; undefined for an empty name, or one that could reach a prototype. */
function stepsOf(name: string): readonly string[] | undefined {
  const trimmed = name.replace(/^ +/, "");
  const open = trimmed.indexOf("[");
  const first = (open <= 0 ? trimmed : trimmed.slice(0, open)).replace(/[. ]/g, "_");
  if (first === "") {
    return undefined;
  }
  const steps = [open === 0 ? first.replace("[", "_") : first];
  let at = open;
  while (at > 0 && trimmed.charAt(at) === "[") {
    const close = trimmed.indexOf("]", at);
    if (close < 0) {
      // An unclosed bracket is a literal, which PHP replaces.
      if (steps.length === 1) {
        steps[0] = `${first}_${trimmed.slice(at + 1).replace(/[. ]/g, "_")}`;
      }
      break;
    }
    steps.push(trimmed.slice(at + 1, close));
    at = close + 1;
  }
  if (steps.length > maxDepth || steps.includes("__proto__")) {
    return undefined;
  }
  return steps.some((step, index) => step === "constructor" && steps[index + 1] === "prototype") ? undefined : steps;
}

function put(root: PhpArray, steps: readonly string[], value: string): void {
  let array = root;
  for (const [index, step] of steps.entries()) {
    const key = array.keyFor(step);
    if (index === steps.length - 1) {
      array.entries.set(key, value);
      return;
    }
    const existing = array.entries.get(key);
    const inner = existing instanceof PhpArray ? existing : new PhpArray();
    array.entries.set(key, inner);
    array = inner;
  }
}

/** Returns a list if the keys count up from 0, else an object. No key is `__proto__`: `stepsOf` refuses it. */
function plain(value: string | PhpArray): JsonValue {
  if (typeof value === "string") {
    return value;
  }
  const entries = [...value.entries].map(([key, inner]) => [key, plain(inner)] as const);
  if (entries.every(([key], index) => key === String(index))) {
    return entries.map(([, inner]) => inner);
  }
  return Object.fromEntries(entries);
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes `+` as a space and `%XX` as a byte of UTF-8. A percent sign outside an escape is a literal; a malformed byte is U+FFFD. */
export function decodeFormText(text: string): string {
  if (!text.includes("%") && !text.includes("+")) {
    return text;
  }
  const spaced = text.replaceAll("+", " ");
  return spaced.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    const bytes = new Uint8Array(escapes.length / 3);
    for (let index = 0; index < bytes.length; index += 1) {
      bytes[index] = Number.parseInt(escapes.slice(index * 3 + 1, index * 3 + 3), 16);
    }
    return utf8.decode(bytes);
  });
}

/** A file uploaded in a form. */
export interface UploadedFile {
  /** The name of the form's field. */
  readonly field: string;
  /** The client's name for it, without folders and control characters; may be empty. It is no proof of the content's type. */
  readonly filename: string;
  /** The media type that the client declares; "" if it declares none. */
  readonly type: string;
  readonly content: Uint8Array;
}

/** The values and files of a `multipart/form-data` body (RFC 7578). */
interface MultipartForm {
  readonly fields: ReadonlyMap<string, JsonValue>;
  readonly files: readonly UploadedFile[];
}

/** Reads a `multipart/form-data` body as PHP does; names of fields are read as in a form. Throws `MultipartError`. */
export function readMultipartForm(body: Uint8Array, boundary: string | undefined, limits: FormLimits): MultipartForm {
  const form = new PhpForm(limits);
  const files: UploadedFile[] = [];
  for (const part of readBodyParts(body, { boundary, maxParts: limits.pairs })) {
    const disposition = part.headers.get("content-disposition") ?? "";
    const field = parameterOf(disposition, "name");
    const filename = parameterOf(disposition, "filename");
    // The file name is empty when the user chose no file.
    if (field === undefined || filename === "") {
      continue;
    }
    if (filename === undefined) {
      form.add(field, textOf(part.content));
    } else {
      form.checkName(field);
      files.push({
        field,
        filename: lastStep(filename),
        type: part.headers.get("content-type") ?? "",
        content: part.content,
      });
    }
  }
  return { fields: form.values(), files };
}

function lastStep(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\p{Cc}/gu, "");
  return name === "." || name === ".." ? "" : name;
}

/** A parameter of `Content-Disposition`, quoted or not; undefined if it is absent. */
function parameterOf(disposition: string, name: string): string | undefined {
  const parameter = /;[ \t]*([^=;"\s]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;
  for (const [, key = "", quoted, plain = ""] of disposition.matchAll(parameter)) {
    if (key.toLowerCase() !== name) {
      continue;
    }
    const value = quoted?.replace(/\\(["\\])/g, "$1") ?? plain.trim();
    return textOf(Uint8Array.from(value, (char) => char.charCodeAt(0)));
  }
  return undefined;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
