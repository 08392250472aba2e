import { type CodeSymbol, type Declaration, runtimeValue, type TypeScriptFile } from "../print/index.js";
import { fileName, type InterfaceFolder } from "./files.js";

/** The symbols that a file of a folder declares. */
export function declaredSymbols(
  declarations: readonly Declaration[],
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

/** An entry of a package, which re-exports what some files of its folder declare. */
export function entryFile(folder: InterfaceFolder, name: string, files: readonly TypeScriptFile[]): TypeScriptFile {
  const entry = folder.file(name);
  for (const file of files) {
    const symbols = declaredSymbols(file.declarations, folder, fileName(file));
    if (symbols.length > 0) {
      entry.add({ kind: "reexport", symbols });
    }
  }
  return entry;
}

const errors = [
  "BothendsError",
  "ConfigError",
  "DecodeError",
  "EncodeError",
  "HttpStatusError",
  "ProtocolError",
  "TimeoutError",
  "TransportError",
] as const;

/** Every error that a call can end with, for users to import from the client's own package. */
export function clientErrors(protocolError: "SoapFault" | "RestError"): readonly CodeSymbol[] {
  return [...errors, protocolError].map((name) => runtimeValue("@bothends/runtime", name));
}
