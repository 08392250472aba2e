import { type Code, catalogue } from "@bothends/generator";
import { type Case, filesBelow, refusalCases, warningCases } from "./case.js";

/** The path of the page, relative to the root of the repository. */
export const diagnosticsPage = "docs/diagnostics.md";

const groups: Readonly<Record<string, string>> = {
  SRC: "Files and locations",
  XML: "XML",
  XSD: "XML Schema",
  WSDL: "WSDL",
  IDX: "REST indexes",
  ANS: "Answers of REST endpoints",
  CFG: "The configuration",
  NAM: "Names in generated code",
  PUB: "The WSDL that a server publishes",
  LIM: "Limits of several sources",
};

/**
 * The page of all codes, each with the smallest source that triggers it, made from the catalogue and the cases below
 * `folder`.
 */
export function diagnosticsText(folder: string): string {
  const cases = [...refusalCases(folder), ...warningCases(folder)].map((each) => ({
    each,
    reports: reportsOf(each),
  }));
  const codes = Object.keys(catalogue).filter(isCode);
  const prefixes = [...new Set(codes.map(prefixOf))];
  const sections = prefixes.map((prefix) => {
    const entries = codes.filter((code) => prefixOf(code) === prefix).map((code) => entryText(code, cases));
    return `## ${groupOf(prefix)}\n\n${entries.join("\n")}`;
  });
  return `${introduction}\n${sections.join("\n")}`;
}

const introduction = `# Diagnostics

Every error, warning and note has a code. \`bothends explain WSDL012\` prints its entry of this page. \`pnpm golden\` makes the page from the
catalogue and the test cases, so every example has been seen to trigger its code. An error stops generation, and nothing is written; a
warning or a note does not.
`;

interface CaseReports {
  readonly each: Case;
  /** The reports in \`expected.txt\`, each with its code. */
  readonly reports: readonly Report[];
}

interface Report {
  readonly code: string;
  readonly severity: string;
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

function reportsOf({ folder }: Case): readonly Report[] {
  const text = new TextDecoder().decode(filesBelow(folder).get("expected.txt"));
  return text.split(/^(?=\S)/m).flatMap((block) => {
    const [, path = "", line, severity = "", code = ""] =
      /^(.*?):(\d+):\d+: (error|warning|info) (\w+) /.exec(block) ?? [];
    return code === "" ? [] : [{ code, severity, path, line: Number(line), text: block.trimEnd() }];
  });
}

function entryText(code: Code, cases: readonly CaseReports[]): string {
  const { kind, cause, fix } = catalogue[code];
  const found = cases.flatMap(({ each, reports }) => {
    const report = reports.find((candidate) => candidate.code === code);
    return report === undefined ? [] : [{ each, report, reports: reports.length }];
  });
  const severities = [...new Set(found.map(({ report }) => report.severity))].map((word) =>
    word === "info" ? "note" : word,
  );
  // Shows the case with the fewest other reports for each code.
  const [first] = found.sort((a, b) => a.reports - b.reports);
  return [
    `### ${code}`,
    "",
    `\`${kind}\`, ${severities.join(" or ")}. ${escaped(cause)}`,
    "",
    ...(first === undefined ? [] : exampleLines(first.each, first.report)),
    `**The way out.** ${escaped(fix)}`,
    "",
  ].join("\n");
}

/** The source around the position, and the printed diagnostic. */
function exampleLines({ area, name, input }: Case, report: Report): readonly string[] {
  const source = sourceLines(input.get(report.path), report.line);
  const language = report.path.endsWith(".json") ? "json" : "xml";
  const link = `[${area}/${name}](../packages/generator/test/${area}/${name})`;
  return [
    `Example (${link}):`,
    "",
    ...(source === undefined ? [] : [`\`\`\`${language}`, ...source, "```", ""]),
    "```text",
    ...report.text.split("\n"),
    "```",
    "",
  ];
}

const maxLines = 16;
const maxCharacters = 160;

/** The lines of a source around one of them; undefined if it is not text that a page can show. */
function sourceLines(bytes: Uint8Array | undefined, line: number): readonly string[] | undefined {
  const text = bytes === undefined ? "" : new TextDecoder().decode(bytes);
  if (text.trim() === "" || /[\p{Cc}\p{Cf}\ufffd]/u.test(text.replaceAll(/[\r\n\t]/g, ""))) {
    return undefined;
  }
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  const first = lines.length <= maxLines ? 0 : Math.max(0, Math.min(line - 1 - maxLines / 2, lines.length - maxLines));
  const shown = lines
    .slice(first, first + maxLines)
    .map((each) => (each.length > maxCharacters ? `${each.slice(0, maxCharacters)}…` : each));
  return [...(first > 0 ? ["…"] : []), ...shown, ...(first + maxLines < lines.length ? ["…"] : [])];
}

/** Keeps tags in a sentence from being read as HTML. */
function escaped(text: string): string {
  return text.replaceAll("<", "&lt;");
}

function groupOf(prefix: string): string {
  const title = groups[prefix];
  if (title === undefined) {
    throw new Error(`The codes ${prefix}nnn have no title in diagnostics-page.ts.`);
  }
  return title;
}

function prefixOf(code: string): string {
  return code.replace(/\d+$/, "");
}

function isCode(text: string): text is Code {
  return Object.hasOwn(catalogue, text);
}
