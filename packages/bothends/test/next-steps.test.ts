import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProjectFolder, wsdl } from "./project-folder.js";

/** Returns the commands and the lines of code that `init` prints, without the list of files. */
function listSteps(out: string): readonly string[] {
  return out.split("\n").flatMap((line) => (line.startsWith("    ") ? [line.trim()] : []));
}

const links =
  "@bothends/runtime@link:./generated/runtime hello-contract@link:./generated/contract hello-client@link:./generated/client";

test.each([
  {
    lockFile: "package-lock.json",
    install: "npm install ./generated/client",
    build: "npx tsc",
    run: "npx tsx call.mts",
  },
  { lockFile: "pnpm-lock.yaml", install: `pnpm add ${links}`, build: "pnpm exec tsc", run: "pnpm dlx tsx call.mts" },
  { lockFile: "yarn.lock", install: `yarn add ${links}`, build: "yarn tsc", run: "npx tsx call.mts" },
  { lockFile: "bun.lock", install: `bun add ${links}`, build: "bunx tsc", run: "bun call.mts." },
])("init in a project with $lockFile prints the commands of its package manager", async (each) => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), [each.lockFile]: "" });
  const { out } = await project.run("init", "hello.wsdl");
  expect(listSteps(out)).toEqual(expect.arrayContaining([each.install, `${each.build} -b generated/client`]));
  expect(out).toContain(`run it with ${each.run}`);
});

test("init in a project with Yarn's Plug'n'Play turns it off first", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "yarn.lock": "", ".pnp.cjs": "" });
  const { out } = await project.run("init", "hello.wsdl");
  expect(listSteps(out).slice(0, 2)).toEqual([
    "yarn config set nodeLinker node-modules",
    "yarn add --dev typescript @types/node",
  ]);
  // npx does not find packages that Plug'n'Play installed.
  expect(listSteps(out).at(-1)).toBe("yarn bothends scaffold server my-server");
  const { err } = await project.run("scaffold", "server", "My Server");
  expect(err).toContain("Try yarn bothends scaffold server my-server.");
});

test("the lock file of a workspace counts in the folders below it", async () => {
  const project = new ProjectFolder({ "app/hello.wsdl": wsdl(), "pnpm-lock.yaml": "" });
  const { out } = await project.runIn("app", "init", "hello.wsdl");
  expect(listSteps(out)).toContain(`pnpm add ${links}`);
});

test("without a lock file, the package manager that starts init counts", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  project.host = { environment: { npm_config_user_agent: "pnpm/12.21.0 npm/? node/v20.20.2 linux x64" } };
  const { out } = await project.run("init", "hello.wsdl");
  expect(listSteps(out)).toContain("pnpm add --save-dev typescript @types/node");
});

test("a runtime from a registry is added with its version", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "pnpm-lock.yaml": "" });
  const { out } = await project.run("init", "hello.wsdl", "--no-vendor-runtime");
  expect(out).toMatch(/ {4}pnpm add @bothends\/runtime@\^\d+\.\d+\.\d+ hello-contract@link:/);
});

test("scaffold prints the command of the project's package manager", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "pnpm-lock.yaml": "" });
  await project.run("init", "hello.wsdl");
  const { out } = await project.run("scaffold", "server", "greeter");
  const link = `pnpm add ${links.replaceAll("client", "server")}`;
  expect(listSteps(out)).toEqual([
    link,
    "npm install --prefix greeter",
    "npm start --prefix greeter",
    'const helloClient = new HelloClient({ baseUrl: "http://127.0.0.1:8080" });',
  ]);
  expect(out).toContain("Use npm in its folder, because pnpm would copy the packages instead of linking them");
  expect(project.read("greeter/README.md")).toContain(`- \`${link}\` in the project folder`);
  expect(project.read("greeter/README.md")).toContain("- Use npm in this folder: pnpm would copy");
});

test.each([
  {
    file: "pnpm-workspace.yaml",
    text: "packages:\n  # all\n  - \"packages/*\"\n  - '*' # here\n",
    item: '- "!greeter"',
  },
  { file: "pnpm-workspace.yaml", text: "allowBuilds: {}\npackages: [ apps/x, '**' ]\n", item: '- "!greeter"' },
  { file: "package.json", text: '{ "workspaces": ["./{greeter,other}/"] }', item: '"!greeter"' },
  { file: "package.json", text: '{ "workspaces": { "packages": ["g?eeter"] } }', item: '"!greeter"' },
])("scaffold asks to exclude the server from the workspace in $file: $text", async ({ file, text, item }) => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "pnpm-lock.yaml": "", [file]: text });
  await project.run("init", "hello.wsdl");
  const { out } = await project.run("scaffold", "server", "greeter");
  expect(out).toContain(`The workspace in ${file} includes greeter. Exclude it: add this`);
  expect(listSteps(out)[0]).toBe(item);
});

