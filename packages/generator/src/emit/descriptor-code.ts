import type { Reference, Value } from "../describe/index.js";
import { array, entry, type Fragment, literal, object } from "../print/index.js";

/** The code of a descriptor value; `codeOf` gives the code of what it refers to. */
export function valueCode(value: Value, codeOf: (reference: Reference) => Fragment): Fragment {
  if (typeof value !== "object" || value === null) {
    return literal(value);
  }
  if (isList(value)) {
    return array(value.map((item) => valueCode(item, codeOf)));
  }
  if (value.kind !== "object") {
    return codeOf(value);
  }
  return object(value.members.map(([name, member]) => entry(name, valueCode(member, codeOf))));
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
