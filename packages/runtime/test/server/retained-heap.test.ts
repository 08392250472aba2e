import { expect, test } from "vitest";
import { heapUsed } from "../heap-used.js";
import { findBody, type Handlers, message, requestOf, served } from "./fixture.js";

const requests = 20_000;
/** A signal with one listener takes 1,200 bytes; what engine and test runner leave behind takes up to 200. */
const bound = 500;

/** Bytes that stay on the heap for each request, once it is answered. */
async function retainedPerRequest(find: Handlers["find"]): Promise<number> {
  const { routes, calls } = served({ find });
  const answer = async (count: number) => {
    for (let sent = 0; sent < count; sent++) {
      await routes.answer(requestOf(message("soap11", findBody)));
      calls.length = 0;
    }
  };
  await answer(1_000);
  const before = await heapUsed();
  await answer(requests);
  return ((await heapUsed()) - before) / requests;
}

test("a handler that listens to context.signal keeps nothing of its request", async () => {
  const retained = await retainedPerRequest((_, { signal }) => {
    signal.addEventListener("abort", () => {});
    return null;
  });
  expect(retained).toBeLessThan(bound);
}, 300_000);

test("a handler that passes context.signal to fetch keeps nothing of its request", async () => {
  const retained = await retainedPerRequest(async (_, { signal }) => {
    await (await fetch("data:text/plain,answer", { signal })).text();
    return null;
  });
  expect(retained).toBeLessThan(bound);
}, 300_000);
