import type { Config, Contract, SoapInterfaceConfig } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { shapeOf } from "./choices.js";
import { fileWord, Scope } from "./names.js";
import type { InterfacePlan, Plan } from "./plan.js";
import { planRest } from "./plan-rest.js";
import { planSoap } from "./plan-soap.js";

/** Decides every name and file of the generated packages. */
export function planFiles(contract: Contract, config: Config, diagnostics: Diagnostics): Plan {
  const folders = new Scope();
  reportWideChoices(contract, diagnostics);
  return {
    packages: config.packages,
    interfaces: contract.interfaces.map((source): InterfacePlan => {
      const folder = folders.take(fileWord(source.name));
      return source.kind === "rest"
        ? planRest(source, folder)
        : planSoap(source, { folder, config: configOf(source.name, config), diagnostics });
    }),
  };
}

function configOf(name: string, config: Config): SoapInterfaceConfig | undefined {
  return config.interfaces.find(
    (candidate): candidate is SoapInterfaceConfig => candidate.kind === "soap" && candidate.name === name,
  );
}

/** Reports the types whose choices have too many alternatives for TypeScript to check. */
export function reportWideChoices({ interfaces }: Contract, diagnostics: Diagnostics): void {
  for (const source of interfaces) {
    if (source.kind !== "soap") {
      continue;
    }
    for (const type of source.types) {
      const wide = type.kind === "record" ? shapeOf(type).wide : new Set<string>();
      if (wide.size === 0) {
        continue;
      }
      const [first, second] = wide;
      diagnostics.info("XSD056", type.span, {
        message: `A choice between ${wide.size} members (${first}, ${second} …) has too many alternatives for a union type. Its members are optional, and the choice is checked when a value is sent or read.`,
      });
    }
  }
}
