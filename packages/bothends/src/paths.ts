import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { findNearestName, quoteShellWord } from "@bothends/generator/diagnostics";
import { createSourceReader, isFolder, listEntries } from "@bothends/generator/disk";
import { hideSecrets, listAddressWords } from "./fetch/hide-secrets.js";
import { CommandError, type Host, UsageError } from "./host.js";

export { quoteShellWord };

/** An option that names an input file, or the command `init`, which accepts a WSDL or an index without an option. */
type InputOption = "--wsdl" | "--index" | "--config" | "init";

/** Returns the suggestion for quoted paths: an option, such as `--wsdl a.wsdl`, or a command. */
type FormatSuggestion = (words: string) => string;

/** A file that a user named: the option that accepts it, and a function that suggests other files for it. */
interface Input {
  readonly option: InputOption;
  readonly suggest: FormatSuggestion;
}

/**
 * Returns the absolute path of a file given with an option. An address, a folder or a missing file is a usage error
 * with a suggestion.
 */
export function resolveInputPath(
  text: string,
  option: InputOption,
  host: Host,
  suggest: FormatSuggestion = (words) => `${option} ${words}`,
): string {
  if (/^https?:\/\//i.test(text)) {
    const shownAddress = hideSecrets(text);
    throw new UsageError(`${option} needs a file, but "${shownAddress.slice(0, 500)}" is an address.`, {
      help: "First fetch the document with everything that it imports. Generating never uses the network.",
      suggestion: `bothends fetch ${listAddressWords(text).map(quoteShellWord).join(" ")}`,
    });
  }
  const path = resolve(host.workingFolder, text);
  const file = createSourceReader({ root: dirname(path) })(basename(path));
  // The generator reports all other problems with their positions.
  if (file.kind === "file" || (file.problem !== "missing" && file.problem !== "irregular")) {
    if (file.kind === "problem" && file.problem === "unreadable") {
      throw new CommandError(`Cannot read ${formatPath(host.workingFolder, path)}: ${file.message}.`, {
        help: "Check the permissions of the file and of its folders.",
      });
    }
    return path;
  }
  if (isFolder(path)) {
    throw createFolderError(path, { option, suggest }, host);
  }
  if (file.problem === "irregular") {
    throw new UsageError(`Cannot read ${formatPath(host.workingFolder, path)}: ${file.message}.`, {
      help: "First save the document to a file. Pipes and devices are not read.",
    });
  }
  throw createMissingFileError(path, { option, suggest }, host);
}

/** Adds the scheme to an address that has none; undefined if the text does not begin with the name of a host. */
export function completeAddress(text: string): string | undefined {
  if (/^(?:localhost|127\.0\.0\.1)(?:[:/?].*)?$/.test(text)) {
    return `http://${text}`;
  }
  return /^[\w-]+(?:\.[\w-]+)+(?:[:/?].*)?$/.test(text) ? `https://${text}` : undefined;
}

function createFolderError(path: string, { option, suggest }: Input, host: Host): UsageError {
  const displayedPath = formatPath(host.workingFolder, path);
  const start = displayedPath === "." ? "" : `${displayedPath}/`;
  const documents = listDocumentsIn(path, option).map((name) => `${start}${name}`);
  const [first] = documents;
  const need = option === "init" ? "init needs a file: a WSDL or an index." : `${option} needs a file.`;
  return new UsageError(`${displayedPath} is a folder, not a regular file. ${need}`, {
    help:
      first === undefined
        ? `The folder contains no ${getKind(option)}. Name a file. ${describeCreation(option)}`
        : `The folder contains ${documents.slice(0, 5).join(", ")}${documents.length > 5 ? ", …" : ""}.`,
    ...(first === undefined ? {} : { suggestion: suggest(quoteShellWord(first)) }),
  });
}

