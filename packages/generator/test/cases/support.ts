import { type Code, catalogue, type Severity, sourceLimits } from "@bothends/generator";
import { clientLimits } from "@bothends/runtime/client";
import { serverLimits } from "@bothends/runtime/server";
import { type Case, filesBelow, goldenCases, refusalCases, warningCases } from "./case.js";

/** The groups of features, in the order of the page. */
const groups = ["XSD 1.0", "WSDL 1.1", "SOAP", "HTTP", "MIME", "REST index", "Names", "Options", "Sources"] as const;

/** Where the page lies, seen from the root of the repository. */
export const supportPage = "docs/SUPPORT.md";

interface Row {
  readonly group: string;
  readonly mark: Mark;
  readonly feature: string;
  readonly text: string;
  readonly of: Case;
}

type Mark = "✓" | "△" | "✗";

/** The support table as a page; `folder` holds `golden`, `refusals` and `warnings`. Every feature on it has a case that shows it. */
export function supportText(folder: string): string {
  const goldens = goldenCases(folder);
  const reports = [...refusalCases(folder), ...warningCases(folder)];
  const rows = [...goldens.flatMap(rowsOfGolden), ...reports.flatMap(rowsOfReports)];
  const strange = rows.find(({ group }) => !groups.some((each) => each === group));
  if (strange !== undefined) throw new Error(`${pathOf(strange.of)}/case.json shows a feature of "${strange.group}".`);
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
    "Each line is a feature with a case among the tests: the smallest source that has it, and what comes of that. The page is made from",
    "the cases by `pnpm golden`, and a test holds it against them.",
    "",
    "| | | |",
    "|---|---|---|",
    `| ✓ | supported | ${count("✓")} |`,
    `| △ | taken, and a warning or a note says how | ${count("△")} |`,
    `| ✗ | refused: nothing is generated, and the diagnostic says where and what to do | ${count("✗")} |`,
    "",
    "Nothing is left out in silence. Where one operation needs what is refused, `operations` in `bothends.json` generates the others.",
    "",
  ];
}

function section(group: string, rows: readonly Row[]): readonly string[] {
  const own = rows.filter((row) => row.group === group);
  const line = ({ mark, feature, text, of }: Row): string => `| ${mark} | [${feature}](../${pathOf(of)}) | ${text} |`;
  const inOrder = (["✓", "△", "✗"] as const).flatMap((mark) => own.filter((row) => row.mark === mark));
  return [`## ${group}`, "", "| | feature | what becomes of it |", "|---|---|---|", ...inOrder.map(line), ""];
}

function rowsOfGolden(of: Case): readonly Row[] {
  const { shows } = of.options;
  if (shows === undefined)
    throw new Error(`${pathOf(of)} needs a case.json with "shows": see the README of the tests.`);
  return Object.entries(shows).flatMap(([group, features]) =>
    Object.entries(features).map(([feature, text]) => ({ group, mark: "✓", feature, text, of }) as const),
  );
}

function rowsOfReports(of: Case): readonly Row[] {
  const shows = Object.entries(of.options.shows ?? {});
  if (shows.length === 0) return [];
  const told = toldBy(of);
  const first = (["error", "warning", "info"] as const).flatMap((each) =>
    told.filter((one) => one.severity === each),
  )[0];
  if (first === undefined) throw new Error(`${pathOf(of)} tells nothing.`);
  const { cause, fix } = catalogue[first.code];
  const mark = first.severity === "error" ? "✗" : "△";
  return shows.flatMap(([group, features]) =>
    Object.values(features).map((feature) => ({
      group,
      mark,
      feature,
      text: `\`${first.code}\` ${inCell(`${cause} ${fix}`)}`,
      of,
    })),
  );
}

function limits(reports: readonly Case[]): readonly string[] {
  const entries = entriesOf(reports);
  const lines = Object.entries(sourceLimits).map(([name, value]) => {
    const entry = entries.find(({ kind }) => kind === `limit.${name}`);
    if (entry === undefined && name !== "descriptionChars") throw new Error(`No refusal shows the limit ${name}.`);
    if (entry === undefined)
      return `| \`${name}\` | ${value.toLocaleString("en")} | A description ends there, with \`…\`. |`;
    const { cause, code, of } = entry;
    return `| \`${name}\` | ${value.toLocaleString("en")} | ${cause} [\`${code}\`](../${pathOf(of)}) |`;
  });
  const names = [...new Set([...Object.keys(serverLimits), ...Object.keys(clientLimits)])];
  const atRunTime = names.map(
    (name) => `| \`${name}\` | ${limitIn(serverLimits, name)} | ${limitIn(clientLimits, name)} |`,
  );
  return [
    "## Limits",
    "",
    "Of sources, and of what is written. `limits` in `bothends.json` or `--limit name=value` sets one; `0` means zero.",
    "",
    "| limit | default | refused, or cut |",
    "|---|---|---|",
    ...lines,
    "",
    "Of messages and connections, at both ends: the option `limits` of clients, routes and `listen`. Times are milliseconds.",
    "",
    "| limit | server | client |",
    "|---|---|---|",
    ...atRunTime,
    "",
  ];
}

function limitIn(limits: object, name: string): string {
  const value: unknown = Reflect.get(limits, name);
  return typeof value === "number" ? value.toLocaleString("en") : "–";
}

function codes(reports: readonly Case[]): readonly string[] {
  const lines = entriesOf(reports).filter(({ kind }) => !kind.startsWith("limit."));
  return [
    "## Diagnostics",
    "",
    "<details>",
    `<summary>The ${lines.length} codes besides, what they mean, and the way out</summary>`,
    "",
    "| code | kind | cause | way out |",
    "|---|---|---|---|",
    ...lines.map(
      ({ code, kind, cause, fix, of }) =>
        `| [\`${code}\`](../${pathOf(of)}) | ${kind} | ${inCell(cause)} | ${inCell(fix)} |`,
    ),
    "",
    "</details>",
    "",
  ];
}

/** The catalogue, each code with the first case that shows it. */
function entriesOf(reports: readonly Case[]) {
  const shown = new Map<Code, Case>();
  for (const of of reports) for (const { code } of toldBy(of)) if (!shown.has(code)) shown.set(code, of);
  return Object.entries(catalogue).flatMap(([code, entry]) => {
    const of = isCode(code) ? shown.get(code) : undefined;
    return of === undefined ? [] : [{ code, ...entry, of }];
  });
}

/** What a refusal is expected to tell. */
function toldBy(of: Case): readonly { readonly severity: Severity; readonly code: Code }[] {
  const text = new TextDecoder().decode(filesBelow(of.folder).get("expected.txt"));
  return [...text.matchAll(/^\S.*?:\d+:\d+: (error|warning|info) (\w+) /gm)].flatMap(([, severity, code = ""]) => {
    if (severity !== "error" && severity !== "warning" && severity !== "info") return [];
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
