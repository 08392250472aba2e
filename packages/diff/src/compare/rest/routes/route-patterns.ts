import { PatternError } from "@bothends/datatypes/pattern";
import {
  type Arg,
  compileRoute,
  compileRoutePattern,
  createValueReader,
  type Endpoint,
  findPath,
  type JsonType,
  type RestInterface,
  type Route,
} from "@bothends/generator";
import { findWorstLevel, type Level } from "../../../rules/rule.js";
import type { Difference } from "../../difference.js";
import {
  type Endpoints,
  getArgumentDefinition,
  type JsonMembers,
  listVariables,
  type PathVariable,
} from "../json-values.js";
import { collectSamples, listValues } from "../sample-values.js";
import { getTypes } from "../schema-texts.js";
import { matchVariableNames } from "./path-shapes.js";

// Determines which paths that clients of one version send do not match the route of the other version.

/** How a changed route affects clients of both versions, and paths that only one of the versions matches. */
type PathComparison = Pick<Difference, "levels" | "samplePaths" | "isUndecided">;

/** Compares the paths of a route in both versions, for all its endpoints. */
export function comparePaths(
  [oldInterface, newInterface]: readonly [RestInterface, RestInterface],
  matchedEndpoints: readonly Endpoints[],
): PathComparison {
  try {
    const comparisons = matchedEndpoints.map(({ before, after }) => {
      const versions = [readVersion(oldInterface, before), readVersion(newInterface, after)] as const;
      const [newNames, oldNames] = [
        matchVariableNames({ before, after }),
        matchVariableNames({ before: after, after: before }),
      ];
      return [
        compareDirection(versions[0], versions[1], newNames),
        compareDirection(versions[1], versions[0], oldNames),
      ] as const;
    });
    const [before, after] = ([0, 1] as const).map((side) => joinLevels(comparisons.map((each) => each[side])));
    return before === undefined || after === undefined
      ? undecided
      : {
          levels: [before.level, after.level],
          samplePaths: {
            before: before.refused && encodeURI(before.refused),
            after: after.refused && encodeURI(after.refused),
          },
        };
  } catch (error) {
    if (error instanceof PatternError) {
      return undecided;
    }
    throw error;
  }
}

/** The result for patterns that cannot be compared: some paths of either version may not match. */
const undecided = { levels: ["some", "some"], isUndecided: true } as const;

/** The effect on the clients of one version, and a path that they send and the other version refuses. */
interface PathLevel {
  readonly level: Level;
  readonly refused?: string | undefined;
}

/** Joins the effects on the calls of several endpoints. */
function joinLevels(pathLevels: readonly (PathLevel | undefined)[]): PathLevel | undefined {
  const known = pathLevels.filter((each) => each !== undefined);
  const [first] = known;
  if (first === undefined || known.length < pathLevels.length) {
    return undefined;
  }
  const isSame = known.every(({ level }) => level === first.level);
  const worstLevel = findWorstLevel(known.map(({ level }) => level));
  return {
    level: isSame ? first.level : worstLevel === "breaks" ? "some" : worstLevel,
    refused: known.find(({ refused }) => refused !== undefined)?.refused,
  };
}

/** A route in one version, and the paths that clients of this version send. */
export interface PathVersion {
  readonly route: string;
  readonly compiledRoute: Route;
  readonly path: Endpoint["path"];
  /** Regular expressions that together match at least all paths that clients write. */
  readonly written: readonly string[];
  readonly variables: readonly ReadVariable[];
}

interface ReadVariable {
  readonly name: string;
  readonly pattern: string;
  readonly definition: JsonMembers;
}

export function readVersion({ document }: RestInterface, endpoint: Endpoint): PathVersion {
  const { route, path, args } = endpoint;
  const getDefinition = (name: string) => {
    const definition = getArgumentDefinition(document, endpoint, name);
    const type = args.find((arg) => arg.inPath && arg.name === name)?.type.kind;
    return getTypes(definition).length > 0 || type === undefined ? definition : { ...definition, type };
  };
  const variables = listVariables(path).map(({ variable, pattern }) => ({
    name: variable,
    pattern,
    definition: getDefinition(variable),
  }));
  const written = formatWritten(path, args, variables);
  return { route, compiledRoute: compileRoute(route), path, written, variables };
}

