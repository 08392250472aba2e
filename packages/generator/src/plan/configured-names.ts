import type { ConfiguredName } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { Scope } from "./scope.js";

type Names = ReadonlyMap<string, ConfiguredName>;

/** The names in `bothends.json`, and which of them were used. */
export class ConfiguredNames {
  readonly #names: Names;
  readonly #diagnostics: Diagnostics;
  readonly #used = new Set<string>();

  constructor(names: Names, diagnostics: Diagnostics) {
    this.#names = names;
    this.#diagnostics = diagnostics;
  }

  /** The configured name for a wire name; undefined where there is none, or none that can be used. */
  find(wireName: string, scope: Scope): string | undefined {
    const entry = this.#names.get(wireName);
    if (entry === undefined) {
      return undefined;
    }
    this.#used.add(wireName);
    const problem = problemOf(entry.name, scope);
    if (problem === undefined) {
      return entry.name;
    }
    this.#diagnostics.error("NAM003", entry.span, {
      message: `The name ${JSON.stringify(entry.name)} for ${JSON.stringify(wireName)} ${problem}.`,
    });
    return undefined;
  }

  reportUnused(): void {
    for (const [wireName, entry] of this.#names) {
      if (this.#used.has(wireName)) {
        continue;
      }
      this.#diagnostics.warning("NAM004", entry.keySpan, {
        message: `The schema has no type or operation ${JSON.stringify(wireName)}.`,
        help: "Write a type as {namespace}local, and an operation as its name.",
      });
    }
  }
}

function problemOf(name: string, scope: Scope): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) {
    return "must consist of letters and digits and begin with a letter";
  }
  return scope.isTaken(name) ? "is reserved or already used" : undefined;
}
