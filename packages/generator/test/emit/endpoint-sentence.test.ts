import { expect, test } from "vitest";
import { createEndpointSentences } from "../../src/emit/rest/context.js";
import type { Endpoint, Method, PathPiece } from "../../src/model/index.js";
import { arg, endpoint } from "./fixtures.js";

const id = { variable: "id", pattern: "\\d+" };

const blocks: PathPiece[] = ["/core/v2/blocks"];
const block: PathPiece[] = ["/core/v2/blocks/", id];
const autosaves: PathPiece[] = ["/core/v2/blocks/", id, "/autosaves"];
const autosave: PathPiece[] = ["/core/v2/blocks/", { variable: "parent", pattern: "\\d+" }, "/autosaves/", id];

function at(
  path: readonly PathPiece[],
  methods: readonly [Method, ...Method[]],
  init: Partial<Endpoint> = {},
): Endpoint {
  return endpoint("core.x", { path, methods, ...init });
}

const site = [at(blocks, ["GET"]), at(block, ["GET"]), at(autosave, ["GET"])];

const changes = ["POST", "PUT", "PATCH"] as const;

test.each<{ given: Endpoint; want: string }>([
  { given: at(blocks, ["GET"]), want: "Lists the items of blocks." },
  { given: at(blocks, ["POST"]), want: "Creates an item in blocks." },
  { given: at(blocks, ["GET", "POST"]), want: "Lists the items of blocks or creates an item in blocks." },
  { given: at(blocks, ["DELETE"]), want: "Deletes items of blocks." },
  { given: at(blocks, changes), want: "Updates items of blocks." },
  { given: at(block, ["GET"]), want: "Gets one item of blocks." },
  { given: at(block, ["POST"]), want: "Updates one item of blocks." },
  { given: at(block, changes), want: "Updates one item of blocks." },
  { given: at(block, ["DELETE"]), want: "Deletes one item of blocks." },
  { given: at(block, ["GET", "DELETE"]), want: "Gets or deletes one item of blocks." },
  { given: at(autosaves, ["GET"]), want: "Lists the items of autosaves in one item of blocks." },
  { given: at(autosaves, ["POST"]), want: "Creates an item in autosaves of one item of blocks." },
  { given: at(autosave, ["GET"]), want: "Gets one item of autosaves in one item of blocks." },
  { given: at(["/core/v2/settings"], ["GET"]), want: "Gets settings." },
  { given: at(["/core/v2/settings"], changes), want: "Updates settings." },
  { given: at(["/core/v2/settings"], ["DELETE"]), want: "Deletes settings." },
  { given: at(["/core/v2/settings"], ["GET", "POST"]), want: "Gets or calls settings." },
  { given: at(["/core/v2/media/", id, "/post-process"], ["POST"]), want: "Calls post-process on one item of media." },
  { given: at(["/core/v2/forms/", id, "/refill"], ["GET"]), want: "Gets refill of one item of forms." },
  { given: at(["/core/v2/queue/flush"], ["POST"]), want: "Calls queue/flush." },
  { given: at(["/core/v2"], ["GET"], { route: "/core/v2" }), want: "Gets the index of /core/v2." },
  { given: at(["/core/v2/", id], ["GET"]), want: "Gets one item of /core/v2." },
  { given: at(["/core/v2/kinds/", id, "/", id], ["GET"]), want: "Gets one item of kinds." },
  { given: at(["/core/v2/copies", { optional: ["/", id] }], ["GET"]), want: "Gets one item of copies." },
  { given: at(["/core/v2/status", { filler: "/?" }], ["GET"]), want: "Gets status." },
  {
    given: at(["/core/v2/render/", { variable: "name", pattern: "core/list" }], ["POST"]),
    want: "Calls render/core/list.",
  },
  { given: at(["/core/v2/log"], ["GET"], { args: [arg("page")] }), want: "Lists the items of log." },
  {
    given: at(["/core/v2/log"], ["GET"], { answer: { kind: "array", items: { kind: "any" } } }),
    want: "Lists the items of log.",
  },
])("$given.methods $given.path has the sentence: $want", ({ given, want }) => {
  expect(createEndpointSentences([...site, given])(given)).toBe(want);
});
