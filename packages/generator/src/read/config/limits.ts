import type { JsonNode } from "../../source/json.js";
import { isLimit, type SourceLimits, sourceLimits } from "../../source/limits.js";
import type { Shape } from "./shape.js";

/** The limits that are not the default ones. */
export function readLimits(shape: Shape, node: JsonNode | undefined): Partial<SourceLimits> {
  const limits: { -readonly [Name in keyof SourceLimits]?: SourceLimits[Name] } = {};
  for (const [name, { value }] of shape.object(node, '"limits"', Object.keys(sourceLimits))) {
    const count = shape.count(value, `"${name}"`);
    if (count !== undefined && isLimit(name)) limits[name] = count;
  }
  return limits;
}
