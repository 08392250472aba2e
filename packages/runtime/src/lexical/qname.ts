import type { TextContext } from "../descriptor.js";
import { LexicalError } from "../errors.js";
import { isNCName } from "./name.js";
import { type LexicalType, refusal, shown } from "./simple-type.js";

/** xs:QName and xs:NOTATION (XSD 1.0 Part 2 §3.2.18, §3.2.19), in Clark notation. Their length says nothing, so it is not checked. */
export function qnameType(name: "xs:QName" | "xs:NOTATION"): LexicalType<string> {
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    traits: { key: (value) => `${name}:${value}`, literal: (text) => text },
    read: (text, context) => readQName(text, context, name),
    write: (value: unknown, context) => writeQName(value, context, name),
  };
}

function readQName(text: string, context: TextContext, name: string): string {
  const colon = text.indexOf(":");
  const prefix = colon < 0 ? "" : text.slice(0, colon);
  const local = text.slice(colon + 1);
  if (!isNCName(local) || (colon >= 0 && !isNCName(prefix))) {
    throw refusal(text, name);
  }
  const namespace = context.resolve(prefix);
  if (namespace === undefined && prefix !== "") {
    throw new LexicalError(`The prefix of ${shown(text)} is not declared.`);
  }
  return namespace === undefined || namespace === "" ? local : `{${namespace}}${local}`;
}

function writeQName(value: unknown, context: TextContext, name: string): string {
  if (typeof value !== "string") {
    throw refusal(value, name);
  }
  const end = value.startsWith("{") ? value.lastIndexOf("}") : -1;
  const namespace = end < 0 ? "" : value.slice(1, end);
  const local = value.slice(end + 1);
  if (!isNCName(local)) {
    throw refusal(value, name);
  }
  if (namespace !== "") {
    return `${context.prefixFor(namespace)}:${local}`;
  }
  const inScope = context.resolve("");
  if (inScope !== undefined && inScope !== "") {
    throw new LexicalError(
      `${shown(value)} is in no namespace and cannot be written where a default namespace is declared.`,
    );
  }
  return local;
}
