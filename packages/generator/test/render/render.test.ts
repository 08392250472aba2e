import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Config } from "../../src/model/index.js";
import { planFiles } from "../../src/plan/index.js";
import { render } from "../../src/render/render.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { contentInterface, vehicleInterface } from "../emit/contracts.js";
import { configOf, contractOf } from "../emit/fixtures.js";

const folder = new URL("../../../../templates/package/", import.meta.url);
const templates = new Map(
  readdirSync(folder).map((name) => [`package/${name}`, readFileSync(new URL(name, folder), "utf8")] as const),
);

const importing = 'import type { AnyElement } from "@bothends/runtime";';
const code = new Map(
  ["contract", "client", "server"].map((kind) => [`packages/${kind}/src/vehicle/index.ts`, importing] as const),
);

function rendered(config: Config, files: ReadonlyMap<string, string> = code): ReadonlyMap<string, string> {
  const plan = planFiles(contractOf(vehicleInterface(), contentInterface()), config, new Diagnostics());
  return render({ plan, config, templates, code: files, exampleCalls: new Map() });
}

function parsed(tree: ReadonlyMap<string, string>, path: string): unknown {
  return JSON.parse(tree.get(path) ?? "");
}

test("each package has its three project files", () => {
  expect([...rendered(configOf()).keys()]).toEqual(
    ["contract", "client", "server"].flatMap((each) =>
      ["package.json", "tsconfig.json", "README.md"].map((file) => `packages/${each}/${file}`),
    ),
  );
});

test("a package exports each interface, from source while it is developed", () => {
  const tree = rendered(configOf());
  expect(parsed(tree, "packages/client/package.json")).toMatchObject({
    name: "@bothends/client",
    exports: {
      "./vehicle": { "@bothends/source": "./src/vehicle/index.ts", types: "./dist/vehicle/index.d.ts" },
      "./content": { default: "./dist/content/index.js" },
    },
    publishConfig: { exports: { "./vehicle": { default: "./dist/vehicle/index.js" } } },
    dependencies: { "@bothends/contract": "workspace:^", "@bothends/runtime": "workspace:^" },
  });
  expect(tree.get("packages/client/package.json")?.split("publishConfig")[1]).not.toContain("src/");
});

test("inside the workspace, projects refer to the runtime and the contract", () => {
  const tree = rendered(configOf());
  expect(parsed(tree, "packages/server/tsconfig.json")).toMatchObject({
    references: [{ path: "../runtime" }, { path: "../contract" }],
  });
  expect(parsed(tree, "packages/contract/tsconfig.json")).toMatchObject({ references: [{ path: "../runtime" }] });
});

test("outside a workspace, the contract is a file dependency and the configuration gives the range of the runtime", () => {
  const tree = rendered(configOf({}, "^0.1.0"));
  expect(parsed(tree, "packages/client/package.json")).toMatchObject({
    dependencies: { "@bothends/contract": "file:../contract", "@bothends/runtime": "^0.1.0" },
  });
  expect(parsed(tree, "packages/client/tsconfig.json")).toMatchObject({ references: [{ path: "../contract" }] });
  expect(parsed(tree, "packages/contract/tsconfig.json")).not.toHaveProperty("references");
  expect(parsed(tree, "packages/client/package.json")).toHaveProperty("devDependencies.typescript");
  expect(parsed(rendered(configOf()), "packages/client/package.json")).not.toHaveProperty("devDependencies");
});

test("a package whose files do not import the runtime does not depend on it", () => {
  const tree = rendered(configOf(), new Map([...code, ["packages/contract/src/vehicle/index.ts", "export {};"]]));
  expect(parsed(tree, "packages/contract/package.json")).not.toHaveProperty("dependencies");
  expect(parsed(tree, "packages/contract/tsconfig.json")).not.toHaveProperty("references");
  expect(parsed(tree, "packages/client/package.json")).toHaveProperty(["dependencies", "@bothends/runtime"]);
});

test("quotes and braces in a name are written as text", () => {
  const config = configOf();
  const name = 'x", "scripts": {"postinstall": "evil"}, "y": "{{#each this}}`|';
  const client = { path: "packages/client", name };
  const tree = rendered({ ...config, packages: { ...config.packages, client } });
  const manifest = parsed(tree, "packages/client/package.json");
  expect(manifest).toMatchObject({ name });
  expect(manifest).toHaveProperty("scripts", { build: "tsc -b" });
  expect(tree.get("packages/client/README.md")?.split("\n")[0]).toBe(
    '# `x", "scripts": {"postinstall": "evil"}, "y": "{{#each this}}  `',
  );
});

test("a template that names an unknown slot is refused", () => {
  const config = configOf();
  const plan = planFiles(contractOf(), config, new Diagnostics());
  const broken = new Map([...templates, ["package/package.json.hbs", "{{nothing}}"] as const]);
  expect(() => render({ plan, config, templates: broken, code, exampleCalls: new Map() })).toThrow(/nothing/);
});

test.each(["{{evil name}}", '{{lookup this "constructor"}}{{evil this}}'])(
  "a template calls only functions of the generator: %s is refused",
  (text) => {
    const plan = planFiles(contractOf(vehicleInterface()), configOf(), new Diagnostics());
    const changed = new Map([...templates].map(([path]) => [path, text]));
    expect(() => render({ plan, config: configOf(), templates: changed, code, exampleCalls: new Map() })).toThrow(
      /knownHelpersOnly|unknown helper/,
    );
  },
);
