import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import type { LazyFile, Published } from "./published.js";
import { root } from "./root.js";

/**
 * Writes the files that a package loads on first use with `require`, each as a single file: xmlbuilder2 consists of 300 modules,
 * which Node loads in 90 ms, and in 30 ms from one file. Returns the modules that they contain.
 */
export async function bundleLibraries({ lazyFiles }: Published, folder: string): Promise<readonly string[]> {
  const modules: string[] = [];
  for (const file of lazyFiles) {
    const bundle = await rolldown({
      cwd: root,
      input: { [file.name]: entryId(file) },
      platform: "node",
      plugins: [virtualEntry(file)],
      tsconfig: false,
      checks: { bundlerTimings: false },
    });
    const { output } = await bundle.write({
      dir: folder,
      format: "cjs",
      minify: true,
      entryFileNames: "[name].cjs",
      // As one file, although a part of it is loaded with `import()`.
      codeSplitting: false,
    });
    await bundle.close();
    modules.push(...output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : [])));
  }
  return modules;
}

/** A module in the package that has the library as a dependency. */
function entryId({ name, from, content }: LazyFile): string {
  return join(root, "packages", from, `${name}.virtual.${content === "templates" ? "js" : "cjs"}`);
}

function virtualEntry(file: LazyFile): Plugin {
  const id = entryId(file);
  return {
    name: "virtual-entry",
    resolveId: (source) => (source === id ? id : null),
    load: (source) => (source === id ? codeOf(file) : null),
  };
}

function codeOf({ content, from }: LazyFile): string {
  return content === "templates"
    ? compiledTemplates(from)
    : `module.exports = require(${JSON.stringify(content.library)});`;
}

/**
 * Code with the compiled files of `templates/`, which needs only the Handlebars runtime. The options must match those of
 * `render`.
 */
function compiledTemplates(from: string): string {
  const folder = join(root, "templates");
  const handlebars = createRequire(join(root, "packages", from, "package.json"))("handlebars");
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".hbs"))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      const compiled = handlebars.precompile(text, { noEscape: true, strict: true, knownHelpersOnly: true });
      return `[${JSON.stringify(file.replaceAll("\\", "/"))}, Handlebars.template(${compiled})]`;
    });
  return `import Handlebars from "handlebars/runtime.js";\nexport const templates = new Map([${entries.join(",\n")}]);\n`;
}
