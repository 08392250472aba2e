import { existsSync } from "node:fs";
import { basename, dirname, join, posix, resolve } from "node:path";
import { deriveInterfaceName } from "@bothends/generator";
import { indexFile } from "../fetch/fetch-index.js";
import { FileNames } from "../fetch/file-names.js";
import { hideSecrets } from "../fetch/hide-secrets.js";
import { type Host, UsageError } from "../host.js";
import { completeAddress, quoteShellWord, withSlashes } from "../paths.js";
import {
  configName,
  formatFetchCommand,
  type InitOptions,
  listNetworkParameters,
  listProjectParameters,
} from "../project.js";

// Reads the sources that a user names for a new project.

/** The error for a project that exists already. A second service needs another interface in its configuration. */
export function createExistingConfigError(texts: readonly string[], options: InitOptions, host: Host): UsageError {
  const [text = "schemas/quotes.wsdl"] = listInputs(texts, options);
  const address = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const isIndex = text === options.index || !/wsdl$|\.(?:asmx|svc)\b/i.test(text);
  const kind = isIndex ? "index" : "wsdl";
  const file = address === undefined ? text : isIndex ? indexFile : new FileNames().chooseName(address, kind);
  const name = options.name ?? deriveName(file, kind);
  // Without this folder, the documents would replace those of another service.
  const isTaken = address !== undefined && existsSync(join(host.workingFolder, savedFolder, file));
  const into = isTaken ? posix.join(savedFolder, name) : savedFolder;
  const path = JSON.stringify(posix.normalize(address === undefined ? withSlashes(file) : posix.join(into, file)));
  const documents = isIndex ? `{ "index": ${path} }` : `{ "wsdl": [${path}] }`;
  const fetchAdvice = address === undefined ? "" : "fetch its documents with the command below, ";
  return new UsageError(`${configName} already exists.`, {
    help: `To add a service, ${fetchAdvice}add an interface to the file, and then generate: "interfaces": { …, ${JSON.stringify(name)}: ${documents} }.`,
    suggestion:
      address === undefined
        ? "bothends generate"
        : formatFetchCommand(text, { ...options, ...(isTaken ? { into } : {}) }),
  });
}

/** The folder for fetched documents. */
export const savedFolder = "schemas";

/** Returns the sources that the user names, as arguments or as options. */
export function listInputs(texts: readonly string[], { wsdl = [], index }: InitOptions): readonly string[] {
  return [...texts, ...wsdl, ...(index === undefined ? [] : [index])];
}

/** Derives the name of an interface from the file name of its document. */
export function deriveName(path: string, kind: "wsdl" | "index"): string {
  const stem = basename(path).replace(/\.[^.]*$/, "");
  return kind === "index" && /^index$/i.test(stem) ? "site" : deriveInterfaceName([stem]);
}

/** Refuses the address of a service whose scheme is missing: `service.example/quotes.asmx?wsdl`. */
export function refuseAddressWithoutScheme(
  inputs: readonly string[],
  { wsdl: _wsdl, index: _index, ...options }: InitOptions,
  { workingFolder }: Host,
): void {
  for (const text of inputs) {
    // The name of a host can also be that of a file or a folder, such as `schemas.old/quotes.wsdl`.
    const isAddress = /^www\.|^[^/]*[:?]/.test(text) || !existsSync(dirname(resolve(workingFolder, text)));
    const address = isAddress && !existsSync(resolve(workingFolder, text)) ? completeAddress(text) : undefined;
    if (address !== undefined) {
      throw new UsageError(`"${hideSecrets(text).slice(0, 500)}" is neither a file nor an address.`, {
        help: "If it is an address, begin it with http:// or https://.",
        suggestion: [
          "bothends init",
          quoteShellWord(hideSecrets(address)),
          ...listProjectParameters(options),
          ...listNetworkParameters(options),
        ].join(" "),
      });
    }
  }
}
