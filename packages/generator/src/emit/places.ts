import { entryOf, type InterfacePlan, type PackagePlan, type Plan, sourceFolderOf } from "../plan/index.js";
import { type CodeSymbol, type Module, TypeScriptFile } from "../print/index.js";

/** Where one interface's files lie in a package, and how others import from them. */
export class Place {
  readonly #package: PackagePlan;
  readonly #folder: string;
  /** By the file's name: every symbol of a file has the same module. */
  readonly #modules = new Map<string, Module>();

  constructor(plan: PackagePlan, folder: string) {
    this.#package = plan;
    this.#folder = folder;
  }

  /** A file of the interface: `reg-client.ts`, `wsdl/reg.ts`. */
  file(name: string): TypeScriptFile {
    return new TypeScriptFile({ package: this.#package.name, path: this.#path(name) });
  }

  type(name: string, file: string): CodeSymbol {
    return { name, module: this.#module(file), kind: "type" };
  }

  value(name: string, file: string): CodeSymbol {
    return { name, module: this.#module(file), kind: "value" };
  }

  #module(file: string): Module {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const entry = `${entryOf(this.#package)}/${this.#folder}`;
    const module: Module = { kind: "file", package: this.#package.name, entry, path: this.#path(file) };
    this.#modules.set(file, module);
    return module;
  }

  #path(file: string): string {
    return `${sourceFolderOf(this.#package)}/${this.#folder}/${file}`;
  }
}

/** The places of one interface in the three packages. */
export interface Places {
  readonly contract: Place;
  readonly client: Place;
  readonly server: Place;
}

export function placesOf(plan: InterfacePlan, packages: Plan["packages"]): Places {
  return {
    contract: new Place(packages.contract, plan.folder),
    client: new Place(packages.client, plan.folder),
    server: new Place(packages.server, plan.folder),
  };
}

/** Files that are the same in every interface. */
export const typesFile = "types.ts";
export const faultsFile = "faults.ts";
export const optionsFile = "options.ts";
export const indexFile = "index.ts";

/** The descriptors of one service or group; without one, those that all of them share. */
export function descriptorsFile(file: string | undefined): string {
  return `${file ?? "shared"}.descriptors.ts`;
}
