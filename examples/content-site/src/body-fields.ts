import { type RestContext, RestError } from "@bothends/server/content";
import type { StoredObject } from "./tables.js";

/** Reads the fields of a JSON object or of a form, for routes whose arguments are not in the index. */
export function readBodyFields({ body, headers }: RestContext): StoredObject {
  const type = headers.get("content-type") ?? "";
  const text = new TextDecoder().decode(body);
  if (text === "") {
    return {};
  }
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as StoredObject;
    }
  } catch {}
  throw new RestError({ code: "rest_invalid_json", message: "The body must be a JSON object or a form.", status: 400 });
}

/** Returns the value of a field; undefined if it is not a string. */
export function readTextField(fields: StoredObject, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}
