import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Routes } from "@bothends/runtime/server";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { root } from "../house/sources.js";
import { Copy, type Ran } from "./copy.js";
import { withOperation } from "./edit-schemas.js";

let copy: Copy;
beforeAll(() => {
  copy = new Copy();
}, 60_000);
afterAll(() => copy.remove(), 60_000);

/** The names of generated pages, which contain no programs. */
const generatedPages = ["SUPPORT.md", "diagnostics.md", "performance.md"];
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((file) => file.endsWith(".md") && !generatedPages.includes(file))
    .map((file) => `docs/${file}`),
  "packages/otel/README.md",
];

/** Returns the code blocks of one language on all pages. */
function blocks(language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm");
  return pages.flatMap((page) => [...copy.read(page).matchAll(fenced)].map((match) => match[1] ?? ""));
}

const post = { id: 1, title: { raw: "Hello", rendered: "Hello" }, content: { raw: "Hello", rendered: "<p>Hello</p>" } };

/** The answers of a WordPress site to the snippets about WordPress. */
const blogAnswers: Readonly<Record<string, object>> = {
  "GET /wp-json/wp/v2/posts": [post],
  "GET /wp-json/wp/v2/posts/1": post,
  "POST /wp-json/wp/v2/posts/1": post,
  "DELETE /wp-json/wp/v2/posts/1": { deleted: true, previous: post },
  "POST /wp-json/batch/v1": {
    responses: [
      { status: 201, headers: {}, body: { ...post, id: 2 } },
      { status: 404, headers: {}, body: { code: "rest_term_invalid", message: "No.", data: { status: 404 } } },
    ],
  },
};

const missing = { code: "rest_post_invalid_id", message: "Invalid post ID.", data: { status: 404 } };

const blogRoutes: Routes = {
  name: "blog",
  answer({ method, target }) {
    const path = target.replace(/\?.*/, "");
    const isMissing = path === "/wp-json/wp/v2/posts/999999";
    const answer = isMissing ? missing : blogAnswers[`${method} ${path}`];
    const headers = [["Content-Type", "application/json"]] as const;
    return answer && { status: isMissing ? 404 : 200, headers, body: JSON.stringify(answer) };
  },
};

/**
 * Serves the sample data of both interfaces. The content interface is also served at the default base path, which
 * applies without a configuration.
 */
function serveForSnippets(): Promise<RunningServer> {
  const content = createContentSample();
  const routes = [
    blogRoutes,
    vehicleRoutes(vehicleSample),
    contentRoutes(content),
    contentRoutes(content, { base: "/wp-json", plainPermalinks: false }),
  ];
  return listen(routes, { port: 0, host: "127.0.0.1" });
}

/** Writes the package of a user, with each snippet in a separate file. */
function writeUser(url: string): void {
  const packages = ["contract", "client", "server", "runtime", "otel"].map((name) => [
    `@bothends/${name}`,
    "workspace:^",
  ]);
  const dependencies = { ...Object.fromEntries(packages), "@opentelemetry/sdk-trace-base": "catalog:" };
  const manifest = { name: "user", version: "0.0.0", private: true, type: "module", dependencies };
  copy.write("packages/user/package.json", JSON.stringify(manifest));
  copy.write("packages/user/tsconfig.json", copy.read("packages/my-server/tsconfig.json"));
  const known = `const baseUrl: string = ${JSON.stringify(url)};\nconst siteUrl: string = baseUrl;\nvoid siteUrl;\n`;
  for (const [index, snippet] of blocks("ts").entries()) {
    copy.write(`packages/user/src/snippet-${index}.ts`, known + snippet);
  }
}

const pnpm = "npx -y pnpm@12";
/** The command that the package's scripts run, after the program is built. */
const bothends = "node packages/bothends/dist/bin.js";

