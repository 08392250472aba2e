import { isLimit, nearestName, type SourceLimits, sourceLimits } from "@bothends/generator/diagnostics";
import { UsageError } from "./host.js";

/** Reads the limits of `--limit name=value`. */
export function readLimits(texts: readonly string[]): Partial<SourceLimits> {
  const limits: { -readonly [K in keyof SourceLimits]?: SourceLimits[K] } = {};
  for (const text of texts) {
    const [, name = "", value] = /^(\w+)=(\d{1,15})$/.exec(text) ?? [];
    if (!isLimit(name)) {
      const known = Object.keys(sourceLimits);
      const near = nearestName(text.replace(/=.*$/s, ""), known);
      throw new UsageError("--limit needs name=value: the name of a limit, and a whole number.", {
        help: `${near === undefined ? "" : `Did you mean ${near}? `}The names are ${known.join(", ")}.`,
      });
    }
    limits[name] = Number(value);
  }
  return limits;
}
