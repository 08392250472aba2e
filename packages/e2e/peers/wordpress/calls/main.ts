import { text } from "node:stream/consumers";
import { callCore } from "./core-calls.js";
import { callSession } from "./session-calls.js";
import { callSite } from "./site-calls.js";
import type { Way } from "./trial.js";

const ways = JSON.parse(await text(process.stdin)) as readonly Way[];
for (const way of ways) {
  await callSite(way);
  await callSession(way);
  await callCore(way);
}
