import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./sources.js";

const withImages = readdirSync(join(root, "examples")).filter((name) =>
  existsSync(join(root, "examples", name, "Dockerfile")),
);

describe.each(withImages)("the Dockerfile of examples/%s", (name) => {
  const folder = join(root, "examples", name);
  const file = readFileSync(join(folder, "Dockerfile"), "utf8").replaceAll("\\\n", " ");

  test("copies only files of the repository", () => {
    const copies = [...file.matchAll(/^COPY (?!--from)((?:--\S+ )*)(.+) \S+$/gm)].map((match) => match[2] ?? "");
    expect(copies.length).toBeGreaterThan(0);
    for (const path of copies.flatMap((sources) => sources.split(" "))) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
  });

  test("leaves out installed and built files, and a server's stored data", () => {
    const ignored = readFileSync(join(folder, "Dockerfile.dockerignore"), "utf8").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["**/node_modules", "**/dist", "**/data", "**/uploads", ".git"]));
  });

  test("names the example, its program, and variables that it reads", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name: string };
    expect([...file.matchAll(/--filter (\S+)/g)].map((match) => match[1]?.replace("...", ""))).toEqual([
      manifest.name,
      manifest.name,
    ]);
    expect(file).toContain(`--dir examples/${name} build`);
    expect(file).toContain('CMD ["node", "dist/main.js"]');
    expect(existsSync(join(folder, "src/main.ts"))).toBe(true);
    const sources = readdirSync(join(folder, "src"), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(folder, "src", entry.name), "utf8"))
      .join("\n");
    const variables = [...(/^ENV (.+)$/m.exec(file)?.[1] ?? "").matchAll(/(\w+)=/g)].map((match) => match[1] ?? "");
    expect(variables.length).toBeGreaterThan(2);
    for (const variable of variables) {
      expect([variable, sources.includes(`"${variable}"`)]).toEqual([variable, true]);
    }
  });
});
