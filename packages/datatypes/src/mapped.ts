import { LexicalError } from "./lexical-error.js";
import {
  type Datatype,
  type Derivation,
  emptyContext,
  isDatatype,
  normalizeWhiteSpace,
  type SimpleType,
  valueSpaceOf,
} from "./simple-type.js";

/**
 * Derives a type whose values are those of a program's own functions, for `typeMap`: `read` gets each text that is valid for the
 * type, and the text that `write` returns must be valid. `derive` is the derivation of the schema. Default: none.
 */
export function mapped<T>(read: (text: string) => T, write: (value: T) => string, derive?: Derivation): Derivation;
export function mapped(
  read: (text: string) => unknown,
  write: (value: unknown) => string,
  derive: Derivation = ([base]) => required(base),
): Derivation {
  return (types, facets, name) => {
    const base = derive(types, facets, name);
    const textOf = (value: unknown): string => {
      const text: unknown = guarded(() => write(value), base.name);
      if (typeof text !== "string") {
        throw new LexicalError(`The function that writes ${base.name} must return a string.`);
      }
      return text;
    };
    const baseValue = (value: unknown): unknown =>
      base.read(normalizeWhiteSpace(textOf(value), base.whiteSpace), emptyContext);
    const space = valueSpaceOf(base);
    const { compare, length } = space;
    const type: Datatype<unknown> = {
      kind: "simple",
      name: base.name,
      whiteSpace: base.whiteSpace,
      ...(isDatatype(base) && base.literals !== undefined ? { literals: base.literals } : {}),
      valueSpace: {
        key: (value) => space.key(baseValue(value)),
        ...(compare && { compare: (left, right) => compare.call(space, baseValue(left), baseValue(right)) }),
        ...(length && { length: (value) => length.call(space, baseValue(value)) }),
      },
      read(text, context) {
        base.read(text, context);
        return guarded(() => read(text), base.name);
      },
      write(value, context) {
        const text = textOf(value);
        base.read(normalizeWhiteSpace(text, base.whiteSpace), context);
        return text;
      },
    };
    return type;
  };
}

function required(base: SimpleType<unknown> | undefined): SimpleType<unknown> {
  if (base === undefined) {
    throw new TypeError("A mapped type has no base type.");
  }
  return base;
}

/** The result of a function of the program; its exceptions become errors of the value. */
function guarded<T>(call: () => T, name: string): T {
  try {
    return call();
  } catch (error) {
    throw new LexicalError(`The value is not a ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
