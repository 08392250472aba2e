import type { Config } from "../model/config.js";
import type { Contract, Endpoint } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";

/** One note for each interface that has endpoints of whose answers no schema says anything. */
export function reportUntyped({ interfaces }: Contract, config: Config, diagnostics: Diagnostics): void {
  for (const rest of interfaces) {
    if (rest.kind !== "rest") continue;
    const endpoints = rest.endpoints.filter((endpoint) => !isIndex(endpoint));
    const untyped = endpoints.filter(({ answer }) => answer === undefined);
    const own = config.interfaces.find(({ name }) => name === rest.name);
    const [first] = untyped;
    if (first === undefined || own?.kind !== "rest") continue;
    const example = `${first.operation.join(".")}${untyped.length > 1 ? " for one" : ""}`;
    diagnostics.info("ANS001", own.index.span, {
      message: `No schema says what ${untyped.length} of ${endpoints.length} endpoints answer, ${example}; they answer any JSON.`,
      help: "Save the index with its schemas (?context=help), or name JSON Schemas under `responses`.",
    });
  }
}

/** The runtime answers it, from the index. */
function isIndex({ operation, route, namespace }: Endpoint): boolean {
  return operation.at(-1) === "index" && route === `/${namespace}`;
}
