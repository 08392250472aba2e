import { type Code, catalogue, type Severity, sourceLimits } from "@bothends/generator";
import { clientLimits } from "@bothends/runtime/client";
import { serverLimits } from "@bothends/runtime/server";
import { type Case, filesBelow, goldenCases, refusalCases, warningCases } from "./case.js";

/** The groups of features, in the order of the page. */
const groups = ["XSD 1.0", "WSDL 1.1", "SOAP", "HTTP", "MIME", "REST index", "Names", "Options", "Sources"] as const;

/** The path of the page, relative to the root of the repository. */
export const supportPage = "docs/SUPPORT.md";

interface Row {
  readonly group: string;
  readonly mark: Mark;
  readonly feature: string;
  readonly text: string;
  readonly shownBy: Case;
}

type Mark = "✓" | "△" | "✗";

/** The page of supported features, made from the cases in `golden`, `refusals` and `warnings` below `folder`. */
export function supportText(folder: string): string {
  const goldens = goldenCases(folder);
  const reports = [...refusalCases(folder), ...warningCases(folder)];
  const rows = [...goldens.flatMap(rowsOfGolden), ...reports.flatMap(rowsOfReports)];
  const unknown = rows.find(({ group }) => !groups.some((each) => each === group));
  if (unknown !== undefined) {
    throw new Error(`${pathOf(unknown.shownBy)}/case.json has an unknown group, "${unknown.group}".`);
  }
  return [
    ...introduction(rows),
    ...groups.flatMap((group) => section(group, rows)),
    ...limits(reports),
    ...codes(reports),
  ].join("\n");
}

function introduction(rows: readonly Row[]): readonly string[] {
  const count = (mark: Mark): number => rows.filter((row) => row.mark === mark).length;
  return [
    "# What is supported",
    "",
    "Each line is a feature with a link to its test case: the smallest source that has the feature, and the expected result. `pnpm golden`",
    "makes this page from the cases, and a test compares them.",
    "",
    "| | | |",
    "|---|---|---|",
    `| ✓ | supported | ${count("✓")} |`,
    `| △ | accepted, with a warning or an info | ${count("△")} |`,
    `| ✗ | refused: an error shows the position and a way out, and nothing is generated | ${count("✗")} |`,
    "",
    "If a schema contains something that is not generated, a diagnostic reports it. If one operation needs a refused feature, list the others under",
    "`operations` in `bothends.json`.",
    "",
  ];
}

function section(group: string, rows: readonly Row[]): readonly string[] {
  const groupRows = rows.filter((row) => row.group === group);
  const line = ({ mark, feature, text, shownBy }: Row): string =>
    `| ${mark} | [${feature}](../${pathOf(shownBy)}) | ${text} |`;
  const inOrder = (["✓", "△", "✗"] as const).flatMap((mark) => groupRows.filter((row) => row.mark === mark));
  return [`## ${group}`, "", "| | feature | result |", "|---|---|---|", ...inOrder.map(line), ""];
}

function rowsOfGolden(golden: Case): readonly Row[] {
  const { shows } = golden.options;
  if (shows === undefined) {
    throw new Error(`${pathOf(golden)} needs a case.json with "shows": see the README of the tests.`);
  }
  return Object.entries(shows).flatMap(([group, features]) =>
    Object.entries(features).map(([feature, text]) => ({ group, mark: "✓", feature, text, shownBy: golden }) as const),
  );
}

function rowsOfReports(report: Case): readonly Row[] {
  const shows = Object.entries(report.options.shows ?? {});
  if (shows.length === 0) {
    return [];
  }
  const diagnostics = expectedDiagnostics(report);
  const bySeverity = (["error", "warning", "info"] as const).flatMap((severity) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity),
  );
  const [first] = bySeverity;
  if (first === undefined) {
    throw new Error(`${pathOf(report)} expects no diagnostics.`);
  }
  const { cause, fix } = catalogue[first.code];
  const mark = first.severity === "error" ? "✗" : "△";
  return shows.flatMap(([group, features]) =>
    Object.values(features).map((feature) => ({
      group,
      mark,
      feature,
      text: `\`${first.code}\` ${inCell(`${cause} ${fix}`)}`,
      shownBy: report,
    })),
  );
}

