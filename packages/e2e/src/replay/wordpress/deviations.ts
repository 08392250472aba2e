import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@bothends/runtime";

/** An accepted difference from the recording: its reason, and the required behavior. */
export interface Deviation {
  readonly case: string;
  readonly reason: string;
  /** The line of the specification, or the row in the recording's README, that permits the difference. */
  readonly permittedBy: string;
  readonly instead: RequiredBehavior;
}

/** The required behavior instead of the recorded one. For absent parts, the recorded behavior is required. */
export interface RequiredBehavior {
  /** The handler that must be called: `GET /wp/v2/project`. null if none may be called. */
  readonly call?: string | null;
  readonly input?: JsonObject;
  readonly status?: number;
  readonly body?: JsonValue;
  /** The number of another case, whose recorded body is required. */
  readonly bodyOf?: string;
  /** The required headers by lower-case name. null means that the header must be absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The case from which the site takes its answer, if a different handler is called than on the recorded site. */
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
    ["case", "reason", "permittedBy"].every((name) => typeof Reflect.get(value, name) === "string") &&
    Object.keys(Object(Reflect.get(value, "instead"))).length > 0
  );
}