function createMissingFileError(path: string, { option, suggest }: Input, host: Host): UsageError {
  const displayedPath = formatPath(host.workingFolder, path);
  const folder = dirname(path);
  const message = `Cannot read ${displayedPath}: there is no such file.`;
  if (!isFolder(folder)) {
    return new UsageError(message, {
      help: `The folder ${formatPath(host.workingFolder, folder)} does not exist either.`,
    });
  }
  const names = basename(path).split(/,\s*/);
  if (option !== "--index" && option !== "--config" && names.length > 1) {
    const words = names.map((name) => quoteShellWord(formatPath(host.workingFolder, join(folder, name)))).join(" ");
    return new UsageError(message, {
      help: "Separate several files by spaces, not by commas.",
      suggestion: suggest(words),
    });
  }
  const similarName = findNearestName(basename(path), listEntries(folder));
  if (similarName !== undefined) {
    const suggestion = formatPath(host.workingFolder, join(folder, similarName));
    return new UsageError(message, {
      help: `Did you mean ${suggestion}?`,
      suggestion: suggest(quoteShellWord(suggestion)),
    });
  }
  const documents = listDocumentsIn(folder, option).slice(0, 5);
  const folderText = resolve(host.workingFolder) === folder ? "that folder" : formatPath(host.workingFolder, folder);
  return new UsageError(message, {
    help:
      documents.length === 0
        ? `Paths are relative to ${host.workingFolder}. There is no ${getKind(option)} in ${folderText}. ${describeCreation(option)}`
        : `${/[*?]/.test(displayedPath) ? "The shell does not expand a * in quotation marks. " : ""}The folder contains ${documents.join(", ")}.`,
    suggestion:
      documents.length === 1
        ? suggest(quoteShellWord(formatPath(host.workingFolder, join(folder, documents[0] ?? ""))))
        : undefined,
  });
}

/** Names the command that creates the file for an option. */
function describeCreation(option: InputOption): string {
  return option === "--config"
    ? "npx bothends init creates a configuration."
    : option === "init"
      ? "npx bothends init <address> fetches the document from the network."
      : `npx bothends fetch <address> saves ${option === "--wsdl" ? "a WSDL" : "an index"} from the network.`;
}

function getKind(option: InputOption): string {
  return option === "init" ? "WSDL and no index" : option === "--wsdl" ? "WSDL" : "JSON document";
}

/** The most files and folders that are searched for documents of `init`. */
const maxSearchedEntries = 100;

/** Lists the WSDLs and indexes in a folder and in the folders below it, as paths relative to the folder. */
function listProjectDocuments(folder: string, isTop = true): readonly string[] {
  const entries = [...listEntries(folder)].sort().slice(0, maxSearchedEntries);
  const documents = entries.filter((name) => /\.wsdl$/i.test(name) || isIndex(join(folder, name)));
  const folders = isTop
    ? entries.filter((name) => !/^\.|^node_modules$/.test(name) && isFolder(join(folder, name)))
    : [];
  return [
    ...documents,
    ...folders.flatMap((name) => listProjectDocuments(join(folder, name), false).map((path) => `${name}/${path}`)),
  ];
}

/** Whether a file is a JSON document with the members of an index. */
function isIndex(path: string): boolean {
  const file = /\.json$/i.test(path) ? createSourceReader({ root: dirname(path) })(basename(path)) : undefined;
  return file?.kind === "file" && /"(?:routes|namespaces)"\s*:/.test(new TextDecoder().decode(file.bytes));
}

function listDocumentsIn(folder: string, option: InputOption): readonly string[] {
  if (option === "init") {
    return listProjectDocuments(folder);
  }
  const pattern = option === "--wsdl" ? /\.(?:wsdl|asmx|svc|xml)$/i : /\.jsonc?$/i;
  return listEntries(folder)
    .filter((name) => pattern.test(name))
    .sort();
}

/** Formats a path relative to the working directory, with `/` as the separator. */
export function formatPath(workingFolder: string, path: string): string {
  return withSlashes(relative(workingFolder, path)) || ".";
}

/** Converts the separators of a path to `/`. */
export function withSlashes(path: string): string {
  return path.replaceAll(sep, "/");
}

/**
 * Returns a function that makes the paths of sources relative to the working directory, so that links to them work at a
 * terminal.
 */
export function createPathPrefixer(workingFolder: string, root: string | undefined): (path: string) => string {
  return (path) =>
    root === undefined || /^[(<]/.test(path) ? path : formatPath(workingFolder, join(root, ...path.split("/")));
}
