import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@bothends/runtime";

/** An accepted difference from the recording, its justification, and the required behavior. */
export interface Deviation {
  readonly case: string;
  readonly reason: string;
  /** The line of the specification, or the row in the recording's README. */
  readonly permits: string;
  readonly instead: Instead;
}

/** The required behavior. Unlisted parts must be as recorded. */
export interface Instead {
  /** `GET /wp/v2/project`; null: no handler is reached. */
  readonly call?: string | null;
  readonly input?: JsonObject;
  readonly status?: number;
  readonly body?: JsonValue;
  /** The recorded body of another case. */
  readonly bodyOf?: string;
  /** By lower-case name; null: absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Set if another handler is called than on the recorded site. The site then answers the call as in this case. */
  readonly site?: string;
}

/** Reads the accepted deviations by case. */
export function readDeviations(file: string | URL): ReadonlyMap<string, Deviation> {
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(list) || !list.every(isDeviation)) {
    throw new Error("The list of deviations is malformed.");
  }
  return new Map(list.map((deviation: Deviation) => [deviation.case, deviation]));
}

function isDeviation(value: unknown): value is Deviation {
  return (
    typeof value === "object" &&
    value !== null &&
    ["case", "reason", "permits"].every((name) => typeof Reflect.get(value, name) === "string") &&
    Object.keys(Object(Reflect.get(value, "instead"))).length > 0
  );
}