function limits(reports: readonly Case[]): readonly string[] {
  const entries = entriesOf(reports);
  const lines = Object.entries(sourceLimits).map(([name, value]) => {
    const entry = entries.find(({ kind }) => kind === `limit.${name}`);
    if (entry === undefined) {
      if (name !== "descriptionChars") {
        throw new Error(`No refusal shows the limit ${name}.`);
      }
      return `| \`${name}\` | ${value.toLocaleString("en")} | The description is cut there, with \`…\`. |`;
    }
    const { cause, code, shownBy } = entry;
    return `| \`${name}\` | ${value.toLocaleString("en")} | ${cause} [\`${code}\`](../${pathOf(shownBy)}) |`;
  });
  const names = [...new Set([...Object.keys(serverLimits), ...Object.keys(clientLimits)])];
  const atRunTime = names.map(
    (name) => `| \`${name}\` | ${limitIn(serverLimits, name)} | ${limitIn(clientLimits, name)} |`,
  );
  return [
    "## Limits",
    "",
    "Limits of the generator, for sources and output. Set them with `limits` in `bothends.json`, or for one run with `--limit name=value`. `0` means zero.",
    "",
    "| limit | default | if it is exceeded |",
    "|---|---|---|",
    ...lines,
    "",
    "Limits at run time, for messages and connections. Set them with the option `limits` of clients, routes and `listen`. Times are in milliseconds.",
    "",
    "| limit | server | client |",
    "|---|---|---|",
    ...atRunTime,
    "",
  ];
}

/** The defaults of servers that depend on the process. */
const processDefaults: Readonly<Record<string, string>> = {
  inFlightBytes: "a quarter of the heap's limit",
  unreadBytes: "a quarter of the heap's limit, at most 268,435,456",
};

function limitIn(limits: object, name: string): string {
  const processDefault = limits === serverLimits ? processDefaults[name] : undefined;
  if (processDefault !== undefined) {
    return processDefault;
  }
  const value: unknown = Reflect.get(limits, name);
  return typeof value === "number" ? value.toLocaleString("en") : "–";
}

function codes(reports: readonly Case[]): readonly string[] {
  const lines = entriesOf(reports).filter(({ kind }) => !kind.startsWith("limit."));
  return [
    "## Diagnostics",
    "",
    "<details>",
    `<summary>${lines.length} codes (without those of limits), with cause and way out</summary>`,
    "",
    "| code | kind | cause | way out |",
    "|---|---|---|---|",
    ...lines.map(
      ({ code, kind, cause, fix, shownBy }) =>
        `| [\`${code}\`](../${pathOf(shownBy)}) | ${kind} | ${inCell(cause)} | ${inCell(fix)} |`,
    ),
    "",
    "</details>",
    "",
  ];
}

/** The codes of the catalogue, each with the first case that expects it. */
function entriesOf(reports: readonly Case[]) {
  const shown = new Map<Code, Case>();
  for (const report of reports) {
    for (const { code } of expectedDiagnostics(report)) {
      if (!shown.has(code)) {
        shown.set(code, report);
      }
    }
  }
  return Object.entries(catalogue).flatMap(([code, entry]) => {
    const shownBy = isCode(code) ? shown.get(code) : undefined;
    return shownBy === undefined ? [] : [{ code, ...entry, shownBy }];
  });
}

/** The diagnostics in the expected text of a refusal or warning. */
function expectedDiagnostics(report: Case): readonly { readonly severity: Severity; readonly code: Code }[] {
  const text = new TextDecoder().decode(filesBelow(report.folder).get("expected.txt"));
  return [...text.matchAll(/^\S.*?:\d+:\d+: (error|warning|info) (\w+) /gm)].flatMap(([, severity, code = ""]) => {
    if (severity !== "error" && severity !== "warning" && severity !== "info") {
      return [];
    }
    return isCode(code) ? [{ severity, code }] : [];
  });
}

function isCode(text: string): text is Code {
  return Object.hasOwn(catalogue, text);
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

function pathOf({ area, name }: Case): string {
  return `packages/generator/test/${area}/${name}`;
}
