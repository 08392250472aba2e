import { posix } from "node:path";
import { IndentationText, Project, type SourceFile, SyntaxKind, ts } from "ts-morph";
import { getImportSpecifier, isJavaScript } from "../handler-files.js";
import { findSpecifierStyle } from "./code-style.js";
import { listNodesOfKind } from "./handler-types.js";
import { findImportedSource, findModule } from "./resolve-names.js";

// Loads the code of a server, and finds the places for new files.

/** Creates a project with the code of a server. Its imports are resolved as in the server's `tsconfig.json`. */
export function createServerProject(files: ReadonlyMap<string, string>): Project {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: readImportOptions(files.get("tsconfig.json")),
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  // The member `imports` of the package declares the specifiers that begin with `#`.
  project.getFileSystem().writeFileSync("/package.json", files.get("package.json") ?? "{}");
  const folder = posix.join("/", findSourceFolder([...files.keys()]), "/");
  const { outDir } = project.getCompilerOptions();
  for (const [name, text] of files) {
    const path = `/${name}`;
    const isSource = isJavaScript(path)
      ? path.startsWith(folder) && !isCompiled(name, files) && !path.startsWith(`${outDir}/`)
      : isCode(path);
    if (isSource) {
      project.createSourceFile(path, text);
    }
  }
  return project;
}

function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);
}

/** Whether a JavaScript file is beside the TypeScript file from which it was compiled. */
function isCompiled(path: string, files: ReadonlyMap<string, string>): boolean {
  return files.has(path.replace(/js(x?)$/, "ts$1"));
}

/** Reads the compiler options that determine to which files imports refer. */
function readImportOptions(configuration: string | undefined): ts.CompilerOptions {
  const { config } = ts.parseConfigFileTextToJson("/tsconfig.json", configuration ?? "{}");
  const { options } = ts.convertCompilerOptionsFromJson(config?.compilerOptions ?? {}, "/");
  const { baseUrl, outDir, paths, rootDir } = options;
  return {
    allowJs: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(outDir === undefined ? {} : { outDir }),
    ...(paths === undefined ? {} : { paths, pathsBasePath: "/" }),
    ...(rootDir === undefined ? {} : { rootDir }),
  };
}

/** Returns the folder of the server's code: `src`, or the folder to which the user moved the code. */
export function findSourceFolder(files: readonly string[]): string {
  return posix.dirname(findRoutesFile(files));
}

const defaultRoutesFile = "src/routes.ts";

/** Returns the file that combines the routes. If the user has renamed it, returns the path for such a file. */
export function findRoutesFile(files: readonly string[]): string {
  const paths = files.filter(isCode).sort((left, right) => left.length - right.length);
  const isInDefaultFolder = paths.some((path) => path.startsWith("src/"));
  const found = paths.find((path) => /(?:^|\/)routes\.[cm]?[jt]s$/.test(path));
  // Files of tools, such as `vitest.config.ts`, are often beside the folder with the code.
  const firstPath = paths.find((path) => path.includes("/")) ?? paths[0];
  if (found !== undefined && (!isInDefaultFolder || found.startsWith("src/"))) {
    return found;
  }
  return isInDefaultFolder || firstPath === undefined
    ? defaultRoutesFile
    : posix.join(posix.dirname(firstPath), "routes.ts");
}

/**
 * Returns the specifier with which a file imports another file of the server. If the file imports others in the same
 * folder by a name such as `#stock/get-quote.js`, the specifier has the same form; otherwise it is relative.
 */
export function chooseImportSpecifier(importer: SourceFile, path: string): string {
  const imports = importer.getImportDeclarations().flatMap((declaration) => {
    const source = findImportedSource(declaration)?.getFilePath().slice(1);
    return source === undefined ? [] : [{ specifier: declaration.getModuleSpecifierValue(), source }];
  });
  const isInFolder = ({ source }: { readonly source: string }) => posix.dirname(source) === posix.dirname(path);
  const example = imports.findLast(isInFolder) ?? imports.at(-1);
  const style = findSpecifierStyle([importer, ...importer.getProject().getSourceFiles()]);
  const relative = getImportSpecifier(importer.getFilePath().slice(1), path, style);
  return example === undefined || example.specifier.startsWith(".")
    ? relative
    : (formatLike(example, path) ?? relative);
}

/**
 * Returns the specifier of a file with the form of an example: `#stock/get-all.js` like `#stock/get-quote.js`.
 * Undefined if the file is outside the folder to which the form refers.
 */
function formatLike(
  example: { readonly specifier: string; readonly source: string },
  path: string,
): string | undefined {
  const [name = "", target = ""] = [example.specifier, example.source].map((text) => text.replace(/\.\w+$/, ""));
  const length = countCommonEnd(name, target);
  const [namePrefix, folder] = [name.slice(0, -length), target.slice(0, -length)];
  const [extension = ""] = /\.[cm]?[jt]sx?$/.exec(example.specifier) ?? [];
  return length > 0 && path.startsWith(folder)
    ? `${namePrefix}${path.slice(folder.length).replace(/\.\w+$/, "")}${extension}`
    : undefined;
}

/** Changes the specifiers that refer to a file, also in types and in dynamic imports, before it gets a new path. */
export function changeSpecifiers(file: SourceFile, newPath: string): void {
  const source = file.getFilePath();
  const word = posix.basename(source).replace(/\.\w+$/, "");
  for (const importer of file
    .getProject()
    .getSourceFiles()
    .filter((other) => other.getFullText().includes(word))) {
    for (const literal of listNodesOfKind(importer, SyntaxKind.StringLiteral)) {
      const specifier = literal.getLiteralText();
      if (/^#|\//.test(specifier) && findModule(importer, specifier) === file) {
        const [extension = ""] = /\.[cm]?[jt]sx?$/.exec(specifier) ?? [];
        const target = newPath.replace(/\.\w+$/, extension);
        const relative = posix.relative(importer.getDirectoryPath(), target).replace(/^(?!\.\.\/)/, "./");
        const example = { specifier, source: source.slice(1) };
        const named = specifier.startsWith(".") ? undefined : formatLike(example, newPath.slice(1));
        literal.setLiteralValue(named ?? relative);
      }
    }
  }
}

/** Returns the length of the longest common end of two texts. */
function countCommonEnd(left: string, right: string): number {
  let length = 0;
  while (length < left.length && length < right.length && left.at(-1 - length) === right.at(-1 - length)) {
    length += 1;
  }
  return length;
}
