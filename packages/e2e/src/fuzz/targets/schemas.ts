import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Diagnostics, generate, type ReadFile, readConfigFromFlags } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import { ts } from "ts-morph";
import { createProcessorTimeLimit, type Target } from "../fuzz.js";
import { mutate } from "../mutate.js";

const root = join(import.meta.dirname, "..", "..", "..", "..", "..");
const templates = readFolder(join(root, "templates"));

/** A corrupted source, generated with or without `lenient`. */
interface SchemaCase {
  readonly kind: "wsdl" | "index";
  readonly text: string;
  readonly lenient: boolean;
}

/** Corrupted WSDLs: the generator must report errors, or write code that parses. */
export const wsdls: Target = createSchemaTarget("wsdls", "wsdl");
/** Corrupted discovery indexes: the generator must report errors, or write code that parses. */
export const indexes: Target = createSchemaTarget("indexes", "index");

function createSchemaTarget(name: string, kind: SchemaCase["kind"]): Target {
  const sources = readSmallSources(kind === "wsdl" ? ".wsdl" : ".json");
  return {
    name,
    make(random) {
      const source = random.pick(sources) ?? "";
      const text = mutate(source, random, [random.pick(sources) ?? ""]);
      return JSON.stringify({ kind, text, lenient: random.drawBoolean(30) } satisfies SchemaCase);
    },
    judge: async (inputs) => inputs.map((input) => findProblem(JSON.parse(input) as SchemaCase)),
  };
}

/** Reads the small and self-contained sources of the golden cases. */
function readSmallSources(ending: string): readonly string[] {
  const cases = join(root, "packages/generator/test/golden");
  const paths = readdirSync(cases, { recursive: true, encoding: "utf8" }).map((path) => join(cases, path));
  return paths
    .filter((path) => path.endsWith(ending) && path.includes("input") && statSync(path).size < 20_000)
    .sort()
    .map((path) => readFileSync(path, "utf8"))
    .filter((text) => !/schemaLocation|location="[^"]*\.(?:xsd|wsdl)"/.test(text));
}

const maxMilliseconds = 5_000;

function findProblem({ kind, text, lenient }: SchemaCase): string | undefined {
  const path = kind === "wsdl" ? "source.wsdl" : "index.json";
  const flags = kind === "wsdl" ? { wsdl: [path], index: undefined } : { wsdl: [], index: path };
  const timeProblem = createProcessorTimeLimit(maxMilliseconds, "Generating");
  try {
    const config = readConfigFromFlags({ ...flags, name: "fuzz", lenient }, new Diagnostics(), { runtime: "^0.1.0" });
    if (config === undefined) {
      return "The configuration is refused.";
    }
    const bytes = new TextEncoder().encode(text);
    const readFile: ReadFile = (requestedPath) =>
      requestedPath === path
        ? { kind: "file", bytes }
        : { kind: "problem", problem: "missing", message: "There is no such file." };
    const { tree } = generate({ readFile, templates, config });
    return timeProblem() ?? findSyntaxProblem(tree);
  } catch (error) {
    return `The generator threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function findSyntaxProblem(tree: ReadonlyMap<string, string>): string | undefined {
  for (const [path, text] of tree) {
    if (path.endsWith(".ts")) {
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false);
      const [firstDiagnostic] = Reflect.get(file, "parseDiagnostics") as readonly ts.DiagnosticWithLocation[];
      if (firstDiagnostic !== undefined) {
        return `${path}: ${ts.flattenDiagnosticMessageText(firstDiagnostic.messageText, " ")} at ${text.slice(firstDiagnostic.start, firstDiagnostic.start + 80)}`;
      }
    }
  }
  return undefined;
}
