import { clark, isNCName, splitClark, splitQName } from "@bothends/xml";
import { LexicalError } from "./lexical-error.js";
import { type LexicalType, refusal, shown, type TextContext } from "./simple-type.js";

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
  const parts = splitQName(text);
  if (parts === undefined) {
    throw refusal(text, name);
  }
  const namespace = context.resolve(parts.prefix);
  if (namespace === undefined && parts.prefix !== "") {
    throw new LexicalError(`The prefix of ${shown(text)} is not declared.`);
  }
  return clark(namespace ?? "", parts.localName);
}

function writeQName(value: unknown, context: TextContext, name: string): string {
  if (typeof value !== "string") {
    throw refusal(value, name);
  }
  const { namespace, localName } = splitClark(value);
  if (!isNCName(localName)) {
    throw refusal(value, name);
  }
  if (namespace !== "") {
    return `${context.prefixFor(namespace)}:${localName}`;
  }
  const inScope = context.resolve("");
  if (inScope !== undefined && inScope !== "") {
    throw new LexicalError(
      `${shown(value)} is in no namespace and cannot be written where a default namespace is declared.`,
    );
  }
  return localName;
}
