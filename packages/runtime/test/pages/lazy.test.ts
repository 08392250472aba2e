import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const server = join(import.meta.dirname, "../../src/server");

test("pages are loaded on first use", () => {
  const files = readdirSync(server, { recursive: true, encoding: "utf8" });
  const modules = files.filter((file) => file.endsWith(".ts"));
  expect(modules.length).toBeGreaterThan(20);
  const loads = modules.flatMap((file) =>
    readFileSync(join(server, file), "utf8")
      .split("\n")
      .filter((line) => /from "[./]*pages\//.test(line) && !/^(?:import|export) type /.test(line)),
  );
  expect(loads).toEqual([]);
});
