// Names in Clark notation. The characters of names are in `name-characters.ts`, because clients do not need them for
// most messages.

/**
 * Writes a qualified name in Clark notation, `{namespace}local`, or `local` without a namespace: a string that can be
 * compared and used as a Map key.
 */
export function clark(namespace: string, localName: string): string {
  return namespace === "" ? localName : `{${namespace}}${localName}`;
}

/** Splits a name in Clark notation. A local name contains no braces, so the last brace ends the namespace. */
export function splitClark(name: string): { readonly namespace: string; readonly localName: string } {
  if (!name.startsWith("{")) {
    return { namespace: "", localName: name };
  }
  const brace = name.lastIndexOf("}");
  return { namespace: name.slice(1, brace), localName: name.slice(brace + 1) };
}
