import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes on the heap after five garbage collections: finalizers of one release objects for the next. */
export async function heapUsed(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
}

/** Like `heapUsed`, but includes the contents of typed arrays. */
export async function memoryUsed(): Promise<number> {
  return (await heapUsed()) + process.memoryUsage().arrayBuffers;
}