/** Generates without a configuration, as the README does, installs the result in the user's package, and builds it. */
function installGenerated(): Promise<Ran> {
  return copy.run(`set -e
${bothends} generate --wsdl schemas/vehicle/reg.wsdl --out generated
${bothends} generate --index packages/e2e/recorded/wordpress/index.json --name site --out generated-site
${bothends} generate --index packages/e2e/recorded/wordpress/index.json --name blog --out generated-blog
for folder in generated generated-site generated-blog; do
  mkdir -p $folder/node_modules/@bothends
  ln -s "$PWD/packages/runtime" $folder/node_modules/@bothends/runtime
done
ln -s "$PWD/generated/contract" generated/node_modules/reg-contract
ln -s "$PWD/generated-site/contract" generated-site/node_modules/site-contract
ln -s "$PWD/generated-blog/contract" generated-blog/node_modules/blog-contract
ln -s "$PWD/generated/contract" packages/user/node_modules/reg-contract
ln -s "$PWD/generated/client" packages/user/node_modules/reg-client
ln -s "$PWD/generated/server" packages/user/node_modules/reg-server
ln -s "$PWD/generated-site/client" packages/user/node_modules/site-client
ln -s "$PWD/generated-blog/client" packages/user/node_modules/blog-client
for end in contract client server; do
  ln -s "$PWD/packages/$end" packages/user/node_modules/vehicle-$end
  ln -s "$PWD/packages/$end" packages/user/node_modules/content-$end
done
node_modules/.bin/tsc -b generated/client generated/server generated-site/client generated-blog/client --pretty false`);
}