/**
 * Returns regular expressions that together match at least all paths that clients write with values that fit the
 * patterns: one for the patterns or listed values, one for the bounds of values, and one for their slashes.
 */
function formatWritten(path: Endpoint["path"], args: readonly Arg[], variables: readonly ReadVariable[]) {
  const formatTypes = ({ variable, pattern }: PathVariable) =>
    formatValues(pattern, args.find((arg) => arg.inPath && arg.name === variable)?.type);
  const formatBounds = ({ variable }: PathVariable) =>
    formatBoundedValues(variables.find(({ name }) => name === variable)?.definition ?? {});
  // A value does not end in a slash. It does not begin with a slash after another slash.
  const formatSlashes = (_: PathVariable, textBefore: string) =>
    textBefore.endsWith("/") ? `[^/](?:${anyText}*[^/])?` : `${anyText}*[^/]`;
  return [formatTypes, formatBounds, formatSlashes].map((format) => formatPaths(path, format));
}

/** Returns a regular expression for the paths that consist of the pieces of a path. */
function formatPaths(path: Endpoint["path"], format: (piece: PathVariable, textBefore: string) => string): string {
  return path.reduce((text: string, piece): string => {
    if (typeof piece === "string") {
      return text + escapeText(piece);
    }
    if ("filler" in piece) {
      return text + escapeText(piece.filler);
    }
    return "optional" in piece
      ? `${text}(?:${formatPaths(piece.optional, format)})?`
      : `${text}(?:${format(piece, text)})`;
  }, "");
}

function escapeText(text: string): string {
  return text.replace(/[^\w/]/gu, (character) => (character > "\x7f" ? character : `\\${character}`));
}

const anyText = "[\\s\\S]";
const integer = "(?:0|-?[1-9][0-9]*)";

/** Returns a regular expression for the texts that clients write for a variable with a type. */
function formatValues(pattern: string, type: JsonType | undefined): string {
  switch (type?.kind) {
    case "integer":
      return integer;
    case "number":
      return `${integer}(?:\\.[0-9]+)?`;
    case "enumeration":
      return type.values.map((value) => escapeText(String(value))).join("|");
    case "union":
      return type.members.map((member) => formatValues(pattern, member)).join("|");
    default:
      return pattern;
  }
}

/** The largest length of a text, and the largest number of integers, for which the bounds of a variable are matched. */
const maxBoundedSize = 100;

/** Returns a regular expression for the texts that the bounds of a schema allow. */
function formatBoundedValues(schema: JsonMembers): string {
  const getBound = (keyword: string, otherwise: number) => {
    const value = schema[keyword];
    return typeof value === "number" ? value : otherwise;
  };
  const types = getTypes(schema).join();
  const [least, greatest] = [Math.ceil(getBound("minimum", -Infinity)), Math.floor(getBound("maximum", Infinity))];
  if (types === "integer" && greatest >= least && greatest - least < maxBoundedSize) {
    return Array.from({ length: greatest - least + 1 }, (_, index) => least + index).join("|");
  }
  if (types === "integer" && least > 0) {
    return `[0-9]{${String(least).length},}`;
  }
  const [shortest, longest] = [Math.max(1, getBound("minLength", 1)), getBound("maxLength", Infinity)];
  const isMatched =
    types === "string" && Number.isInteger(shortest) && shortest < maxBoundedSize && longest >= shortest;
  return isMatched
    ? `${anyText}{${shortest},${Number.isInteger(longest) && longest < maxBoundedSize ? longest : ""}}`
    : `${anyText}+`;
}

/**
 * Returns the effect on clients of the version `writer`; undefined if it cannot be determined. `names` maps the
 * variables of the writer to those of the reader.
 */
function compareDirection(writer: PathVersion, reader: PathVersion, names: VariableNames): PathLevel | undefined {
  const sent = [writer.route, ...writer.written];
  const refused = findPath({ matching: sent, notMatching: reader.route });
  const accepted = findPath({ matching: [...sent, reader.route] });
  if (refused.kind === "unknown" || accepted.kind === "unknown") {
    return undefined;
  }
  const samples = listSamplePaths(writer);
  if (refused.kind === "none") {
    return { level: samples.every((path) => hasSameVariables(path, [writer, reader], names)) ? "none" : "some" };
  }
  const isMatched = (path: string) => matchRoute(reader.compiledRoute, path) !== undefined;
  const refusedPath = [refused.text, ...samples.filter((path) => !isMatched(path))].find((path) =>
    isAccepted(path, writer),
  );
  if (refusedPath === undefined) {
    return undefined;
  }
  if (accepted.kind === "none") {
    return { level: "breaks", refused: refusedPath };
  }
  const acceptedPath = [accepted.text, ...samples].find((path) =>
    [writer, reader].every((version) => isAccepted(path, version)),
  );
  return acceptedPath === undefined ? undefined : { level: "some", refused: refusedPath };
}

