import { type Contract, describe } from "@bothends/generator";
import { type DynamicRestInterface, dynamicRestInterface } from "./rest-interface.js";
import { type DynamicSoapInterface, dynamicSoapInterface } from "./soap-interface.js";

/** The interfaces of a contract, ready for the runtime. */
export interface DynamicContract {
  /** In the order of the contract. */
  readonly interfaces: readonly DynamicInterface[];
}

export type DynamicInterface = DynamicSoapInterface | DynamicRestInterface;

/** Makes the descriptors that the packages generated from a contract would export. The contract must have no errors. */
export function dynamicContract(contract: Contract): DynamicContract {
  const descriptions = describe(contract);
  return {
    interfaces: contract.interfaces.flatMap((each): readonly DynamicInterface[] => {
      const described = descriptions.get(each);
      if (each.kind === "soap" && described?.kind === "soap") {
        return [dynamicSoapInterface(each, described)];
      }
      if (each.kind === "rest" && described?.kind === "rest") {
        return [dynamicRestInterface(each, described)];
      }
      return [];
    }),
  };
}
