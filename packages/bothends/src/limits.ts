import { isLimit, type SourceLimits, sourceLimits } from "@bothends/generator";
import { UsageError } from "./usage-error.js";

/** The limits that `--limit name=value` sets. Zero is zero. */
export function readLimits(texts: readonly string[]): Partial<SourceLimits> {
  const limits: { -readonly [K in keyof SourceLimits]?: SourceLimits[K] } = {};
  for (const text of texts) {
    const [, name, value] = /^(\w+)=(\d{1,15})$/.exec(text) ?? [];
    if (name === undefined || !isLimit(name)) {
      const known = Object.keys(sourceLimits).join(", ");
      throw new UsageError(`--limit is name=value, with one of the names ${known}, and a whole number.`);
    }
    limits[name] = Number(value);
  }
  return limits;
}