export function matchRoute({ start, match }: Route, path: string): ReadonlyMap<string, string> | undefined {
  return path.slice(0, start.length).toLowerCase() === start ? match(path.slice(start.length)) : undefined;
}

/** Reads the variables of a path as servers do; undefined if the path does not match the route. */
function readValues(path: string, { compiledRoute, variables }: PathVersion) {
  const values = matchRoute(compiledRoute, path);
  return (
    values &&
    variables.map(({ name, definition }) => {
      const text = values.get(name) ?? "";
      return { name, text, isValid: text === "" || !("problem" in createValueReader(name, definition)(text)) };
    })
  );
}

/** Whether servers of a version accept a path. */
export function isAccepted(path: string, version: PathVersion): boolean {
  return readValues(path, version)?.every(({ isValid }) => isValid) === true;
}

type VariableNames = ReadonlyMap<string, string>;

/** Whether the routes of both versions read the same values from a path, for variables with the same position. */
function hasSameVariables(path: string, versions: readonly [PathVersion, PathVersion], names: VariableNames): boolean {
  const [wanted, read] = versions.map(
    (version) => new Map(readValues(path, version)?.map(({ name, text }) => [name, text])),
  );
  const isSame = [...(wanted ?? [])].every(([name, text]) => text === (read?.get(names.get(name) ?? "") ?? ""));
  const otherNames = [...(read?.keys() ?? [])].filter((name) => ![...names.values()].includes(name));
  return isSame && otherNames.every((name) => read?.get(name) === "");
}

/** Texts that show how a path is divided among its variables, and typical values. */
const commonTexts = [
  "a",
  "0",
  "1",
  "7",
  "12",
  "123",
  "1234",
  "ab",
  "abc",
  "a-b",
  "a-0",
  "0-a",
  "a.b",
  "a/b",
  "a_b",
  "A",
];
const maxTextsOfVariable = 12;
const maxPaths = 300;

/** Lists paths that clients of a version send. */
export function listSamplePaths(version: PathVersion): readonly string[] {
  const textsByName = new Map(
    version.variables.map((variable) => [variable.name, listTexts(variable).slice(0, maxTextsOfVariable)]),
  );
  const paths = writePaths(version.path, textsByName).slice(0, maxPaths);
  const written = version.written.map((route) => compileRoute(route));
  return paths.filter((path) => isAccepted(path, version) && written.every((route) => matchRoute(route, path)));
}

function listTexts({ name, pattern, definition }: ReadVariable): readonly string[] {
  const compiledPattern = compileRoutePattern(pattern);
  const read = createValueReader(name, definition);
  const values = listValues(definition, collectSamples([definition])) ?? [];
  const texts = values.flatMap((value) => (typeof value === "string" || typeof value === "number" ? [`${value}`] : []));
  const shortest = findPath({ matching: [`/(?:${pattern})`, `/(?:${formatBoundedValues(definition)})`] });
  const others = getTypes(definition).includes("string") ? commonTexts : [];
  const candidates = [...(shortest.kind === "found" ? [shortest.text.slice(1)] : []), ...texts, ...others];
  return [...new Set(candidates)].filter(
    (text) => text !== "" && compiledPattern.test(text) && !("problem" in read(text)),
  );
}

/** Writes paths with the given values of each variable, with and without each optional part. */
function writePaths(path: Endpoint["path"], textsByName: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return path.reduce(
    (paths: readonly string[], piece): readonly string[] => {
      const endings =
        typeof piece === "string"
          ? [piece]
          : "filler" in piece
            ? [piece.filler]
            : "optional" in piece
              ? ["", ...writePaths(piece.optional, textsByName)]
              : (textsByName.get(piece.variable) ?? []);
      return paths.flatMap((start) => endings.map((ending) => start + ending));
    },
    [""],
  );
}