describe.sequential("in a copy with nothing installed", () => {
  test("every command of the README and of docs succeeds", { timeout: 400_000 }, async () => {
    const lines = blocks("sh").flatMap((block) => block.split("\n").filter((line) => line !== ""));
    expect(lines.slice(0, 2)).toEqual([`${pnpm} generate`, `${pnpm} test`]);
    for (const line of lines) {
      // The command `pnpm test` runs only a few test files, because with this file it would never end.
      const { code, out } = await copy.run(line, { TEST_ONLY: "packages/e2e/test/schemas/*.test.ts" });
      expect(code, `${line}\n${out}`).toBe(0);
    }
  });

  test("every snippet of the README and of docs compiles and runs against the sample", {
    timeout: 120_000,
  }, async () => {
    const server = await serveForSnippets();
    try {
      writeUser(server.url);
      const installed = await copy.run(`${pnpm} install`);
      expect(installed.code, installed.out).toBe(0);
      const generated = await installGenerated();
      expect(generated.code, generated.out).toBe(0);
      const compiled = await copy.run("node_modules/.bin/tsc -p packages/user --pretty false");
      expect(compiled.out).toBe("");
      // One process runs the snippets in turn, because starting a process for each would take longer than they do.
      const imports = [...blocks("ts").keys()].map((index) => `await import("./snippet-${index}.js");\n`);
      copy.write("packages/user/dist/all-snippets.js", imports.join(""));
      const { code, out } = await copy.run("node packages/user/dist/all-snippets.js");
      expect(code, out).toBe(0);
    } finally {
      await server.close();
    }
  });

  test("the scaffolded server starts and answers", { timeout: 180_000 }, async () => {
    const { code, out } = await copy.run(`${pnpm} --dir packages/my-server test`);
    expect(code, out).toBe(0);
  });

  test("the demo runs as a server on request, and its curl commands work", { timeout: 180_000 }, async () => {
    const { code, out } = await copy.run(
      `node packages/e2e/dist/demo/main.js --serve --port 0 > served.txt & pid=$!; for i in $(seq 120); do grep -qs OPTIONS served.txt && break; sleep 0.5; done; grep '^curl' served.txt | while read -r line; do sh -c "$line --fail" > answer.txt || echo "failed: $line"; done; kill $pid; wait $pid; grep -c '^curl' served.txt`,
    );
    expect(out.trim(), out).toBe("9");
    expect(code).toBe(0);
  });

  test("an edited schema reaches the client and a scaffolded server, which keeps its edits", {
    timeout: 120_000,
  }, async () => {
    const edited = copy
      .read("packages/my-server/src/vehicle/reg/check-malta.ts")
      .replace("return null;", "return { vehicleJson: input.RegistrationNumber };")
      .replace("_input", "input");
    copy.write("packages/my-server/src/vehicle/reg/check-malta.ts", edited);
    copy.write(
      "schemas/vehicle/reg.wsdl",
      withOperation(copy.read("schemas/vehicle/reg.wsdl"), "CheckMalta", "CheckIceland"),
    );
    copy.write(
      "schemas/vehicle/records.xsd",
      copy
        .read("schemas/vehicle/records.xsd")
        .replace(
          'name="LicenceHolder"',
          'name="LicenceHolder" type="s:string" />\n      <s:element minOccurs="0" maxOccurs="1" name="Seats"',
        ),
    );
    const index = JSON.parse(copy.read("schemas/content/index.json"));
    index.routes["/seo/v1/statistics"].endpoints[0].args.since = { required: false, type: "integer" };
    index.routes["/core/v2/tags"] = {
      namespace: "core/v2",
      methods: ["GET"],
      endpoints: [{ methods: ["GET"], args: {} }],
    };
    copy.write("schemas/content/index.json", JSON.stringify(index, null, 2));

    const drift = await copy.run(`${bothends} check`);
    expect(drift.code, drift.out).toBe(1);
    const generated = await copy.run(`${bothends} generate`);
    expect(generated.code, generated.out).toBe(0);
    expect(generated.out).toContain("CheckIceland: An operation was added");
    await copy.run("rm packages/user/src/*.ts");
    copy.write(
      "packages/user/src/uses.ts",
      `import type { ContentClient } from "@bothends/client/content";
import type { VehicleClient } from "@bothends/client/vehicle";
import type { IrishTaxi } from "@bothends/server/vehicle";
export const iceland = (client: VehicleClient) => client.reg.checkIceland({ RegistrationNumber: "A", username: "u" });
export const seats: IrishTaxi = { Seats: "4" };
export const tags = (client: ContentClient) => client.core.tags.list();
export const statistics = (client: ContentClient) => client.seo.statistics.list({ since: 1 });
`,
    );
    const broken = await copy.run("node_modules/.bin/tsc -b packages/client packages/my-server --pretty false");
    expect(broken.out).toContain("src/vehicle/handlers.ts");
    expect(broken.out).toContain("checkIceland");
    expect(broken.out).toContain("src/content/handlers.ts");
    expect(broken.out).toContain("tags");
    expect((await copy.run("node_modules/.bin/tsc -p packages/user --pretty false")).out).toBe("");

    const before = copy.read("packages/my-server/src/vehicle/handlers.ts");
    const shown = await copy.run(`${bothends} scaffold server my-server --dry-run`);
    expect(shown.out).toContain("handler added: reg.checkIceland");
    expect(copy.read("packages/my-server/src/vehicle/handlers.ts")).toBe(before);
    const merged = await copy.run(`${bothends} scaffold server my-server`);
    expect(merged.code, merged.out).toBe(0);
    expect(merged.out).toContain("handler added: core.tags.list");
    expect(merged.out).toContain("  check bespokeapi.checkIrishTaxi (");
    expect(merged.out).toContain("  check seo.statistics.list (");
    expect(copy.read("packages/my-server/src/vehicle/reg/check-malta.ts")).toBe(edited);
    const whole = await copy.run("node_modules/.bin/tsc -b packages/my-server --pretty false");
    expect(whole.out).toBe("");
  });

  test("an edited generated file is named and not replaced; --force replaces it and keeps a copy", {
    timeout: 180_000,
  }, async () => {
    const file = "packages/client/src/vehicle/index.ts";
    copy.write(file, `${copy.read(file)}// mine\n`);
    const refused = await copy.run(`${bothends} generate`);
    expect(refused.code).toBe(1);
    expect(refused.out).toContain(file);
    const forced = await copy.run(`${bothends} generate --force`);
    expect(forced.code, forced.out).toBe(0);
    expect(copy.read(`${file}.orig`)).toContain("// mine");
    expect(copy.read(file)).not.toContain("// mine");
  });
});
