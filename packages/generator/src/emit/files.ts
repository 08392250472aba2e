import type { ModulePath } from "../model/index.js";
import { entryOf, type InterfacePlan, type PackagePlan, type Plan, sourceFolderOf } from "../plan/index.js";
import {
  type CodeSymbol,
  type Declaration,
  type Declared,
  type Module,
  runtimeValue,
  TypeScriptFile,
} from "../print/index.js";

/** The folder of one interface in a package: its files and the symbols they declare. */
export class InterfaceFolder {
  readonly #package: PackagePlan;
  readonly #folder: string;
  /** By file name: all symbols of a file have the same module. */
  readonly #modules = new Map<string, Module>();

  constructor(plan: PackagePlan, folder: string) {
    this.#package = plan;
    this.#folder = folder;
  }

  /** A file of the interface, `reg-handlers.ts` or `wsdl/reg.ts`, with its declarations. */
  file(name: string, declarations: Iterable<Declaration>): TypeScriptFile {
    const file = new TypeScriptFile({ package: this.#package.name, path: this.#path(name) });
    file.add(declarations);
    return file;
  }

  type(name: string, file: string): CodeSymbol {
    return { name, module: this.#module(file), kind: "type" };
  }

  value(name: string, file: string): CodeSymbol {
    return { name, module: this.#module(file), kind: "value" };
  }

  /** A module of the user's program, which is not generated: a package, or a file by its path below the root. */
  programModule(module: ModulePath): Module {
    return "package" in module
      ? { kind: "package", specifier: module.package }
      : { kind: "file", package: this.#package.name, entry: module.file, path: module.file };
  }

  #module(file: string): Module {
    const known = this.#modules.get(file);
    if (known !== undefined) {
      return known;
    }
    const main = `${entryOf(this.#package)}/${this.#folder}`;
    const entry = file === operationsFile ? `${main}/operations` : main;
    const module: Module = { kind: "file", package: this.#package.name, entry, path: this.#path(file) };
    this.#modules.set(file, module);
    return module;
  }

  #path(file: string): string {
    return `${sourceFolderOf(this.#package)}/${this.#folder}/${file}`;
  }
}

/** The folders of one interface in the three packages. */
export interface InterfaceFolders {
  readonly contract: InterfaceFolder;
  readonly client: InterfaceFolder;
  readonly server: InterfaceFolder;
}

export function foldersOf(plan: InterfacePlan, packages: Plan["packages"]): InterfaceFolders {
  return {
    contract: new InterfaceFolder(packages.contract, plan.folder),
    client: new InterfaceFolder(packages.client, plan.folder),
    server: new InterfaceFolder(packages.server, plan.folder),
  };
}

/** Files that every interface has. */
export const typesFile = "types.ts";
export const faultsFile = "faults.ts";
export const optionsFile = "options.ts";
export const indexFile = "index.ts";
/**
 * The entry with the descriptors: `@bothends/client/vehicle/operations`. In the contract it declares them, all in one module: a
 * module for each service or group costs a program 0.5 to 1 ms of CPU at its start.
 */
export const operationsFile = "operations.ts";

/** The name of a file in its folder. */
export function fileName(file: TypeScriptFile): string {
  return file.path.slice(file.path.lastIndexOf("/") + 1);
}

/** The symbols that a file of a folder declares. */
export function declaredSymbols(
  declarations: readonly Declared[],
  folder: InterfaceFolder,
  file: string,
): readonly CodeSymbol[] {
  return declarations.flatMap((declaration) => {
    if (declaration.kind === "reexport") {
      return [];
    }
    const isType = declaration.kind === "interface" || declaration.kind === "alias";
    return [isType ? folder.type(declaration.name, file) : folder.value(declaration.name, file)];
  });
}

/** A package entry that re-exports declarations of some files in its folder. */
export function entryFile(folder: InterfaceFolder, name: string, files: readonly TypeScriptFile[]): TypeScriptFile {
  const symbols = files.map((file) => declaredSymbols(file.declarations, folder, fileName(file)));
  const present = symbols.filter((names) => names.length > 0);
  return folder.file(
    name,
    present.map((names) => ({ kind: "reexport", symbols: names })),
  );
}

const errors = [
  "AbortError",
  "BothendsError",
  "ConfigError",
  "DecodeError",
  "EncodeError",
  "HttpStatusError",
  "ProtocolError",
  "TimeoutError",
  "TransportError",
] as const;

/** Every error with which a call can reject, so that users can import them from the client's package. */
export function clientErrors(protocolError: "SoapFault" | "RestError"): readonly CodeSymbol[] {
  return [...errors, protocolError].map((name) => runtimeValue("@bothends/runtime", name));
}
