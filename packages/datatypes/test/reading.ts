import { emptyContext, normalizeWhiteSpace, type SimpleType, type TextContext } from "@bothends/datatypes";

/** Reads as the codec does: white space first. */
export function readText<T>(type: SimpleType<T>, text: string, context: TextContext = emptyContext): T {
  return type.read(normalizeWhiteSpace(text, type.whiteSpace), context);
}

/** Writes a value of any type, as untyped callers can. */
export function writeValue(type: SimpleType<unknown>, value: unknown, context: TextContext = emptyContext): string {
  return type.write(value, context);
}
