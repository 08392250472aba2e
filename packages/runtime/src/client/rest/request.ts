import type { JsonValue } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { encodePart } from "../../protocol/http/form-encoding.js";
import type { RestCallOptions, Upload } from "../options.js";

/**
 * Arguments as a query that PHP reads back: a list as `k[]=a&k[]=b`, members of objects and lists of them as
 * `k[a]=b`; nothing (null, an empty list or object) as `k=`, which WordPress takes for an empty list.
 */
export function writeQuery(values: Iterable<readonly [string, JsonValue]>): string {
  const pairs: string[] = [];
  for (const [name, value] of values) write(encodePart(name), value, pairs);
  return pairs.join("&");
}

function write(name: string, value: JsonValue, pairs: string[]): void {
  if (typeof value !== "object" || value === null) {
    pairs.push(`${name}=${value === null ? "" : encodePart(String(value))}`);
    return;
  }
  const before = pairs.length;
  if (isList(value)) {
    const plain = value.every((item) => typeof item !== "object" || item === null);
    for (const [index, item] of value.entries()) write(`${name}%5B${plain ? "" : index}%5D`, item, pairs);
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) write(`${name}%5B${encodePart(key)}%5D`, member, pairs);
    }
  }
  if (pairs.length === before) pairs.push(`${name}=`);
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The parameters by which WordPress leaves out members of an answer, or adds linked resources to it. */
export function selectionParameters({
  fields,
  embed,
}: Pick<RestCallOptions, "fields" | "embed">): readonly (readonly [string, string])[] {
  return [
    ...(fields === undefined ? [] : [["_fields", joined(fields, "fields")] as const]),
    ...(embed === undefined || embed === false
      ? []
      : [["_embed", embed === true ? "1" : joined(embed, "embed")] as const]),
  ];
}

function joined(names: readonly string[], option: string): string {
  const bad = (name: unknown) => typeof name !== "string" || name === "" || name.includes(",");
  if (!Array.isArray(names) || names.length === 0 || names.some(bad)) {
    throw new ConfigError(`The option ${option} is a list of names.`);
  }
  return names.join(",");
}

/**
 * What a request says of the file that is its body (RFC 6266 §4). The name is in UTF-8, which servers expect of it
 * although HTTP leaves open what bytes above ASCII mean (RFC 9110 §5.5); `checkHeaders` refuses line breaks and controls.
 */
export function uploadHeaders({ content, type, name }: Upload): Readonly<Record<string, string>> {
  if (!(content instanceof Uint8Array)) throw new ConfigError("The content of an upload is a Uint8Array.");
  if (typeof type !== "string" || !/^[^\s/;]+\/[^\s/;]+/.test(type)) {
    throw new ConfigError("The type of an upload is a media type, such as image/png.");
  }
  if (typeof name !== "string" || name === "" || /[/\\"]/.test(name)) {
    throw new ConfigError("The name of an upload is a file name, without folder or quotation marks.");
  }
  const bytes = Array.from(new TextEncoder().encode(name), (byte) => String.fromCharCode(byte));
  return { "Content-Type": type, "Content-Disposition": `attachment; filename="${bytes.join("")}"` };
}
