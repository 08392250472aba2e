import { type HandlerInterface, operationsOf } from "./handlers.js";

/** `.bothends-scaffold.json`: which operations the server has been given, and how they looked then. */
export interface ScaffoldRecord {
  readonly interfaces: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const recordFile = ".bothends-scaffold.json";

/** The record of the operations as they are now. */
export function recordOf(interfaces: readonly HandlerInterface[]): ScaffoldRecord {
  return {
    interfaces: Object.fromEntries(
      interfaces.map((of) => [
        of.module,
        Object.fromEntries(operationsOf(of.root).map(({ path, operation }) => [path.join("."), operation.signature])),
      ]),
    ),
  };
}

/** Reads a record; text that is none, or none at all, is an empty one. */
export function readRecord(text: string | undefined): ScaffoldRecord {
  if (text === undefined) return { interfaces: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : { interfaces: {} };
  } catch {
    return { interfaces: {} };
  }
}

export function recordText(record: ScaffoldRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function isRecord(value: unknown): value is ScaffoldRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "interfaces" in value &&
    typeof value.interfaces === "object" &&
    value.interfaces !== null
  );
}
