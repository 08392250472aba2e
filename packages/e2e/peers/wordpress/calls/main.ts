import { text } from "node:stream/consumers";
import { callContent } from "./content-calls.js";
import { callCore } from "./core-calls.js";
import { callSession } from "./session-calls.js";
import { callSite } from "./site-calls.js";
import type { Way } from "./trial.js";

const ways = JSON.parse(await text(process.stdin)) as {
  readonly site: readonly Way[];
  readonly content: readonly Way[];
};
for (const way of ways.site) {
  await callSite(way);
  await callSession(way);
  await callCore(way);
}
for (const way of ways.content) {
  await callContent(way);
}
