import { clark, isNCName, splitClark, splitQName } from "@bothends/xml/names";
import { invalid } from "../lexical-error.js";
import type { Datatype, TextContext } from "../simple-type.js";

/**
 * xs:QName and xs:NOTATION (XSD 1.0 Part 2 §3.2.18, §3.2.19). Values and facets are in Clark notation. The length facets,
 * which are deprecated here, are not checked: a length would depend on the prefix.
 */
export function qnameType(name: "xs:QName" | "xs:NOTATION"): Datatype<string> {
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: { key: (value) => `${name}:${value}`, literal: (text) => text },
    read: (text, context) => readQName(text, context, name),
    write: (value: unknown, context) => writeQName(value, context, name),
  };
}

function readQName(text: string, context: TextContext, name: string): string {
  const parts = splitQName(text);
  if (parts === undefined) {
    throw invalid(text, name);
  }
  const namespace = context.resolve(parts.prefix);
  if (namespace === undefined && parts.prefix !== "") {
    throw invalid(text, name, "its prefix is not declared");
  }
  return clark(namespace ?? "", parts.localName);
}

function writeQName(value: unknown, context: TextContext, name: string): string {
  if (typeof value !== "string") {
    throw invalid(value, name);
  }
  const { namespace, localName } = splitClark(value);
  if (!isNCName(localName)) {
    throw invalid(value, name);
  }
  if (namespace !== "") {
    return `${context.prefixFor(namespace)}:${localName}`;
  }
  const inScope = context.resolve("");
  if (inScope !== undefined && inScope !== "") {
    throw invalid(value, name, "a name without a namespace cannot be written inside a default namespace");
  }
  return localName;
}
