import { isNCName } from "./names.js";

/** A qualified name in Clark notation, `{namespace}local`: one string that compares and serves as a Map key. No namespace: `local` alone. */
export function clark(namespace: string, localName: string): string {
  return namespace === "" ? localName : `{${namespace}}${localName}`;
}

/** Takes a name in Clark notation apart. A local name holds no brace, so the last one ends the namespace. */
export function splitClark(name: string): { readonly namespace: string; readonly localName: string } {
  if (!name.startsWith("{")) return { namespace: "", localName: name };
  const brace = name.lastIndexOf("}");
  return { namespace: name.slice(1, brace), localName: name.slice(brace + 1) };
}

/** Takes a lexical QName (Namespaces in XML 1.0 §4) apart: `tns:Vehicle`, `Vehicle`. Undefined when it is none. */
export function splitQName(text: string): { readonly prefix: string; readonly localName: string } | undefined {
  const colon = text.indexOf(":");
  if (colon < 0) return isNCName(text) ? { prefix: "", localName: text } : undefined;
  const prefix = text.slice(0, colon);
  const localName = text.slice(colon + 1);
  return isNCName(prefix) && isNCName(localName) ? { prefix, localName } : undefined;
}
