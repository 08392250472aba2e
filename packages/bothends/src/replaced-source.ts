import { basename, dirname, join, posix, relative, resolve } from "node:path";
import { type Config, type InterfaceConfig, type ReadFile, readContract, type SourceLimits } from "@bothends/generator";
import { createSourceReader } from "@bothends/generator/disk";
import { UsageError } from "./host.js";
import { formatPath, quoteShellWord, withSlashes } from "./paths.js";

// Reads an interface with an old version of one of its documents, which the user names with `--base`.

/** The current sources of a project. */
export interface CurrentSources {
  readonly config: Config;
  readonly limits: SourceLimits;
  /** The folder of the sources. */
  readonly inputRoot: string;
  readonly workingFolder: string;
}

/** An interface, and the document of it that has an old version. */
interface ReplacedInterface {
  readonly interface: InterfaceConfig;
  /** The configured path of the document that replaced the old file. */
  readonly path: string;
}

/**
 * Finds the interface to which an old file belongs: the only interface with a document of that name, otherwise the only
 * interface of that kind.
 */
export function findReplacedInterface(
  path: string,
  interfaces: readonly InterfaceConfig[],
): ReplacedInterface | undefined {
  const file = basename(path);
  const candidates = interfaces.filter(({ kind }) => (kind === "rest") === path.endsWith(".json"));
  const hasFileName = (config: InterfaceConfig) =>
    (config.kind === "rest" ? [config.index] : config.wsdl).some((source) => basename(source.path) === file);
  const interfacesWithFile = candidates.filter(hasFileName);
  const [match] = interfacesWithFile.length === 1 ? interfacesWithFile : candidates.length === 1 ? candidates : [];
  if (match === undefined) {
    return undefined;
  }
  if (match.kind === "rest") {
    return { interface: match, path: match.index.path };
  }
  const [firstWsdl, ...otherWsdls] = match.wsdl;
  const source =
    match.wsdl.find((source) => basename(source.path) === file) ?? (otherWsdls.length === 0 ? firstWsdl : undefined);
  return source === undefined ? undefined : { interface: match, path: source.path };
}

/**
 * Creates a function that reads the sources of an interface with one of them replaced by an old version. The other
 * WSDLs of the interface, and documents that only these WSDLs import, are read in their current version, unless there
 * is a copy beside the old file. Also returns a function that converts the path of a source to that of the file that
 * was read.
 */
export function createOldReader(
  path: string,
  replacedSource: ReplacedInterface,
  project: CurrentSources,
): { readonly readOld: ReadFile; readonly getOldPath: (sourcePath: string) => string } {
  // The old file is read under its current path, because names in generated code depend on paths.
  const getPathInFolder = (sourcePath: string) =>
    sourcePath === replacedSource.path
      ? basename(path)
      : posix.relative(posix.dirname(replacedSource.path), sourcePath);
  const root = findOldRoot(path, replacedSource.path, project);
  const readFile = createReaderIn(root, project);
  const folder = withSlashes(relative(root, dirname(path)));
  const readBeside: ReadFile = (sourcePath) => readFile(posix.join(folder, getPathInFolder(sourcePath)));
  const mustBeOld = findOldDocuments(replacedSource, readBeside, project);
  const readCurrent = createReaderIn(project.inputRoot, project);
  const currentPaths = new Set<string>();
  const getOldPath = (sourcePath: string) =>
    currentPaths.has(sourcePath)
      ? sourcePath
      : withSlashes(relative(project.inputRoot, join(dirname(path), getPathInFolder(sourcePath))));
  const readOld: ReadFile = (sourcePath) => {
    const oldFile = readBeside(sourcePath);
    if (oldFile.kind === "file") {
      return oldFile;
    }
    if (!mustBeOld(sourcePath)) {
      currentPaths.add(sourcePath);
      return readCurrent(sourcePath);
    }
    if (oldFile.problem === "outside") {
      throw createOutsideError(sourcePath, resolve(dirname(path), getPathInFolder(sourcePath)), project);
    }
    return oldFile.problem === "missing"
      ? { kind: "problem", problem: "unreadable", message: `its old version ${getOldPath(sourcePath)} does not exist` }
      : oldFile;
  };
  return { readOld, getOldPath };
}

/**
 * Returns the folder that contains the documents that an old file imports: the folder of all sources if it contains the
 * old file, too, or the old version of that folder, if the old file has the same path there.
 */
function findOldRoot(path: string, currentPath: string, { inputRoot }: CurrentSources): string {
  const file = withSlashes(path);
  if (file.endsWith(`/${currentPath}`)) {
    return path.slice(0, -currentPath.length);
  }
  return withSlashes(relative(inputRoot, path)).startsWith("../") ? dirname(path) : inputRoot;
}

/** Creates the error about an old document outside the folder from which old documents are read. */
function createOutsideError(sourcePath: string, oldPath: string, { inputRoot, workingFolder }: CurrentSources) {
  let root = inputRoot;
  while (withSlashes(relative(root, oldPath)).startsWith("../")) {
    root = dirname(root);
  }
  return new UsageError(
    `The old version of ${formatPath(workingFolder, join(inputRoot, sourcePath))} is ${formatPath(workingFolder, oldPath)}, which is outside the folder of the sources.`,
    { help: `Nothing was compared. Add --root ${quoteShellWord(formatPath(workingFolder, root))} to read it.` },
  );
}

/**
 * Returns a function that decides whether a document must be read in its old version: a WSDL with an old version, or
 * any document that such a WSDL imports.
 */
function findOldDocuments(
  { interface: replacedInterface, path }: ReplacedInterface,
  readFile: ReadFile,
  { config, limits }: CurrentSources,
): (path: string) => boolean {
  if (replacedInterface.kind === "rest") {
    return () => true;
  }
  const wsdl = replacedInterface.wsdl.filter((source) => source.path === path || readFile(source.path).kind === "file");
  const oldPaths = new Set<string>();
  const readAndRecord: ReadFile = (sourcePath) => {
    oldPaths.add(sourcePath);
    return readFile(sourcePath);
  };
  readContract({
    readFile: readAndRecord,
    config: { ...config, interfaces: [{ ...replacedInterface, wsdl }] },
    limits,
  });
  return (candidate) => oldPaths.has(candidate);
}

/** Creates a function that reads sources below a folder, each up to the limit `fileBytes`. */
export function createReaderIn(root: string, { limits }: Pick<CurrentSources, "limits">): ReadFile {
  return createSourceReader({ root, fileBytes: limits.fileBytes });
}
