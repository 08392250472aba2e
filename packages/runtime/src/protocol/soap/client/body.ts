import type { Encoder } from "../../../codec/encoder.js";
import type { AnyBodyDescriptor, OutputDescriptor } from "../../../descriptor.js";
import type { Encoding } from "../envelope.js";
import { importedPart } from "./parts.js";

/** Writes the body of a request. */
export function writeBody(
  body: AnyBodyDescriptor,
  input: unknown,
  { encoder, encoding }: { readonly encoder: Encoder; readonly encoding: Encoding | undefined },
): string {
  if ("parts" in body) {
    return importedPart(body.by).write(body.parts, input, encoder);
  }
  const { nillable, default: byDefault, fixed } = body;
  return encoder.element(body.element, body.type, input === undefined ? inputWithoutMembers(body) : input, {
    nillable,
    default: byDefault,
    fixed,
    ...encoding,
  });
}

/** The input of an operation that is called without one: an empty record. */
function inputWithoutMembers({ type }: Extract<AnyBodyDescriptor, { readonly element: string }>): unknown {
  return typeof type === "function" && "fields" in type() ? {} : undefined;
}

/** The operation's value in its body: undefined, one member (null if it is absent), or the whole. */
export function resultOf({ result, empty }: OutputDescriptor<unknown>, value: unknown): unknown {
  if (empty === true) {
    return undefined;
  }
  if (result === undefined || typeof value !== "object" || value === null) {
    return value;
  }
  return (Object.hasOwn(value, result) ? Reflect.get(value, result) : null) ?? null;
}
