import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { bundle } from "./areas/bundle.js";
import { client } from "./areas/client.js";
import { codec } from "./areas/codec.js";
import { generation } from "./areas/generation.js";
import { flat, observe, rest, server } from "./areas/server.js";
import { serverCalls } from "./areas/server-calls.js";
import { start } from "./areas/start.js";
import { missedGoals } from "./goals.js";
import { type Group, type Measured, measureGroup } from "./measure.js";
import { writeReport } from "./report.js";
import { printTable } from "./table.js";

type Area = () => Promise<readonly Group[]> | readonly Group[];

const areas: Readonly<Record<string, Area>> = {
  codec,
  calls: serverCalls,
  server,
  observe,
  rest,
  client,
  generation,
  start,
  bundle,
};
/** Areas that run only when named explicitly. */
const longAreas: Readonly<Record<string, Area>> = { flat };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    /** Writes `docs/performance.md` and its pictures. */
    report: { type: "boolean", default: false },
    /** Exits with code 1 if a ratio exceeds its bound by more than the slack. */
    check: { type: "boolean", default: false },
    /** Writes the measurements as JSON. */
    json: { type: "string" },
  },
});
const measured: Measured[] = [];
const names = positionals.length === 0 ? Object.keys(areas) : positionals;
for (const name of names) {
  const area = areas[name] ?? longAreas[name];
  if (area === undefined) {
    const known = Object.keys({ ...areas, ...longAreas }).join(", ");
    throw new Error(`"${name}" is not an area of the benchmark. The areas are ${known}.`);
  }
  for (const group of await area()) {
    try {
      const rows = await measureGroup(group, Number(values.rounds));
      measured.push({ group, rows });
      process.stdout.write(`${printTable(group, rows)}\n`);
    } finally {
      await group.close?.();
    }
  }
}

if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`);
}
if (values.report) {
  await writeReport(measured, Number(values.rounds));
}
const missed = missedGoals(measured, values.check ? "bound" : "goal");
for (const line of missed) {
  process.stdout.write(`${line}\n`);
}
if (values.check && missed.length > 0) {
  process.exitCode = 1;
}
