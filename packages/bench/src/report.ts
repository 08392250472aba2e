import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { computeValue, goals } from "./goals.js";
import { loadGenerator } from "./load.js";
import type { Group, Measured, Row } from "./measure.js";
import { hasPeers, readPeerVersions } from "./peers.js";
import { chooseColumns, formatNumber } from "./table.js";

const docs = join(import.meta.dirname, "..", "..", "..", "docs");

/** Writes `docs/performance.md`, with a chart for each group in `docs/performance/`. */
export async function writeReport(measuredGroups: readonly Measured[], rounds: number): Promise<void> {
  mkdirSync(join(docs, "performance"), { recursive: true });
  for (const { group, rows } of measuredGroups) {
    writeFileSync(join(docs, "performance", `${group.id}.svg`), drawBars(group, rows));
  }
  const generator = await loadGenerator();
  writeFileSync(
    join(docs, "performance.md"),
    formatReport(measuredGroups, { rounds, loadGeneratorName: generator.name, date: new Date() }),
  );
}

interface Circumstances {
  readonly rounds: number;
  readonly loadGeneratorName: string;
  readonly date: Date;
}

/** Writes the text of `docs/performance.md`. */
export function formatReport(
  measuredGroups: readonly Measured[],
  { rounds, loadGeneratorName, date }: Circumstances,
): string {
  const versions = Object.entries(hasPeers ? readPeerVersions() : {}).map(([name, version]) => `${name} ${version}`);
  return `# Performance

Measured on ${date.toISOString().slice(0, 10)} with Node ${process.versions.node} on ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), in ${rounds} rounds.
The load generator is ${loadGeneratorName}. ${versions.length === 0 ? "No peers were installed." : `Peers: ${versions.join(", ")}.`}

\`pnpm bench --report\` writes this page again. How to read it:

- The cost is processor time per operation: the median of all rounds, and the lowest and the highest value. The rows of a table are measured in
  turns, so that other load on the machine affects all of them. Compare the rows of one table, but not figures from different machines.
- **x limit** is the ratio to the first row. The first row is usually a program that does as little as possible; the text above the table describes it.
- Servers and clients run in separate processes. The cost of a program differs by up to 20 % from one process to the next, so the process of a server is
  replaced after three measurements.
- *p99* is the time within which 99 % of the answers are complete, with as many connections as the title says. *loop p99* is the delay of the event
  loop. *memory* is the highest resident memory.
- *failed* is the number of requests that a third-party server did not answer with success. If a request to Bothends fails, the report is not written.
- Third-party libraries are set up as their documentation shows, with keep-alive if they support it. They do the same work unless the row says
  otherwise.

${formatGoalTable(measuredGroups)}
${measuredGroups.map(formatSection).join("\n")}`;
}

function formatGoalTable(measuredGroups: readonly Measured[]): string {
  const lines = goals.flatMap((goal) => {
    const value = computeValue(goal, measuredGroups);
    if (value === undefined) {
      return [];
    }
    const isMet = goal.isMinimum === true ? value >= goal.goal : value <= goal.goal;
    const quantity = goal.isDifference === true ? `added ${goal.quantity}` : goal.quantity;
    const relation = goal.isDifference === true ? "to" : "of";
    const compared =
      goal.referenceSubject === undefined ? quantity : `${quantity} ${relation} ${goal.referenceSubject}`;
    const target = `${goal.isMinimum === true ? "≥" : "≤"} ${goal.goal}`;
    return [
      `| ${goal.group} | ${goal.subject} | ${compared} | ${target} | ${value.toFixed(2)} | ${isMet ? "yes" : "**no**"} |`,
    ];
  });
  if (lines.length === 0) {
    return "";
  }
  return [
    "## Goals",
    "",
    "| area | subject | compared with | goal | measured | met |",
    "|---|---|---|---:|---:|---|",
    ...lines,
    "",
  ].join("\n");
}

function formatSection({ group, rows }: Measured): string {
  const columns = chooseColumns(group, rows);
  return [
    `## ${group.title}`,
    "",
    `First row: ${group.baseline}`,
    "",
    `![${group.title}](performance/${group.id}.svg)`,
    "",
    `| | ${columns.map(({ heading }) => heading).join(" | ")} |`,
    `|---|${columns.map(() => "---:").join("|")}|`,
    ...rows.map((row) => `| ${row.name} | ${columns.map((column) => column.cell(row)).join(" | ")} |`),
    "",
  ].join("\n");
}

const rowHeight = 26;
const labelWidth = 300;
const barWidth = 360;

/**
 * Draws the costs as horizontal bars, each with a line from the lowest to the highest value, for light and dark pages.
 */
export function drawBars({ title, unit, isExact }: Group, rows: readonly Row[]): string {
  const highestCost = Math.max(...rows.map(({ cost }) => cost.median));
  const scale = (value: number): number =>
    Math.round((Math.min(value, highestCost * 1.1) / (highestCost * 1.1)) * barWidth);
  const height = rows.length * rowHeight + 40;
  const lines = rows.map((row, index) => {
    const y = 34 + index * rowHeight;
    const isHighlighted = row.name.startsWith("Bothends") || isExact === true;
    const spread = `<line x1="${labelWidth + scale(row.cost.min)}" x2="${labelWidth + scale(row.cost.max)}" y1="${y + 9}" y2="${y + 9}" stroke="#64748b" stroke-width="2"/>`;
    return `<text x="${labelWidth - 8}" y="${y + 13}" text-anchor="end">${escapeText(row.name)}</text><rect x="${labelWidth}" y="${y}" width="${Math.max(1, scale(row.cost.median))}" height="18" rx="2" fill="${isHighlighted ? "#0d9488" : "#94a3b8"}"/>${isExact === true ? "" : spread}<text x="${labelWidth + Math.max(scale(row.cost.median), isExact === true ? 0 : scale(row.cost.max)) + 8}" y="${y + 13}">${formatNumber(row.cost.median)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${height}" width="760" height="${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${escapeText(title)}">
<style>text{fill:#334155}@media (prefers-color-scheme:dark){text{fill:#cbd5e1}}</style>
<text x="8" y="18" font-weight="600">${escapeText(`${title}, ${unit}`)}</text>
${lines.join("\n")}
</svg>
`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
