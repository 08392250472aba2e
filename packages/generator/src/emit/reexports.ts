import { type CodeSymbol, type Declaration, runtimeValue } from "../print/index.js";
import type { InterfaceFolder } from "./files.js";

/** The symbols that a file of a folder declares. */
export function declaredSymbols(
  declarations: readonly Declaration[],
  folder: InterfaceFolder,
  file: string,
): readonly CodeSymbol[] {
  return declarations.flatMap((declaration) => {
    if (declaration.kind === "reexport") return [];
    const isType = declaration.kind === "interface" || declaration.kind === "alias";
    return [isType ? folder.type(declaration.name, file) : folder.value(declaration.name, file)];
  });
}

/** Re-exports of symbols; no declaration where there are none. */
export function reexportOf(symbols: readonly CodeSymbol[]): readonly Declaration[] {
  return symbols.length === 0 ? [] : [{ kind: "reexport", symbols }];
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
