import type { ModulePath } from "../model/index.js";
import { getEntry, getSourceFolder, type InterfacePlan, type PackagePlan, type Plan } from "../plan/index.js";
import {
  type CodeSymbol,
  type Declaration,
  type Module,
  type PrintedDeclaration,
  runtimeValue,
  TypeScriptFile,
} from "../print/index.js";

/** The folder of an interface in a package. Makes the files of the folder, and the symbols that they declare. */
export class InterfaceFolder {
  readonly #package: PackagePlan;
  readonly #folder: string;
  /** The module of each file, by file name. All symbols of a file refer to the same module object. */
  readonly #modules = new Map<string, Module>();

  constructor(plan: PackagePlan, folder: string) {
    this.#package = plan;
    this.#folder = folder;
  }

  /** Makes a file of the folder, such as `reg-handlers.ts` or `wsdl/reg.ts`, with its declarations. */
  createFile(name: string, declarations: Iterable<Declaration>): TypeScriptFile {
    const file = new TypeScriptFile({ package: this.#package.name, path: this.#getPath(name) });
    file.add(declarations);
    return file;
  }

  getType(name: string, file: string): CodeSymbol {
    return { name, module: this.#getModule(file), kind: "type" };
  }

  getValue(name: string, file: string): CodeSymbol {
    return { name, module: this.#getModule(file), kind: "value" };
  }

  /** Returns a module that the user provides: a package, or a file by its path below the project's root. */
  getProgramModule(module: ModulePath): Module {
    return "package" in module
      ? { kind: "package", specifier: module.package }
      : { kind: "file", package: this.#package.name, entry: module.file, path: module.file };
  }

  #getModule(file: string): Module {
    const existingModule = this.#modules.get(file);
    if (existingModule !== undefined) {
      return existingModule;
    }
    const mainEntry = `${getEntry(this.#package)}/${this.#folder}`;
    const entry = file === operationsFile ? `${mainEntry}/operations` : mainEntry;
    const module: Module = { kind: "file", package: this.#package.name, entry, path: this.#getPath(file) };
    this.#modules.set(file, module);
    return module;
  }

  #getPath(file: string): string {
    return `${getSourceFolder(this.#package)}/${this.#folder}/${file}`;
  }
}

/** The folders of one interface in the three packages. */
export interface InterfaceFolders {
  readonly contract: InterfaceFolder;
  readonly client: InterfaceFolder;
  readonly server: InterfaceFolder;
}

export function getFolders(plan: InterfacePlan, packages: Plan["packages"]): InterfaceFolders {
  return {
    contract: new InterfaceFolder(packages.contract, plan.folder),
    client: new InterfaceFolder(packages.client, plan.folder),
    server: new InterfaceFolder(packages.server, plan.folder),
  };
}

/**
 * The name of the file that declares the schema types. If there are several namespaces, each one after the first may
 * have a separate file.
 */
export const typesFile = "types.ts";
export const faultsFile = "faults.ts";
export const optionsFile = "options.ts";
export const indexFile = "index.ts";
/**
 * The name of the entry with the descriptors: `@bothends/client/vehicle/operations`. The contract declares all
 * descriptors in one module, because each additional module costs a program 0.5 to 1 ms of CPU time at its start.
 */
export const operationsFile = "operations.ts";

/** Returns the last segment of a file's path: `types.ts`. */
export function getFileName(file: TypeScriptFile): string {
  return file.path.slice(file.path.lastIndexOf("/") + 1);
}

/** Returns the symbols of declarations in a file of a folder. A re-export declares none. */
export function listDeclaredSymbols(
  declarations: readonly PrintedDeclaration[],
  folder: InterfaceFolder,
  file: string,
): readonly CodeSymbol[] {
  return declarations.flatMap((declaration) => {
    if (declaration.kind === "reexport") {
      return [];
    }
    const isType = declaration.kind === "interface" || declaration.kind === "alias";
    return [isType ? folder.getType(declaration.name, file) : folder.getValue(declaration.name, file)];
  });
}

/** Makes a package entry, which re-exports the declarations of other files in its folder. */
export function createEntryFile(
  folder: InterfaceFolder,
  name: string,
  files: readonly TypeScriptFile[],
): TypeScriptFile {
  const symbols = files.map((file) => listDeclaredSymbols(file.declarations, folder, getFileName(file)));
  const nonEmptySymbols = symbols.filter((names) => names.length > 0);
  return folder.createFile(
    name,
    nonEmptySymbols.map((names) => ({ kind: "reexport", symbols: names })),
  );
}

const errorNames = [
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

/**
 * Returns the classes of all errors with which a call can fail. Users import these classes from the client's package.
 */
export function listClientErrors(protocolError: "SoapFault" | "RestError"): readonly CodeSymbol[] {
  return [...errorNames, protocolError].map((name) => runtimeValue("@bothends/runtime", name));
}
