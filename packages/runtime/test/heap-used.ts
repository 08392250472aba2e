import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/**
 * Bytes on the heap after at least three garbage collections: finalizers of one release objects for the next. In a
 * process that has run many test files, a collection takes almost a second, so the fourth and the fifth follow only if
 * the one before released memory.
 */
export async function heapUsed(): Promise<number> {
  let used = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= 5; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = used;
    used = process.memoryUsage().heapUsed;
    if (round >= 3 && before - used < 10_000) {
      break;
    }
  }
  return used;
}

/** Like `heapUsed`, but includes the contents of typed arrays. */
export async function memoryUsed(): Promise<number> {
  return (await heapUsed()) + process.memoryUsage().arrayBuffers;
}

/**
 * Bytes that the process has allocated on its heap and for typed arrays, with those that no program can reach any more.
 */
export function memoryAllocated(): number {
  const { heapUsed: heap, arrayBuffers } = process.memoryUsage();
  return heap + arrayBuffers;
}
