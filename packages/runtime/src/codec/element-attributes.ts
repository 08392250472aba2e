import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import type { XmlReader } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { splitQName } from "@bothends/xml/name-characters";
import { END } from "@bothends/xml/reader-events";
import type { SimpleType } from "../descriptor.js";
import { absentValue, type Declaration, type DecodeContext, type DecodeType } from "./decode-table.js";
import { instanceNamespace } from "./resolved-types.js";
import { checkFixed, SchemaMismatch } from "./schema-mismatch.js";

/** The namespaces of SOAP encoding (SOAP 1.1 §5, 1.2 part 2 §3). */
export const encodingNamespaces = {
  soap11: "http://schemas.xmlsoap.org/soap/encoding/",
  soap12: "http://www.w3.org/2003/05/soap-encoding",
} as const;

interface AttributeName {
  readonly namespace: string;
  readonly localName: string;
}

/**
 * Whether an attribute refers to another element that contains the value (SOAP 1.1 §5.4.1, SOAP 1.2 Part 2 §3.1.5.3).
 */
export function isReference({ namespace, localName }: AttributeName): boolean {
  return namespace === "" ? localName === "href" : localName === "ref" && namespace === encodingNamespaces.soap12;
}

/**
 * Refuses an attribute that the element's type does not declare. Attributes that are ignored, or allowed on any
 * element, are not refused.
 */
export function refuseAttribute(
  attribute: AttributeName & { readonly value: string },
  rules: { readonly refuseUnknown: boolean; readonly isEncoded: boolean },
): void {
  const { namespace, localName, value } = attribute;
  // Without this check, a reference would be read as an empty value, because the element of a reference has no content.
  // PHP writes a reference when an object occurs again; other software refers to attachments.
  if (!rules.isEncoded && isReference(attribute) && /^(?:#|cid:)/i.test(value)) {
    throw new SchemaMismatch(
      `The value must not be a reference (${localName}="${value.slice(0, 64)}") in a literal message.`,
    );
  }
  if (namespace !== instanceNamespace && rules.refuseUnknown) {
    throw createUnexpectedAttributeError(attribute);
  }
}

/** Why an element is ignored: its type does not declare it, or an earlier occurrence has been read. */
export type IgnoredPart = "undeclared" | "repeated";

/**
 * Called before an element is ignored. `declaredNamespace` is the namespace of an element with the same local name, if
 * the type declares one. Also called for undeclared attributes, but only if a required attribute is missing.
 */
export type OnIgnored = (
  node: Pick<XmlReader, "path" | "namespace">,
  part: IgnoredPart,
  declaredNamespace?: string,
) => void;

/** Reports the undeclared attributes of the current element. Those of the namespace of `xsi:type` are left out. */
export function reportIgnored(
  { path }: XmlReader,
  attributes: readonly AttributeName[] = [],
  onIgnored: OnIgnored | undefined,
): void {
  for (const { localName, namespace } of attributes) {
    if (namespace !== instanceNamespace) {
      onIgnored?.({ path: `${path}/@${localName}`, namespace }, "undeclared");
    }
  }
}

/** Returns the error for an attribute that no declaration allows. */
export function createUnexpectedAttributeError({ namespace, localName }: AttributeName): SchemaMismatch {
  return new SchemaMismatch(`The attribute ${clark(namespace, localName)} is not expected here.`).prependStep(
    `@${localName}`,
  );
}

/**
 * Returns the type in an `xsi:type` as a name in Clark notation. If the prefix is not bound, returns the text
 * unchanged.
 */
export function getTypeName(reader: XmlReader, text: string): string {
  const name = splitQName(normalizeWhiteSpace(text, "collapse"));
  const namespace = name === undefined ? undefined : reader.resolve(name.prefix);
  if (name === undefined || (namespace === undefined && name.prefix !== "")) {
    return text;
  }
  return clark(namespace ?? "", name.localName);
}

/**
 * Reads an element with `xsi:nil="true"` (XSD 1.0 Part 1 §3.3.4); undefined for an element that is not nil. Tolerant
 * decoding accepts what some peers send:
 *
 * | element                                | tolerant          | without loss      | strict                       |
 * |----------------------------------------|-------------------|-------------------|------------------------------|
 * | nillable                               | null              | null              | null; refused with content   |
 * | of a type that reads empty text as ""  | ""                | as in next 2 rows | refused                      |
 * | optional, and not an array item        | absent            | absent            | refused                      |
 * | any other                              | refused           | refused           | refused                      |
 */
export function readNil(
  context: DecodeContext,
  type: DecodeType,
  { nillable, min, array, fixed }: Declaration,
): null | "" | typeof absentValue | undefined {
  const { reader, strict } = context;
  if (!isNil(context, nillable)) {
    return undefined;
  }
  if (!strict) {
    reader.skip();
  } else if (fixed !== undefined) {
    throw new SchemaMismatch("An element with a fixed value must not be nil.");
  } else if (nillable && reader.next() !== END) {
    throw new SchemaMismatch("A nil element must be empty.");
  }
  if (nillable) {
    return null;
  }
  if (!context.refuseLoss && type.kind === "simple" && readsEmpty(type.type, context)) {
    return "";
  }
  if (!strict && min === 0 && !array) {
    return absentValue;
  }
  if (context.tolerant?.accepts("nil", reader) === true) {
    return null;
  }
  throw new SchemaMismatch("The element must not be nil.", { tolerance: "nil" });
}

/** Whether the current element has the attribute `xsi:nil="true"`. */
function isNil({ reader, strict }: DecodeContext, nillable: boolean): boolean {
  const text = reader.attribute(instanceNamespace, "nil");
  if (text === undefined) {
    return false;
  }
  const value = text.trim();
  if (strict && !/^(true|false|1|0)$/.test(value)) {
    throw new SchemaMismatch("The attribute xsi:nil must be true or false.", { text });
  }
  const nil = value === "true" || value === "1";
  // XSD 1.0 Part 1 §3.3.4: an element that is not nillable must not have the attribute, whatever its value.
  if (strict && !nil && !nillable) {
    throw new SchemaMismatch("The attribute xsi:nil is allowed only on a nillable element.", { text });
  }
  return nil;
}

/** A value that was read, and the fixed value of its declaration. */
interface ReadFixedValue {
  readonly type: SimpleType<unknown>;
  readonly value: unknown;
  readonly fixed: string;
  /** The name of the attribute; absent for an element. */
  readonly attribute?: string;
}

/**
 * Refuses a value that differs from the fixed value, because programs that rely on the schema would ignore the
 * difference.
 */
export function checkFixedRead(context: DecodeContext, { type, value, fixed, attribute }: ReadFixedValue): void {
  if (!context.refuseLoss) {
    return;
  }
  try {
    checkFixed(type, { value, fixed, context });
  } catch (error) {
    if (context.tolerant?.accepts("fixed", context.reader, { attribute }) !== true) {
      throw error;
    }
  }
}

function readsEmpty(type: SimpleType<unknown>, context: DecodeContext): boolean {
  try {
    return type.read("", context) === "";
  } catch {
    return false;
  }
}
