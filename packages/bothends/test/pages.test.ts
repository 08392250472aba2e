import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLinePage } from "./pages/command-line-page.js";
import { configurationPage } from "./pages/configuration-page.js";

const repository = join(import.meta.dirname, "..", "..", "..");

// `pnpm golden` writes the pages.
test("the page of the command line matches its declarations", async () => {
  await expect(commandLinePage()).toMatchFileSnapshot(join(repository, "docs", "command-line.md"));
});

test("the page of the configuration matches its JSON Schema", async () => {
  const schema = join(repository, "packages", "bothends", "bothends.schema.json");
  await expect(configurationPage(schema)).toMatchFileSnapshot(join(repository, "docs", "configuration-reference.md"));
});

test("every command has an example and a description", () => {
  const sections = commandLinePage()
    .split(/^## bothends /m)
    .slice(1);
  expect(sections.length).toBeGreaterThan(8);
  for (const section of sections) {
    expect(section).toMatch(/^\$ npx bothends |^\$ eval /m);
  }
});
