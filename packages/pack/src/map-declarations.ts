import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import { root } from "./root.js";

/**
 * Writes a map beside each bundled declaration file in `folder`, and the sources beside `folder`, so that editors open
 * the source of a declaration. The bundler reprints declarations, so it has no exact map. Their lines are therefore
 * compared with the lines of the modules, which the compiler wrote and mapped. `modules` contains the modules of each
 * file.
 */
export function mapDeclarations(folder: string, modules: ReadonlyMap<string, readonly string[]>): void {
  const sources = new Set<string>();
  const files = [...modules.keys()].filter((name) => name.endsWith(".d.ts"));
  for (const name of files) {
    const file = join(folder, name);
    // Removes a comment that the bundler keeps at the end of some modules.
    const text = readFileSync(file, "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/gm, "");
    const map = createMap(text.split("\n"), modules.get(name) ?? []);
    const publishedPaths = map.sources.map((source) => getPublishedPath(folder, source));
    if (map.sources.length === 0) {
      continue;
    }
    writeFileSync(file, `${text.trimEnd()}\n//# sourceMappingURL=${basename(file)}.map\n`);
    // The member `file` is necessary: the compiler ignores a map without it.
    const content = {
      version: 3,
      file: basename(file),
      sources: publishedPaths.map((path) => relative(dirname(file), path).split(sep).join("/")),
      names: [],
      mappings: encode(map.lines),
    };
    writeFileSync(`${file}.map`, JSON.stringify(content));
    for (const source of map.sources) {
      sources.add(source);
    }
  }
  for (const source of sources) {
    cpSync(source, getPublishedPath(folder, source));
  }
}

/**
 * Returns the path of a source in the published package: `packages/xml/src/clark-names.ts` becomes
 * `src/xml/clark-names.ts`, beside the folder `dist`.
 */
function getPublishedPath(folder: string, source: string): string {
  const [name = "", , ...rest] = relative(join(root, "packages"), source).split(sep);
  return join(folder, "..", "src", name, ...rest);
}

interface DeclarationMap {
  /** The absolute paths of the sources. */
  readonly sources: readonly string[];
  readonly lines: SourceMapSegment[][];
}

/** A line of the compiler's declarations, with its segments and the absolute paths of their sources. */
interface CompiledLine {
  readonly text: string;
  readonly key: string;
  readonly segments: readonly SourceMapSegment[];
  readonly sources: readonly string[];
}

function createMap(lines: readonly string[], modules: readonly string[]): DeclarationMap {
  const compiledLines = modules.flatMap(readModule);
  const sources: string[] = [];
  let nextLine = 0;
  const segments = lines.map((line) => {
    const key = getKey(line);
    const lineIndex = findLine(compiledLines, key, nextLine);
    const target = compiledLines[lineIndex];
    if (target === undefined) {
      return [];
    }
    nextLine = lineIndex + 1;
    return moveSegments(line, target, sources);
  });
  return { sources, lines: segments };
}

/**
 * Finds the compiled line with a key. A declaration is searched for from `nextLine`, then from the beginning; a member
 * only from `nextLine` to the next declaration.
 */
function findLine(compiledLines: readonly CompiledLine[], key: string, nextLine: number): number {
  if (key.startsWith(declaration)) {
    const laterIndex = compiledLines.findIndex((line, index) => index >= nextLine && line.key === key);
    return laterIndex < 0 ? compiledLines.findIndex((line) => line.key === key) : laterIndex;
  }
  const end = compiledLines.findIndex((line, index) => index >= nextLine && line.key.startsWith(declaration));
  return key === ""
    ? -1
    : compiledLines.findIndex((line, index) => index >= nextLine && (end < 0 || index < end) && line.key === key);
}

function readModule(file: string): readonly CompiledLine[] {
  if (!existsSync(`${file}.map`)) {
    return [];
  }
  const { sources, mappings } = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  const segments = decode(mappings);
  const paths: readonly string[] = sources.map((source: string) => resolve(dirname(file), source));
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.map((text, index) => ({ text, key: getKey(text), segments: segments[index] ?? [], sources: paths }));
}

/** Moves the segments of a compiled line to the columns of the same line in the bundle. Adds new paths to `sources`. */
function moveSegments(line: string, compiledLine: CompiledLine, sources: string[]): SourceMapSegment[] {
  const shift = findWordStart(line) - findWordStart(compiledLine.text);
  return compiledLine.segments.flatMap(([column, source, sourceLine, sourceColumn]): SourceMapSegment[] => {
    const path = source === undefined ? undefined : compiledLine.sources[source];
    if (path === undefined || column + shift < 0 || sourceLine === undefined || sourceColumn === undefined) {
      return [];
    }
    if (!sources.includes(path)) {
      sources.push(path);
    }
    return [[column + shift, sources.indexOf(path), sourceLine, sourceColumn]];
  });
}

const declaration = "declaration ";
const declaredName =
  /^\s*(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|function|namespace|enum) (\w+)/d;

/**
 * Returns a key for a line that does not change in bundling: the name of a declaration; otherwise the text without
 * white space and without the bundler's numbers.
 */
function getKey(line: string): string {
  const name = declaredName.exec(line)?.[1];
  return name === undefined ? line.replaceAll(/\s+|\$\d+|[;,]$/g, "") : `${declaration}${name.replace(/\$\d+$/, "")}`;
}

/** Returns the column of the name that a line declares; if it declares none, the column of its first word. */
function findWordStart(line: string): number {
  return declaredName.exec(line)?.indices?.[1]?.[0] ?? line.search(/\S|$/);
}
