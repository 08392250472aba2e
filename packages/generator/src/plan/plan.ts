import type { Config, Contract, Interface, SoapInterfaceConfig } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import type { InterfacePlan, Plan } from "./plan-model.js";
import { reportWideChoices } from "./record-typing.js";
import { planRest } from "./rest.js";
import { planSoap } from "./soap.js";
import { Scope, toSafeFileName } from "./typescript-names.js";

/** A function that plans one interface, or returns the plan of an earlier run. */
type PlanInterface = (contractInterface: Interface, plan: () => InterfacePlan) => InterfacePlan;

/** Decides all names and files of the generated packages. */
export function planFiles(
  contract: Contract,
  config: Config,
  diagnostics: Diagnostics,
  planInterface: PlanInterface = (_, plan) => plan(),
): Plan {
  const folders = new Scope();
  return {
    packages: config.packages,
    interfaces: contract.interfaces.map((source) => {
      const folder = folders.takeName(toSafeFileName(source.name));
      return planInterface(source, () => {
        if (source.kind === "rest") {
          return planRest(source, folder);
        }
        reportWideChoices(source, diagnostics);
        return planSoap(source, { folder, config: findConfig(source.name, config), diagnostics });
      });
    }),
  };
}

function findConfig(name: string, config: Config): SoapInterfaceConfig | undefined {
  return config.interfaces.find(
    (candidate): candidate is SoapInterfaceConfig => candidate.kind === "soap" && candidate.name === name,
  );
}
