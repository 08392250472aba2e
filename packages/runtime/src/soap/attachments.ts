import type { AttachmentDescriptor } from "../descriptor.js";
import { DecodeError, EncodeError } from "../errors.js";
import { type MediaType, readMediaType } from "../media-type.js";
import { type BodyPart, MultipartError, readRelated, writeRelated } from "./multipart.js";

export { MultipartError };

/** The attachments of one direction of an operation, by member name. */
export type Attachments = Readonly<Record<string, AttachmentDescriptor>>;

/** A value without its attachments, and the parts they become. */
export interface Detached {
  readonly value: unknown;
  readonly parts: readonly BodyPart[];
}

/** Takes the attachments out of a value: what is left stands in the body. */
export function detach(value: unknown, attachments: Attachments): Detached {
  if (typeof value !== "object" || value === null) throw new EncodeError("The value is an object.", { path: "/" });
  const parts = Object.entries(attachments).map(([key, attachment]) => {
    const content: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    if (content instanceof Uint8Array) return { id: contentId(attachment.part), type: sentType(attachment), content };
    throw new EncodeError(`/${key}: An attachment is a Uint8Array.`, { path: `/${key}` });
  });
  const others = Object.entries(value).filter(([key]) => !Object.hasOwn(attachments, key));
  return { value: Object.fromEntries(others), parts };
}

/** Adds to a value the attachments that came with it: by their ids where these have the part's name, else in order. */
export function attach(value: unknown, attachments: Attachments, parts: readonly BodyPart[]): object {
  const left = new Set(parts);
  const found = new Map<string, BodyPart>();
  for (const [key, { part }] of Object.entries(attachments)) {
    const named = [...left].find(({ id }) => isNamed(id, part));
    if (named === undefined) continue;
    found.set(key, named);
    left.delete(named);
  }
  const inOrder = left.values();
  const members = Object.entries(attachments).map(([key, { part }]): [string, Uint8Array] => {
    const own = found.get(key) ?? inOrder.next().value;
    if (own === undefined) throw new DecodeError(`/${key}: The attachment "${part}" is missing.`, { path: `/${key}` });
    // A copy: the value shall not keep the message, nor share a buffer with it.
    return [key, new Uint8Array(own.content)];
  });
  return { ...(typeof value === "object" ? value : {}), ...Object.fromEntries(members) };
}

/** WS-I Attachments Profile 1.0 §3.8: the id of a part begins with the WSDL part's name. */
function isNamed(id: string, part: string): boolean {
  return id.startsWith(`${encodeURIComponent(part)}=`);
}

function contentId(part: string): string {
  return `${encodeURIComponent(part)}=${crypto.randomUUID()}@bothends`;
}

/** Of several media types the first; a wildcard says only that it is bytes. */
function sentType({ types }: AttachmentDescriptor): string {
  return types.find((type) => !type.includes("*")) ?? "application/octet-stream";
}

/** An envelope of a media type, with its attachments. */
export function writeAttached(
  envelope: string,
  type: string,
  parts: readonly BodyPart[],
): { readonly contentType: string; readonly body: Uint8Array } {
  const id = crypto.randomUUID();
  const root = { id: `root=${id}@bothends`, type, content: new TextEncoder().encode(envelope) };
  return writeRelated({ root, others: parts }, `part-${id}`);
}

/** A message as it was packaged: alone, or as the root of a `multipart/related`. */
export interface Packaged {
  readonly body: Uint8Array;
  readonly mediaType: MediaType;
  readonly parts: readonly BodyPart[];
}

/** Takes a message out of its package. Throws `MultipartError`. */
export function unpackaged(body: Uint8Array, mediaType: MediaType): Packaged {
  if (mediaType.name !== "multipart/related") return { body, mediaType, parts: [] };
  const { root, others } = readRelated(body, mediaType.parameters);
  const type = rootType(root.type === "" ? undefined : readMediaType(root.type), mediaType);
  if (type.name === "application/xop+xml") {
    throw new MultipartError("The message is packaged by XOP (MTOM), which no WSDL 1.1 binding asks for.");
  }
  return { body: root.content, mediaType: type, parts: others };
}

/** RFC 2387 §3.1: the package says the type of its root, too. */
export function rootType(own: MediaType | undefined, { parameters }: MediaType): MediaType {
  return own ?? readMediaType(parameters.get("type"));
}
