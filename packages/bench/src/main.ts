import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureBundle } from "./areas/bundle.js";
import { measureClient } from "./areas/client.js";
import { measureCodec } from "./areas/codec.js";
import { measureGeneration } from "./areas/generation.js";
import { measureMemoryGrowth, measureObservation, measureRestServers, measureServer } from "./areas/server.js";
import { measureServerCalls } from "./areas/server-calls.js";
import { measureStartup } from "./areas/start.js";
import { describeMissedGoals, selectBounded } from "./goals.js";
import { type Group, type Measured, measureGroup, type Row } from "./measure.js";
import { writeReport } from "./report.js";
import { printTable } from "./table.js";

type Area = () => Promise<readonly Group[]> | readonly Group[];

const areas: Readonly<Record<string, Area>> = {
  codec: measureCodec,
  calls: measureServerCalls,
  server: measureServer,
  observe: measureObservation,
  rest: measureRestServers,
  client: measureClient,
  generation: measureGeneration,
  start: measureStartup,
  bundle: measureBundle,
};
/** Areas that run only if the command line names them. */
const longAreas: Readonly<Record<string, Area>> = { flat: measureMemoryGrowth };

const usage = `Usage: pnpm bench [area …] [options]

Areas: ${Object.keys(areas).join(", ")} (default: all of these), ${Object.keys(longAreas).join(", ")}

  --rounds <n>   rounds of interleaved measurements (default: 7)
  --report       write docs/performance.md and its pictures
  --check        measure only what has a bound, and exit with code 1 if a ratio exceeds its bound; adds up to five
                 rounds while it does, because other load on the machine can increase a ratio
  --json <file>  write the measurements as JSON
  --help         print this text
`;

function missesBound(group: Group, rows: readonly Row[]): boolean {
  return describeMissedGoals([{ group, rows }], "bound").length > 0;
}

/** Prints a mistake in the command line, and ends the process. */
function refuse(message: string): never {
  process.stderr.write(`error: ${message}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: "string", default: "7" },
        report: { type: "boolean", default: false },
        check: { type: "boolean", default: false },
        json: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
if (!/^[1-9]\d*$/.test(values.rounds)) {
  refuse(`--rounds must be a positive integer, not "${values.rounds}".`);
}
const measuredGroups: Measured[] = [];
const names = positionals.length === 0 ? Object.keys(areas) : positionals;
for (const name of names) {
  const area = areas[name] ?? longAreas[name];
  if (area === undefined) {
    refuse(`"${name}" is not an area of the benchmark.`);
  }
  for (const wholeGroup of await area()) {
    const group = values.check && !values.report ? selectBounded(wholeGroup) : wholeGroup;
    try {
      if (group.subjects.length === 0) {
        continue;
      }
      const rows = await measureGroup(
        group,
        Number(values.rounds),
        (rowsSoFar) => values.check && missesBound(group, rowsSoFar),
      );
      measuredGroups.push({ group, rows });
      process.stdout.write(`${printTable(group, rows)}\n`);
    } finally {
      await group.close?.();
    }
  }
}

if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify(measuredGroups, null, 2)}\n`);
}
if (values.report) {
  await writeReport(measuredGroups, Number(values.rounds));
}
const missedSentences = describeMissedGoals(measuredGroups, values.check ? "bound" : "goal");
for (const line of missedSentences) {
  process.stdout.write(`${line}\n`);
}
if (values.check && missedSentences.length > 0) {
  process.exitCode = 1;
}
