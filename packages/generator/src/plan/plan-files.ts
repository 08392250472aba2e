import type { Config, Contract, SoapInterfaceConfig } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { fileWord } from "./file-word.js";
import type { InterfacePlan, Plan } from "./plan.js";
import { planRest } from "./plan-rest.js";
import { planSoap } from "./plan-soap.js";
import { reportWideChoices } from "./report-wide-choices.js";
import { Scope } from "./scope.js";

/** Decides every name and file of the generated packages. */
export function planFiles(contract: Contract, config: Config, diagnostics: Diagnostics): Plan {
  const folders = new Scope();
  reportWideChoices(contract, diagnostics);
  return {
    packages: config.packages,
    interfaces: contract.interfaces.map((each): InterfacePlan => {
      const folder = folders.take(fileWord(each.name));
      return each.kind === "rest"
        ? planRest(each, folder)
        : planSoap(each, { folder, config: configOf(each.name, config), diagnostics });
    }),
  };
}

function configOf(name: string, config: Config): SoapInterfaceConfig | undefined {
  return config.interfaces.find((each): each is SoapInterfaceConfig => each.kind === "soap" && each.name === name);
}
