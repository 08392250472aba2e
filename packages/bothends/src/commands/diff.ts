import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Allowance,
  type AllowEntry,
  type Change,
  type ContractDiff,
  diffContracts,
  formatChangesAsMarkdown,
  formatChangesAsText,
  joinDirections,
  judgeChanges,
  type Level,
  levels,
  readAllowList,
  type Side,
  type UnusedEntry,
} from "@bothends/diff";
import { readContract, sourceLimits } from "@bothends/generator";
import { createSourceReader } from "@bothends/generator/disk";
import { type Base, findCommit, readBase, readDefaultBase } from "../base.js";
import { hideSecrets } from "../fetch/hide-secrets.js";
import { type Host, hasColor, UsageError } from "../host.js";
import { createPathPrefixer, formatPath, quoteShellWord } from "../paths.js";
import { type DiffOptions, type ProjectOptions, readLimits, readProject } from "../project.js";
import { formatCount, type Outcome } from "../report/outcome.js";

/**
 * `bothends diff`: compares the sources with an earlier version. The exit code is 1 if a change is worse than the
 * allowed level, and 2 if nothing was compared.
 */
export function runDiff(options: DiffOptions, host: Host): Outcome {
  const allowance = readAllowance(options.allow ?? [], host);
  const { format: _, newName: __, ...projectOptions } = options;
  const project = readProject(withOutput(projectOptions), host);
  const { config, inputRoot, outputRoot } = project;
  if (config === undefined) {
    return { exit: 2, diagnostics: project.diagnostics.all, root: inputRoot, result: "nothing compared" };
  }
  const limits = { ...sourceLimits, ...config.limits, ...readLimits(options.limit ?? []) };
  const readFile = createSourceReader({ root: inputRoot, fileBytes: limits.fileBytes });
  const rootFolder = formatPath(host.workingFolder, inputRoot);
  const result = readContract({ readFile, config, limits, rootFolder });
  const diagnostics = [...project.diagnostics.all, ...result.diagnostics];
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return { exit: 2, diagnostics, root: inputRoot, result: "nothing compared" };
  }
  const { workingFolder } = host;
  const configPath = project.configFile?.path;
  const baseProject = { config, limits, inputRoot, outputRoot, configPath, workingFolder };
  const base =
    options.base === undefined
      ? readDefaultBase(baseProject, findCommit(inputRoot, "HEAD"))
      : readBase(options.base, baseProject);
  if (base === undefined) {
    throw new UsageError(
      "There is no earlier version to compare with: no commit contains these sources, and no earlier run with this version of bothends saved its contract.",
      {
        help: "Name the old schemas with --base: a git revision, a folder, or a file.",
        suggestion: "--base <revision | folder | file>",
      },
    );
  }
  const currentSide: Side = {
    name: options.newName ?? "the working folder",
    contract: result.contract,
    plan: result.plan,
  };
  return createOutcome(base, currentSide, { allowance, options, host, inputRoot });
}

/** Converts the two arguments of `diff`, which name the old and the new version, to options. */
export function readVersions(
  [old, current]: readonly [old: string | undefined, current: string | undefined],
  options: DiffOptions,
  { workingFolder }: Host,
): DiffOptions {
  if (old === undefined) {
    return options;
  }
  if (options.base !== undefined) {
    throw new UsageError(
      `The old version is named twice: "${old.slice(0, 200)}" and --base ${options.base.slice(0, 200)}.`,
      {
        help: "Remove one of the two.",
      },
    );
  }
  const address = [old, current ?? ""].find((version) => /^https?:/i.test(version));
  if (address !== undefined) {
    const shownAddress = hideSecrets(address);
    throw new UsageError(`"${shownAddress.slice(0, 200)}" is an address. diff does not use the network.`, {
      help: "npx bothends fetch shows the changes since the saved files before it writes.",
      suggestion: `bothends fetch ${quoteShellWord(shownAddress)}`,
    });
  }
  if (current === undefined) {
    return { ...options, base: old };
  }
  const conflict = (["wsdl", "index", "config"] as const).find((name) => options[name] !== undefined);
  if (conflict !== undefined) {
    throw new UsageError(`The new version is named twice: "${current.slice(0, 200)}" and --${conflict}.`, {
      help: "Remove one of the two.",
    });
  }
  const path = resolve(workingFolder, current);
  if (!existsSync(path)) {
    throw new UsageError(`There is no file or folder "${current.slice(0, 200)}".`, {
      help: "The new version is a WSDL, an index, or the folder of a project. To compare with another revision, check it out.",
    });
  }
  if (isProject(path)) {
    return { ...options, base: old, newName: current, config: join(current, configName) };
  }
  const document = findDocument(current, workingFolder);
  const newVersion = {
    ...options,
    base: isProject(resolve(workingFolder, old)) ? old : findDocument(old, workingFolder),
    newName: document,
  };
  return /\.json$/i.test(document) ? { ...newVersion, index: document } : { ...newVersion, wsdl: [document] };
}

const configName = "bothends.json";

function isProject(path: string): boolean {
  return existsSync(join(path, configName));
}

