import { execFile } from "node:child_process";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

// Mistakes that are put into the product to check whether the targets find them. This module is loaded with `--import`,
// and changes the code while Node loads it; the files do not change.

/** A mistake: a piece of code in a compiled file, and its replacement. */
export interface PlantedMistake {
  readonly target: string;
  readonly mistake: string;
  /** The end of the URL of the file to change. */
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

const soapFile = "runtime/dist/protocol/soap/server.js";
const formFile = "runtime/dist/protocol/http/form-encoding.js";
const readerFile = "xml/dist/reader.js";

export const plantedMistakes: readonly PlantedMistake[] = [
  {
    target: "soap-requests",
    mistake: "The text before a CDATA section is lost.",
    file: readerFile,
    text: "text += withLineFeeds(source.slice(markupStart + 9, offset - 3));",
    replacement: "text = withLineFeeds(source.slice(markupStart + 9, offset - 3));",
  },
  {
    target: "soap-requests",
    mistake: "An end tag is accepted if its name is different but has the same length.",
    file: readerFile,
    text: "source.slice(tagStart + 2, nameEnd) !== name || ",
    replacement: "",
  },
  {
    target: "soap-requests",
    mistake: "The body determines the operation even if SOAPAction names another operation.",
    file: soapFile,
    text: "(action === undefined || onlyCandidate.actions[version] === action)",
    replacement: "true",
  },
  {
    target: "soap-requests",
    mistake: "Escapes with lower-case letters are not decoded.",
    file: formFile,
    text: "/^[0-9A-Fa-f]+$/",
    replacement: "/^[0-9A-F]+$/",
  },
  {
    target: "soap-requests",
    mistake: "Names of media types are compared case-sensitively.",
    file: "runtime/dist/http/media-type.js",
    text: '(nameMatch[1] ?? "").toLowerCase()',
    replacement: '(nameMatch[1] ?? "")',
  },
  {
    target: "soap-requests",
    mistake: "The code that reports a refusal fails for requests without an operation.",
    file: soapFile,
    text: 'const candidates = this.#byElement[version].get(firstChild ?? "") ?? [];',
    replacement: 'const candidates = this.#byElement[version].get(firstChild ?? "").slice();',
  },
  {
    target: "rest-requests",
    mistake: "Escapes with lower-case letters are not decoded.",
    file: "runtime/dist/rest/php-form.js",
    text: "withSpaces.replace(/(?:%[0-9A-Fa-f]{2})+/g",
    replacement: "withSpaces.replace(/(?:%[0-9A-F]{2})+/g",
  },
  {
    target: "xml-reader",
    mistake: "An end tag is accepted if its name is different but has the same length.",
    file: readerFile,
    text: "source.slice(tagStart + 2, nameEnd) !== name || ",
    replacement: "",
  },
  {
    target: "xml-well-formed",
    mistake: "CDATA sections are refused.",
    file: readerFile,
    text: 'source.startsWith("<![CDATA[", markupStart)',
    replacement: "false",
  },
  {
    target: "patterns",
    mistake: "A text matches a pattern if only its beginning matches.",
    file: "datatypes/dist/pattern/matcher.js",
    text: "return set.isAccepting && index === text.length;",
    replacement: "return set.isAccepting;",
  },
  {
    target: "soap-answers",
    mistake: "The quick reader does not compare the names of end tags.",
    file: "runtime/dist/codec/quick/quick-reader.js",
    text: "this.#findEnd(this.#offset + 2, this.#openElements.at(-1) ?? stopQuickCodec())",
    replacement: 'text.indexOf(">", this.#offset)',
  },
  {
    target: "rest-answers",
    mistake: "An error that is null is treated as an object.",
    file: "runtime/dist/client/rest/answer.js",
    text: "const failure = findRestError(body, answer, call);",
    replacement: "const failure = body.code === undefined ? undefined : findRestError(body, answer, call);",
  },
  {
    target: "wsdls",
    mistake: "The end of a comment in documentation is not escaped.",
    file: "generator/dist/print/code-text.js",
    text: '.replaceAll("*/", "*\\\\/")',
    replacement: "",
  },
  {
    target: "indexes",
    mistake: "Names of members are never quoted.",
    file: "generator/dist/print/code-text.js",
    text: "return asciiIdentifier.test(name) ? name : writeLiteral(name);",
    replacement: "return name;",
  },
];

/** Counts the mistakes that their targets do not find. Each mistake is tested in a separate process. */
export async function countMissedMistakes(
  seconds: number,
  report: (mistake: PlantedMistake, isFound: boolean) => void,
): Promise<number> {
  let missedCount = 0;
  for (const [index, mistake] of plantedMistakes.entries()) {
    const isFound = await findsMistake(index, mistake, seconds);
    missedCount += isFound ? 0 : 1;
    report(mistake, isFound);
  }
  return missedCount;
}

function findsMistake(index: number, { target, file }: PlantedMistake, seconds: number): Promise<boolean> {
  const mainPath = new URL("./main.js", import.meta.url).pathname;
  const options = ["--import", import.meta.url, mainPath, target, "--seed", "1", "--seconds", String(seconds)];
  const env = { ...process.env, [variable]: String(index) };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, options, { env, maxBuffer: 64_000_000 }, (_error, stdout, stderr) => {
      const result = /, (\d+) findings$/m.exec(stdout)?.[1];
      if (result === undefined) {
        reject(new Error(`The mistake cannot be planted into ${file}: ${stderr}`));
      } else {
        resolve(Number(result) > 0);
      }
    });
  });
}

const variable = "BOTHENDS_PLANTED_MISTAKE";
const chosenNumber = process.env[variable];
if (isMainThread && chosenNumber !== undefined) {
  register(import.meta.url, { data: chosenNumber });
}

let plantedMistake: PlantedMistake | undefined;

/** Called by Node in the thread that loads modules. */
export function initialize(data: string): void {
  plantedMistake = plantedMistakes[Number(data)];
}

type Load = (url: string, context: object) => Promise<{ readonly source?: string | Uint8Array }>;

/** Called by Node for each module. */
export async function load(url: string, context: object, nextLoad: Load): Promise<object> {
  const loadedModule = await nextLoad(url, context);
  if (plantedMistake === undefined || loadedModule.source === undefined || !url.endsWith(plantedMistake.file)) {
    return loadedModule;
  }
  const source =
    typeof loadedModule.source === "string" ? loadedModule.source : new TextDecoder().decode(loadedModule.source);
  if (!source.includes(plantedMistake.text)) {
    throw new Error(`${url} does not contain ${plantedMistake.text}`);
  }
  return { ...loadedModule, source: source.replace(plantedMistake.text, () => plantedMistake?.replacement ?? "") };
}
