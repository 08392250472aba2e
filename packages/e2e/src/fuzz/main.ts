import { parseArgs } from "node:util";
import { type Finding, fuzz } from "./fuzz.js";
import { countMissedMistakes } from "./planted.js";
import { targets } from "./targets/index.js";

const help = `Usage: fuzz [target …] [--seed <number>] [--seconds <number>] [--case <number>]

Runs parts of the product with random inputs, which the seed determines, and prints the inputs that they handle wrongly.
Exit code 0: there are none.

Targets: ${targets.map(({ name }) => name).join(", ")} (default: all)

  --seed <number>     default: the time
  --seconds <number>  for each target; default 10
  --case <number>     run only this case of one target, and print its input
  --planted           put known mistakes into the product, one at a time, and see whether the targets find them
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    seconds: { type: "string", default: "10" },
    case: { type: "string" },
    planted: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const seconds = Number(values.seconds);
const onlyCase = values.case === undefined ? undefined : Number(values.case);
const chosenTargets = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknownName = positionals.find((name) => targets.every((target) => target.name !== name));

if (values.help === true) {
  process.stdout.write(help);
} else if (unknownName !== undefined || [seed, seconds, onlyCase ?? 0].some((value) => !(value >= 0))) {
  process.stderr.write(
    unknownName === undefined ? "The values of the options must be numbers.\n" : `There is no target ${unknownName}.\n`,
  );
  process.exitCode = 2;
} else if (values.planted === true) {
  const missedCount = await countMissedMistakes(seconds, ({ target, mistake }, isFound) => {
    process.stdout.write(`${isFound ? "found " : "MISSED"} ${target}: ${mistake}\n`);
  });
  process.exitCode = missedCount === 0 ? 0 : 1;
} else {
  process.exitCode = (await run()) ? 0 : 1;
}

async function run(): Promise<boolean> {
  process.stdout.write(`seed ${seed}\n`);
  let hasPassed = true;
  for (const target of chosenTargets) {
    if (target.isAvailable?.() === false) {
      process.stdout.write(`${target.name}: not run, its programs are not installed\n`);
      continue;
    }
    const settings = { seed, from: onlyCase ?? 0, cases: onlyCase === undefined ? Number.POSITIVE_INFINITY : 1 };
    const { cases, knownCount, findings } = await fuzz(target, { ...settings, milliseconds: seconds * 1000 });
    process.stdout.write(
      `${target.name}: ${cases} cases, ${knownCount} known differences, ${findings.length} findings\n`,
    );
    for (const finding of findings) {
      hasPassed = false;
      process.stdout.write(getText(finding));
    }
  }
  return hasPassed;
}

function getText({ target, caseNumber, input, problem }: Finding): string {
  const command = caseNumber === undefined ? "" : `\n  pnpm fuzz ${target} --seed ${seed} --case ${caseNumber}`;
  const shownInput = onlyCase === undefined ? input.slice(0, 1500) : input;
  return `\n  ${problem.replaceAll("\n", "\n  ")}${command}\n  ${JSON.stringify(shownInput)}\n\n`;
}
