import { readFileSync } from "node:fs";

/** An accepted difference from the recording, and the reason. */
export interface Deviation {
  readonly case: string;
  readonly difference: string;
  readonly reason: string;
  /** The section of the specification, or the row of the recording's README, that permits the difference. */
  readonly permittedBy: string;
}

/** Reads the list of accepted deviations. */
export function readDeviations(file: string | URL): readonly Deviation[] {
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(list) || !list.every(isDeviation)) {
    throw new Error("The list of deviations is malformed.");
  }
  return list;
}

function isDeviation(value: unknown): value is Deviation {
  return (
    typeof value === "object" &&
    value !== null &&
    ["case", "difference", "reason", "permittedBy"].every((name) => typeof Reflect.get(value, name) === "string")
  );
}
