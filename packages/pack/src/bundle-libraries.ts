import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import MagicString from "magic-string";
import { type Plugin, rolldown } from "rolldown";
import type { LazyFile, Published } from "./published.js";
import { root } from "./root.js";

/**
 * Writes each file that a package loads on first use with `require`. Node loads the 300 modules of xmlbuilder2 in 90
 * ms, but the single file in 30 ms. Returns the ids of the modules in these files.
 */
export async function bundleLibraries(
  { lazyFiles, dependencies }: Published,
  folder: string,
): Promise<readonly string[]> {
  const modules: string[] = [];
  for (const file of lazyFiles) {
    const isLibrary = !isModule(file);
    const bundle = await rolldown({
      cwd: root,
      input: { [file.name]: getEntryId(file) },
      platform: "node",
      external: [...dependencies],
      plugins: [
        ...(isLibrary
          ? [createVirtualEntry(file)]
          : [
              requireLazyFiles(lazyFiles, "module.require"),
              requireOnFirstUse([...dependencies, "node:child_process"]),
            ]),
        onlyAscii,
      ],
      resolve: { conditionNames: ["@bothends/source", "import", "default"], mainFields: ["module", "main"] },
      treeshake: { moduleSideEffects: isLibrary },
      tsconfig: false,
      checks: { bundlerTimings: false },
    });
    const { output } = await bundle.write({
      dir: folder,
      format: "cjs",
      // Minifies only libraries, so that the code of this repository is readable in stack traces.
      minify: isLibrary,
      comments: false,
      entryFileNames: "[name].cjs",
      // Writes a single file, although some of the code is loaded with `import()`.
      codeSplitting: false,
    });
    await bundle.close();
    modules.push(...output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])));
  }
  return modules;
}

/**
 * Makes code load the built files: replaces `createRequire(import.meta.url)("name")` in a module with a `require` call
 * that has the path of the file.
 */
export function requireLazyFiles(files: readonly LazyFile[], require: string): Plugin {
  const call = /createRequire\(import\.meta\.url\)\("([\w-]+)"\)/g;
  return {
    name: "require-lazy-files",
    transform: {
      filter: { code: call },
      handler(code) {
        const editedCode = new MagicString(code).replaceAll(call, (text, name) =>
          files.some((file) => file.name === name) ? `${require}("./${name}.cjs")` : text,
        );
        return { code: editedCode.toString(), map: editedCode.generateMap({ hires: "boundary" }) };
      },
    },
  };
}

/** Makes modules load on first use, although the bundled code imports them at startup. */
function requireOnFirstUse(modules: readonly string[]): Plugin {
  return {
    name: "require-on-first-use",
    renderChunk(code) {
      const editedCode = new MagicString(code);
      for (const name of modules) {
        const declarations = [
          ...code.matchAll(new RegExp(`^\\t*(?:let|const) (\\w+) = require\\("${name}"\\);$`, "gm")),
        ];
        if (declarations.length === 0) {
          throw new Error(`The bundle has no statement \`let … = require("${name}");\` to replace.`);
        }
        for (const declaration of declarations) {
          const [statement, constant] = declaration;
          const lazy = `const ${constant} = new Proxy({}, { get: (_, key) => require("${name}")[key] });`;
          editedCode.update(declaration.index, declaration.index + statement.length, lazy);
        }
      }
      return { code: editedCode.toString(), map: editedCode.generateMap({ hires: "boundary" }) };
    },
  };
}

/**
 * Escapes all non-ASCII characters, because V8 decodes ASCII faster, and keeps one byte for a character. They occur
 * only in strings, templates and regular expressions, where JavaScript allows escapes. Templates of `String.raw` keep
 * the escapes: those of the pages are scripts, in which the characters are in strings, too.
 */
export const onlyAscii: Plugin = {
  name: "only-ascii",
  generateBundle(_options, bundle) {
    const escapeUnit = (codeUnit: string): string => `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === "chunk") {
        chunk.code = chunk.code.replaceAll(/[^\0-\x7f]/g, escapeUnit);
      }
    }
  },
};

function isModule({ content }: LazyFile): boolean {
  return content !== "templates" && "module" in content;
}

/** Returns the id of a file's entry module, in the package that depends on the library. */
function getEntryId({ name, packageFolder, content }: LazyFile): string {
  if (content !== "templates" && "module" in content) {
    return join(root, "packages", packageFolder, "src", content.module);
  }
  return join(root, "packages", packageFolder, `${name}.virtual.${content === "templates" ? "js" : "cjs"}`);
}

function createVirtualEntry(file: LazyFile): Plugin {
  const id = getEntryId(file);
  return {
    name: "virtual-entry",
    resolveId: (source) => (source === id ? id : null),
    load: (source) => (source === id ? getCode(file) : null),
  };
}

function getCode({ content, packageFolder }: LazyFile): string {
  return content === "templates"
    ? compileTemplates(packageFolder)
    : `module.exports = require(${JSON.stringify("library" in content ? content.library : content.module)});`;
}

/**
 * Returns the code of a module with the compiled files of `templates/`. The module needs only the Handlebars runtime.
 * The compiler options must match those in the generator's `render`.
 */
function compileTemplates(from: string): string {
  const folder = join(root, "templates");
  const handlebars = createRequire(join(root, "packages", from, "package.json"))("handlebars");
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".hbs"))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      const compiledTemplate = handlebars.precompile(text, { noEscape: true, strict: true, knownHelpersOnly: true });
      return `[${JSON.stringify(file.replaceAll("\\", "/"))}, Handlebars.template(${compiledTemplate})]`;
    });
  return `import Handlebars from "handlebars/runtime.js";\nexport const templates = new Map([${entries.join(",\n")}]);\n`;
}
