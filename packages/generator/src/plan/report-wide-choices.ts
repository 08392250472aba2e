import type { Contract } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { shapeOf } from "./choices.js";

/** Names the types whose choices TypeScript cannot check, for the number of their alternatives. */
export function reportWideChoices({ interfaces }: Contract, diagnostics: Diagnostics): void {
  for (const one of interfaces) {
    if (one.kind !== "soap") continue;
    for (const type of one.types) {
      const wide = type.kind === "record" ? shapeOf(type).wide : new Set<string>();
      if (wide.size === 0) continue;
      const [first, second] = wide;
      diagnostics.info("XSD056", type.span, {
        message: `A choice between ${wide.size} members (${first}, ${second} …) has too many alternatives for a union: the members are optional.`,
      });
    }
  }
}
