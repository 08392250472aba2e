import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Whether the command line runs until it is interrupted. Such a command keeps V8's default flags. */
export const isWatching = process.argv.slice(2).some((parameter) => parameter === "watch" || parameter === "--watch");

// While sources are read and resolved, little of the heap becomes garbage, so a full collection takes long and frees
// almost nothing. With this flag, the heap grows to ten times its size before the next full collection; V8's default
// is at most four times. 2,400 operations then take 4 to 6 % less processor time and 1 to 4 % more memory.
const growth = "--heap-growing-percent=900";

// The other flags make V8 wait longer before it optimizes a function, which makes short runs faster: VirtualBox's WSDL
// takes 2.4 instead of 3.6 CPU seconds on Node 20 and 1.9 instead of 2.4 on Node 22. On Node 20, the flags also make
// optimizing cheaper: V8 does not inline calls of larger functions, and does not optimize long functions, which saves
// another 6 %. The names of the flags depend on V8's major version, and V8 reports unknown flags on standard error.
const flags: Readonly<Record<string, string>> = {
  "11": `--interrupt-budget=600000 --max-inlined-bytecode-size-cumulative=0 --max-optimized-bytecode-size=3000 ${growth}`,
  "12": `--invocation-count-for-turbofan=24000 ${growth}`,
};

// While a large source is parsed, V8 should optimize early, because parsing calls a few functions very often. With V8's
// default for sources of more than 500 KB, parsing VirtualBox's WSDL takes 208 instead of 250 ms of CPU time.
const flagsForLargeSource: Readonly<Record<string, string>> = { "11": "--interrupt-budget=132000", "13": growth };

const v8Version = process.versions.v8.split(".")[0] ?? "";

/**
 * Sets the flags for a command, at its start and after a large source. Node must have loaded the built-in modules that
 * the command needs before, because after a change of flags, V8 refuses their compiled code: a small run then takes 2 %
 * longer. For the same reason, the flags must be those of the command when its compiled code is written.
 */
export function setCommandFlags(): void {
  setFlag(flags[v8Version]);
}

/** Sets the flags for reading a large source, until `setCommandFlags` is called. */
export function setFlagsForLargeSource(): void {
  limitYoungGeneration();
  setFlag(flagsForLargeSource[v8Version]);
}

function setFlag(flag: string | undefined): void {
  if (flag !== undefined && !isWatching) {
    setFlagsFromString(flag);
  }
}

/** The size in bytes that V8 reports for a young generation of 8 MB: V8 counts both of its copies. */
const bothCopiesBytes = 2 * 8 * 1024 * 1024;

/** The growth factor of V8 11 to 13 for the young generation. */
const defaultGrowthFactor = 2;
const constantSizeFactor = 1;

let isLimited = false;

/**
 * Limits V8's young generation to 8 MB instead of 16 MB. A running program can set only the growth factor. So this
 * function sets a factor that reaches 8 MB in one step, allocates objects until V8 enlarges the young generation, then
 * sets the factor to 1. It stops after 150,000 objects if V8's options or the machine's memory do not allow 8 MB.
 * VirtualBox's WSDL then takes 154 MB instead of 171 MB and the same processor time; 2,400 operations take 226 MB
 * instead of 251 MB and 5 % more processor time.
 */
function limitYoungGeneration(): void {
  const size = findYoungGenerationSize();
  // Engines other than V8 report no size, or 0.
  if (isLimited || size === undefined || size <= 0 || size > bothCopiesBytes / 2) {
    return;
  }
  isLimited = true;
  // The compiled code is written when the program exits.
  process.prependOnceListener("exit", () => setGrowth(defaultGrowthFactor));
  try {
    setGrowth(Math.floor(bothCopiesBytes / size));
    const survivors: object[] = [];
    while (survivors.length < 150_000 && (findYoungGenerationSize() ?? bothCopiesBytes) < bothCopiesBytes) {
      for (let count = 0; count < 10_000; count += 1) {
        survivors.push({});
      }
    }
  } finally {
    setGrowth(constantSizeFactor);
  }
}

/**
 * Compiles code with V8's default growth factor, because V8 refuses compiled code from a run with other flags. The
 * compilation must be short: if V8 collects garbage meanwhile, it may enlarge the young generation to 16 MB.
 */
export function withDefaultGrowth<Compiled>(compile: () => Compiled): Compiled {
  if (!isLimited) {
    return compile();
  }
  setGrowth(defaultGrowthFactor);
  try {
    return compile();
  } finally {
    setGrowth(constantSizeFactor);
  }
}

function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** Returns the size in bytes of both copies of the young generation; undefined if the runtime does not report it. */
function findYoungGenerationSize(): number | undefined {
  try {
    return getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size;
  } catch {
    return undefined;
  }
}
