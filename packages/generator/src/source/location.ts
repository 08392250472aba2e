/** What a `schemaLocation` or `location` leads to: a path relative to the root, or why there is none. */
export type ResolvedLocation =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "remote" | "outside"; readonly message: string; readonly suggestion: string };

/** Resolves a location against the document that names it, never against a working directory. Nothing is fetched. */
export function resolveLocation(location: string, importing: string): ResolvedLocation {
  const trimmed = location.trim();
  const suggestion = fileName(trimmed);
  const outside = (message: string): ResolvedLocation => ({ kind: "outside", message, suggestion });
  if (trimmed === "") return outside("The location is empty");
  if (trimmed.includes("\0")) return outside("The location holds a NUL");
  if (/^[\\/]{2}/.test(trimmed)) return { kind: "remote", message: "A network path is not followed", suggestion };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined) {
    if (scheme === "file" || scheme.length === 1) return outside("An absolute location is not followed");
    return { kind: "remote", message: "Nothing is fetched", suggestion };
  }
  if (/^[\\/]/.test(trimmed)) return outside("An absolute location is not followed");
  if (/%(?:2e|2f|5c|00)/i.test(trimmed)) return outside("A location must not encode dots or slashes");
  const plain = decodePercent(trimmed).replaceAll("\\", "/");
  if (/(?:^|\/)\.{0,2}$/.test(plain)) return outside("The location names no file");
  const path = joinPath(folderOf(importing), plain);
  return path === undefined ? outside("The location leaves the root") : { kind: "path", path };
}

/** A path in a folder, `.` and `..` resolved; undefined where it leaves the root or names no file. */
function joinPath(folder: readonly string[], location: string): string | undefined {
  const steps = [...folder];
  for (const step of location.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.length === 0 ? undefined : steps.join("/");
}

function folderOf(path: string): readonly string[] {
  return path.split("/").slice(0, -1);
}

/** Escapes of a URI reference, as UTF-8; what is no such escape stays as it is. */
function decodePercent(location: string): string {
  try {
    const decoded = decodeURIComponent(location);
    return decoded.includes("\0") ? location : decoded;
  } catch {
    return location;
  }
}

/** The file that a location would be, if it lay beside the document that names it. */
function fileName(location: string): string {
  const end = location.search(/[?#]/);
  const path = end < 0 ? location : location.slice(0, end);
  const last = path.split(/[\\/:]/).findLast((step) => step !== "" && step !== "." && step !== "..");
  const safe = (last ?? "").replaceAll(/%[0-9A-Fa-f]{2}|[^\w.-]/g, "_");
  return safe === "" ? "imported.xsd" : safe;
}
