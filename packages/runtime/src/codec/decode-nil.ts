import { END } from "@bothends/xml";
import type { SimpleType } from "../descriptor.js";
import type { Declaration, DecodeRun } from "./decode-run.js";
import type { DecodeType } from "./decode-table.js";
import { absent } from "./decode-value.js";
import { Misfit } from "./misfit.js";
import { instanceNamespace } from "./names.js";

/** Whether the element at START says that it is nil. */
export function isNil({ reader, strict }: DecodeRun): boolean {
  const text = reader.attribute(instanceNamespace, "nil");
  if (text === undefined) return false;
  const value = text.trim();
  if (value === "true" || value === "1") return true;
  if (strict && value !== "false" && value !== "0") throw new Misfit("xsi:nil is true or false.", { text });
  return false;
}

/**
 * What `xsi:nil="true"` means (XSD 1.0 Part 1 §3.3.4, and what peers send in spite of it):
 *
 * | element                                | tolerant          | strict                       |
 * |----------------------------------------|-------------------|------------------------------|
 * | nillable                               | null              | null; refused with content   |
 * | of a type whose empty text is a string | ""                | refused                      |
 * | optional, and no item of an array      | absent            | refused                      |
 * | any other                              | refused           | refused                      |
 */
export function readNil(run: DecodeRun, typed: DecodeType, { nillable, min, array, fixed }: Declaration): unknown {
  const { reader } = run;
  if (!run.strict) reader.skip();
  else if (fixed !== undefined) throw new Misfit("The element is nil, but its value is fixed.");
  else if (nillable && reader.next() !== END) throw new Misfit("The element is nil, but has content.");
  if (nillable) return null;
  if (!run.strict) {
    if (typed.kind === "simple" && readsEmpty(typed.type, run)) return "";
    if (min === 0 && !array) return absent;
  }
  throw new Misfit("The element is nil, but not nillable.");
}

function readsEmpty(type: SimpleType<unknown>, run: DecodeRun): boolean {
  try {
    return type.read("", run) === "";
  } catch {
    return false;
  }
}
