// Writes names in Clark notation. The characters of names are in `name-characters.ts`, because clients do not need them
// for most messages.

/**
 * Writes a qualified name in Clark notation, `{namespace}local`, or `local` without a namespace: a string that can be
 * compared and used as a Map key.
 */
export function clark(namespace: string, localName: string): string {
  return namespace === "" ? localName : `{${namespace}}${localName}`;
}
