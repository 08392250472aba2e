import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restClientOptions, soapClientOptions } from "../../../../runtime/src/client/options.js";
import { mappings } from "../../../src/plan/builtins.js";
import { configMembers, readConfig } from "../../../src/read/config/read-config.js";
import { clientOptions, restMembers, soapMembers } from "../../../src/read/config/read-interfaces.js";
import { Diagnostics } from "../../../src/source/diagnostics.js";
import { sourceLimits } from "../../../src/source/source-limits.js";

const repository = join(import.meta.dirname, "..", "..", "..", "..", "..");
const schema = JSON.parse(readFileSync(join(repository, "packages/bothends/bothends.schema.json"), "utf8"));
const { soapInterface, restInterface } = schema.definitions;

test("the JSON Schema for editors has the same members as the reader", () => {
  expect(Object.keys(soapInterface.properties)).toEqual(soapMembers);
  expect(Object.keys(restInterface.properties)).toEqual(restMembers);
  expect(Object.keys(schema.properties)).toEqual(configMembers);
});

test("the JSON Schema for editors has the limits and their defaults", () => {
  const { limits } = schema.properties;
  const defaults = Object.entries<{ default: number }>(limits.properties).map(([name, limit]) => [name, limit.default]);
  expect(Object.fromEntries(defaults)).toEqual(sourceLimits);
});

test("the JSON Schema for editors offers the types that typeMap allows", () => {
  const { typeMap } = soapInterface.properties;
  expect(Object.keys(typeMap.properties).sort()).toEqual([...mappings.keys()].sort());
  for (const [name, types] of mappings) {
    const [offered, module] = typeMap.properties[name].anyOf ?? schema.definitions.wideInteger.anyOf;
    expect(offered.enum).toEqual(expect.arrayContaining([...types.keys()]));
    expect(module).toEqual({ $ref: "#/definitions/moduleType" });
  }
});

test("the refused names are the names of client options", () => {
  expect([...clientOptions.soap].sort()).toEqual([...soapClientOptions].sort());
  expect([...clientOptions.rest].sort()).toEqual([...restClientOptions].sort());
});

test("the configuration of this repository is valid", () => {
  const diagnostics = new Diagnostics();
  const text = readFileSync(join(repository, "bothends.json"), "utf8");
  const config = readConfig({ path: "bothends.json", text }, diagnostics, { runtime: "" });
  expect(diagnostics.all).toEqual([]);
  expect(config?.interfaces.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["soap vehicle", "rest content"]);
});
