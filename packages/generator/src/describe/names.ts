import type { TypeReference, WireName } from "../model/index.js";
import type { Reference } from "./value.js";

/** Clark notation: `{namespace}local`, or `local` in no namespace. */
export function clarkName(name: WireName): string {
  return name.namespace === "" ? name.local : `{${name.namespace}}${name.local}`;
}

export function describeReference(reference: TypeReference): Reference {
  return reference.kind === "builtin" ? { kind: "builtin", name: reference.name } : { kind: "type", id: reference.id };
}
