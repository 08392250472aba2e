import type { Level } from "../../src/index.js";

/** The outcomes of calls: errors, values that differ from those of an equal peer, and the first error. */
export interface Observed {
  readonly total: number;
  readonly errors: number;
  readonly losses: number;
  readonly error: string | undefined;
}

/** Runs calls with the seeds 1, 2, 3 … and counts their outcomes. */
export async function observe(total: number, call: (seed: number) => Promise<"same" | "lost">): Promise<Observed> {
  let [errors, losses] = [0, 0];
  let error: string | undefined;
  for (let seed = 1; seed <= total; seed += 1) {
    try {
      losses += (await call(seed)) === "lost" ? 1 : 0;
    } catch (problem) {
      if (problem instanceof Error && /between equal sides|No value was found/.test(problem.message)) {
        throw problem;
      }
      errors += 1;
      error ??= String(problem);
    }
  }
  return { total, errors, losses, error };
}

/**
 * Whether a claimed level matches the observations. `mayPass`: only a stricter peer or other values would show the
 * difference.
 */
export function agrees(claim: Level, { total, errors, losses }: Observed, mayPass: boolean): boolean {
  switch (claim) {
    case "none":
      return errors === 0 && losses === 0;
    case "tolerated":
      return errors === 0 && (losses > 0 || mayPass);
    case "some":
      return mayPass || (errors > 0 && (errors < total || total === 1)) || losses > 0;
    case "breaks":
      return errors === total;
  }
}

export function observedText({ total, errors, losses, error }: Observed): string {
  return `${errors} errors and ${losses} losses in ${total} calls${error === undefined ? "" : `: ${error}`}`;
}

/**
 * The names of members on the wire, by their names in generated code. The name of a group is empty, because a group has
 * no element. The name of `$type` is empty if only one version has the property, because the type is declared.
 */
export type WireNames = Readonly<Record<string, string>>;

/** The text of a value. Scalars are equal if their texts are, as on the wire. */
export function shown(value: unknown, names: WireNames = {}): string {
  return JSON.stringify(plain(value, names)) ?? "undefined";
}

function plain(value: unknown, names: WireNames): unknown {
  if (value instanceof Uint8Array) {
    return `bytes ${Buffer.from(value).toString("hex")}`;
  }
  if (value instanceof Date) {
    return value.toISOString().replace(".000Z", "Z");
  }
  if (Array.isArray(value)) {
    // A list with one item has the same text on the wire as the item.
    return value.length === 1 ? plain(value[0], names) : value.map((each) => plain(each, names));
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const renamed = members.flatMap(([key, member]): (readonly [string, unknown])[] => {
      const [name, text] = [names[key] ?? key, plain(member, names)];
      return name !== "" ? [[name, text]] : typeof text === "object" && text !== null ? Object.entries(text) : [];
    });
    return Object.fromEntries(renamed.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return value === null || value === undefined ? value : String(value);
}
