import { compileRoutePattern, judgedPatternLimits } from "@bothends/xml/pattern";
import type { JsonValue, PathVariable } from "../../descriptor.js";
import { EncodeError } from "../../errors.js";
import { encodePart } from "../../http-binding/form-encoding.js";

/** The path of an endpoint with the values of its variables, which are taken out of `values`. */
export function endpointPath(path: readonly (string | PathVariable)[], values: Map<string, JsonValue>): string {
  const used = new Set<string>();
  const text = path
    .map((piece) => {
      if (typeof piece === "string") return piece.split("/").map(encodePart).join("/");
      used.add(piece.variable);
      return variableText(piece, values.get(piece.variable));
    })
    .join("");
  // A variable whose neighbours are literal text cannot be judged alone.
  const bad = text
    .split("/")
    .slice(1)
    .find((segment) => segment === "." || segment === "..");
  if (bad !== undefined)
    throw new EncodeError('A segment of the path would be "." or "..", which no address can hold.', { path: "/" });
  for (const name of used) values.delete(name);
  return text;
}

function variableText({ variable, pattern }: PathVariable, value: JsonValue | undefined): string {
  const path = `/${variable}`;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "") {
    throw new EncodeError(`${path}: The path needs a text or number here.`, { path });
  }
  const parts = text.includes("/") && mayHoldSlashes(pattern, text) ? text.split("/") : [text];
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") {
      throw new EncodeError(`${path}: No segment of a path can be empty, "." or "..".`, { path });
    }
  }
  return parts.map(encodePart).join("/");
}

/** Whether the group takes this text as it is, slashes and all. WordPress matches without regard to case. */
function mayHoldSlashes(pattern: string, text: string): boolean {
  try {
    const compiled = compileRoutePattern(pattern, judgedPatternLimits);
    return compiled.test(text) || compiled.test(text.toLowerCase());
  } catch {
    return false;
  }
}
