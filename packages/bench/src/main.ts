import { bundle } from "./areas/bundle.js";
import { client } from "./areas/client.js";
import { codec } from "./areas/codec.js";
import { generation } from "./areas/generation.js";
import { rest, server } from "./areas/server.js";
import { start } from "./areas/start.js";
import type { Group } from "./measure.js";
import { measureGroup, printTable } from "./measure.js";

type Area = () => Promise<readonly Group[]> | readonly Group[];

const areas: Readonly<Record<string, Area>> = { codec, server, rest, client, generation, start, bundle };
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 7);
const wanted = process.argv.slice(2);

for (const name of wanted.length === 0 ? Object.keys(areas) : wanted) {
  const area = areas[name];
  if (area === undefined) {
    throw new Error(`There is no area "${name}", but ${Object.keys(areas).join(", ")}.`);
  }
  for (const group of await area()) {
    try {
      process.stdout.write(`${printTable(group, await measureGroup(group, rounds))}\n`);
    } finally {
      await group.close?.();
    }
  }
}