test.each([
  { file: "pnpm-workspace.yaml", text: "packages:\n  - packages/*\nallowBuilds:\n  - '*'\n" },
  { file: "pnpm-workspace.yaml", text: "packages:\n- '*'\n- '!greeter'\n" },
  { file: "pnpm-workspace.yaml", text: "allowBuilds: {}\n" },
  { file: "package.json", text: '{ "workspaces": ["packages/*"] }' },
])("scaffold does not mention the workspace in $file, which does not include the server: $text", async (workspace) => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "pnpm-lock.yaml": "", [workspace.file]: workspace.text });
  await project.run("init", "hello.wsdl");
  expect((await project.run("scaffold", "server", "greeter")).out).not.toContain("workspace");
});

// npm refuses dependencies with the protocol `link:`, which the other package managers need.
test.each([
  { lockFile: "package-lock.json", install: "RUN npm install --omit=dev ./generated/server" },
  { lockFile: "pnpm-lock.yaml", install: "RUN rm -f package.json && npm install --omit=dev ./generated/server" },
])("the image of a server in a project with $lockFile runs $install", async ({ lockFile, install }) => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), [lockFile]: "" });
  await project.run("init", "hello.wsdl");
  await project.run("scaffold", "server", "greeter");
  expect(project.read("greeter/Dockerfile").split("\n")).toContain(install);
});

test("without a configuration, the README of a server names the packages relative to the project", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  await project.run("scaffold", "server", "greeter", "--wsdl", "hello.wsdl", "--out", "made");
  expect(project.read("greeter/README.md")).toContain("- `npm install ./made/server` in the project folder");
});

test("init shows how to write a server", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const { out } = await project.run("init", "hello.wsdl");
  expect(listSteps(out).at(-1)).toBe("npx bothends scaffold server my-server");
});

test("the command that writes a server has the options of a run without a configuration", async () => {
  const project = new ProjectFolder({ "in/hello.wsdl": wsdl() });
  const parameters = ["--wsdl", "in/hello.wsdl", "--out", "made"];
  const { out } = await project.run("generate", ...parameters);
  const command = listSteps(out).at(-1) ?? "";
  expect(command).toBe("npx bothends scaffold server my-server --wsdl in/hello.wsdl --out made");
  const { code, err } = await project.run(...command.split(" ").slice(2));
  expect([code, err]).toEqual([0, ""]);
});

test("the README of the client contains the call that init prints", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const { out } = await project.run("init", "hello.wsdl");
  const readme = project.read("generated/client/README.md").split("\n");
  const call = listSteps(out).find((line) => line.startsWith("const answer = "));
  expect(call).toContain("{ ");
  expect(readme).toContain(call);
  expect(readme).not.toContainEqual(expect.stringContaining("declare"));
});

test("the first call is also a program in JavaScript", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  const { out } = await project.run("init", "hello.wsdl");
  const [, program = ""] = /As call\.mjs, it also runs with node call\.mjs:\n\n((?: {4}.*\n|\n)+)/.exec(out) ?? [];
  expect(program).toContain("console.log(answer);");
  const file = join(project.path, "call.mjs");
  writeFileSync(file, program);
  execFileSync(process.execPath, ["--check", file]);
});

test("the first call has no example of an input with thousands of empty records", async () => {
  const level = (number: number) => {
    const names = Array.from({ length: number === 2 ? 0 : 40 }, (_, index) => `M${index}`);
    const members = names.map((name) => `<element name="${name}" type="tns:Level${number + 1}"/>`).join("");
    return `<complexType name="Level${number}"><sequence>${members}</sequence></complexType>`;
  };
  const text = wsdl()
    .replace('<element name="Name" type="string"/>', '<element name="All" type="tns:Level0"/>')
    .replace('<element name="GreetResponse">', `${[0, 1, 2].map(level).join("")}$&`);
  const project = new ProjectFolder({ "hello.wsdl": text });
  const { out } = await project.run("init", "hello.wsdl");
  expect(out).toContain("helloClient.greet({ /* its members */ })");
  expect(project.read("generated/client/README.md")).toContain("declare const input: Greet;");
});