/** Returns the only WSDL or index in a folder without a configuration. Returns any other version unchanged. */
function findDocument(version: string, workingFolder: string): string {
  const path = resolve(workingFolder, version);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return version;
  }
  const files = readdirSync(path).sort();
  const wsdls = files.filter((file) => /\.wsdl$/i.test(file));
  const documents = wsdls.length > 0 ? wsdls : files.filter((file) => /\.json$/i.test(file));
  const [document, ...otherDocuments] = documents;
  if (document === undefined || otherDocuments.length > 0) {
    const content = document === undefined ? "a WSDL or an index" : `only one WSDL or index (${documents.join(", ")})`;
    throw new UsageError(
      `The folder ${formatPath(workingFolder, path)} contains neither ${configName} nor ${content}.`,
      {
        help: `Name a WSDL or an index of each version, or a folder with ${configName}.`,
      },
    );
  }
  return join(version, document);
}

/** Adds the option `--out` if it is absent, because `readProject` requires it; `diff` writes nothing to that folder. */
function withOutput(options: ProjectOptions): ProjectOptions {
  const hasFlags = options.wsdl !== undefined || options.index !== undefined;
  return hasFlags && options.out === undefined ? { ...options, out: "generated" } : options;
}

interface Reporting {
  readonly allowance: Allowance;
  readonly options: DiffOptions;
  readonly host: Host;
  readonly inputRoot: string;
}

function createOutcome(base: Base, currentSide: Side, { allowance, options, host, inputRoot }: Reporting): Outcome {
  const { onlyInterfaces } = base;
  const comparedSide =
    onlyInterfaces === undefined
      ? currentSide
      : {
          ...currentSide,
          contract: { interfaces: currentSide.contract.interfaces.filter(({ name }) => onlyInterfaces.includes(name)) },
        };
  const diff = withOldPaths(diffContracts(base.side, comparedSide), base);
  const judgement = judgeChanges(diff, allowance);
  const formatPath = createPathPrefixer(host.workingFolder, inputRoot);
  const isMarkdown = options.format === "markdown";
  const textOptions = { color: hasColor(host, host.out) && !isMarkdown, verbose: options.verbose ?? false, formatPath };
  const { refusedChanges, reasons, unusedEntries } = judgement;
  const notes = [...(base.note === undefined ? [] : [base.note]), ...unusedEntries.map(describeUnusedEntry)];
  return {
    exit: refusedChanges.length > 0 ? 1 : 0,
    body: isMarkdown
      ? formatChangesAsMarkdown(diff, judgement, textOptions)
      : formatChangesAsText(diff, judgement, textOptions),
    result: isMarkdown
      ? undefined
      : `${formatCount(joinDirections(diff.changes, reasons).length, "change")}, ${joinDirections(refusedChanges).length} worse than --allow ${allowance.level}`,
    contractChanges: { diff, judgement },
    notes,
    root: inputRoot,
  };
}

function describeUnusedEntry({ fingerprint, reason, renewedChanges }: UnusedEntry): string {
  const start = `The allow list accepts a change with the fingerprint ${fingerprint} ("${reason}"), but`;
  if (renewedChanges.length === 0) {
    return `${start} there is no such change. Remove the entry.`;
  }
  const renewedTexts = renewedChanges.map((change) => `${change.fingerprint} (${change.message.replace(/\.$/, "")})`);
  return `${start} the values or consequences of this change are different now. Check the change again, and if the reason still applies, change the fingerprint to ${renewedTexts.join(" or ")}.`;
}

/** Replaces the path in each change's old position with the path of the corresponding file in the base. */
function withOldPaths(diff: ContractDiff, { getOldPath }: Base): ContractDiff {
  if (getOldPath === undefined) {
    return diff;
  }
  const withOldPath = (change: Change): Change =>
    change.oldPosition === undefined
      ? change
      : { ...change, oldPosition: { ...change.oldPosition, path: getOldPath(change.oldPosition.path) } };
  return { ...diff, changes: diff.changes.map(withOldPath) };
}

const levelNames: readonly string[] = levels;

/** Reads the values of the option `--allow`: a level, and the names of files that contain allow lists. */
function readAllowance(values: readonly string[], host: Host): Allowance {
  const levelValues = values.filter((value) => levelNames.includes(value));
  const level = levels.find((level) => level === levelValues.at(-1));
  return {
    level: level ?? defaultLevel,
    allowList: values.filter((value) => !levelNames.includes(value)).flatMap((value) => readList(value, host)),
  };
}

const defaultLevel: Level = "tolerated";

function readList(file: string, { workingFolder }: Host): readonly AllowEntry[] {
  let text: string;
  try {
    text = readFileSync(resolve(workingFolder, file), "utf8");
  } catch {
    throw new UsageError(`--allow ${file.slice(0, 200)} is neither a level nor a file that can be read.`, {
      help: `Name a level (${levels.join(", ")}), or a file that lists the fingerprints of accepted changes.`,
    });
  }
  const allowList = readAllowList({ path: file, text });
  if (allowList.kind === "problem") {
    const { message, help } = allowList;
    throw new UsageError(message, { help });
  }
  return allowList.entries;
}
