/**
 * The path of a route as a request spells it, decoded, without the slash at its end; undefined for one that no route
 * has: an encoded slash, a malformed escape.
 */
export function readRoutePath(raw: string): string | undefined {
  const path = raw.length > 1 && raw.endsWith("/") ? raw.slice(0, -1) : raw;
  if (!path.includes("%")) return path === "" ? "/" : path;
  if (/%(?:2f|5c|00)/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
