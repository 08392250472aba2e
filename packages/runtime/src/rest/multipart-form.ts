import { readBodyParts } from "../body-parts.js";
import type { JsonValue } from "../descriptor.js";
import { type FormBounds, PhpForm } from "./form.js";

/** A file that came in a form. */
export interface UploadedFile {
  /** The name of the form's field. */
  readonly field: string;
  /** As the client calls it, without folders and control characters; "" where nothing is left. It says nothing of what is inside. */
  readonly filename: string;
  /** The media type that the client says it has; "" where it says none. */
  readonly type: string;
  readonly content: Uint8Array;
}

/** What a `multipart/form-data` body says (RFC 7578). */
export interface MultipartForm {
  readonly fields: ReadonlyMap<string, JsonValue>;
  readonly files: readonly UploadedFile[];
}

/** Reads a `multipart/form-data` body as PHP does; names of fields are those of a form. Throws `MultipartError`. */
export function readMultipartForm(body: Uint8Array, boundary: string | undefined, bounds: FormBounds): MultipartForm {
  const form = new PhpForm(bounds);
  const files: UploadedFile[] = [];
  for (const part of readBodyParts(body, { boundary, maxParts: bounds.pairs })) {
    const disposition = part.headers.get("content-disposition") ?? "";
    const field = parameterOf(disposition, "name");
    const filename = parameterOf(disposition, "filename");
    // A file that nobody chose has no name.
    if (field === undefined || filename === "") continue;
    if (filename === undefined) form.add(field, textOf(part.content));
    else {
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

/** A parameter of `Content-Disposition`, quoted or not; undefined where it is not there. */
function parameterOf(disposition: string, name: string): string | undefined {
  const parameter = /;[ \t]*([^=;"\s]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;
  for (const [, key = "", quoted, plain = ""] of disposition.matchAll(parameter)) {
    if (key.toLowerCase() !== name) continue;
    const value = quoted?.replace(/\\(["\\])/g, "$1") ?? plain.trim();
    return textOf(Uint8Array.from(value, (char) => char.charCodeAt(0)));
  }
  return undefined;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
