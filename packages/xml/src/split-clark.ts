// This module is separate from `clark-names.ts`, because clients over HTTP GET need only that one for most messages.

/** Splits a name in Clark notation. A local name contains no braces, so the last brace ends the namespace. */
export function splitClark(name: string): { readonly namespace: string; readonly localName: string } {
  if (!name.startsWith("{")) {
    return { namespace: "", localName: name };
  }
  const brace = name.lastIndexOf("}");
  return { namespace: name.slice(1, brace), localName: name.slice(brace + 1) };
}
