import { join } from "node:path";
import type { Group, Subject } from "../measure.js";
import { nodeProcess } from "../processes.js";

const file = (...path: readonly string[]): string => JSON.stringify(join(import.meta.dirname, "..", ...path));
const cli = file("..", "..", "bothends", "dist", "bin.js");

function synthetic(operations: number): Subject {
  const code = `const { generateSynthetic } = await import(${file("generate-synthetic.js")}); generateSynthetic(${operations});`;
  return { name: `${operations} operations`, measure: () => nodeProcess(code) };
}

/** Whole processes: the interfaces of this repository, and one schema at 1, 4 and 16 times its size. */
export const generation = (): readonly Group[] => [
  {
    title: "Generate",
    unit: "CPU µs",
    subjects: [
      { name: "bare node", measure: () => nodeProcess("") },
      {
        name: "check, both interfaces",
        measure: () => nodeProcess(`process.argv.splice(1, 0, ${cli}, "check"); await import(${cli});`),
      },
      synthetic(10),
      synthetic(150),
      synthetic(600),
      synthetic(2400),
    ],
  },
];
