// Runs programs from the packed packages on every supported platform, and compiles them with every supported compiler.
// Requires the output of `pnpm pack:all`, Linux on x64, and Chromium. Usage: run.mjs [part of a row's name…]
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expectText, freePort, root, run as runIn, withPage } from "../programs.mjs";

const here = import.meta.dirname;
const tools = join(here, "node_modules");
const app = realpathSync(mkdtempSync(join(tmpdir(), "bothends-matrix-")));
const packed = (name) => join(root, ".packed", name);

/** The path of the tarball that npm creates from a package. */
function tarballOf(name) {
  const manifest = JSON.parse(readFileSync(join(packed(name), "package.json"), "utf8"));
  return packed(`${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
}

/** Runs a command in the folder of the programs. */
const run = (command, parameters, options = {}) => runIn(command, parameters, { cwd: app, ...options });

function install() {
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"], {
    cwd: here,
  });
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const tarballs = ["runtime", "otel", "bothends"].map(tarballOf);
  const { devDependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const telemetry = Object.entries(devDependencies)
    .filter(([name]) => name.startsWith("@opentelemetry/"))
    .map(([name, release]) => `${name}@${release}`);
  const options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  run("npm", ["install", ...options, ...tarballs, ...telemetry]);
  cpSync(join(tools, "@types/node"), join(app, "node_modules/@types/node"), { recursive: true });
  cpSync(join(tools, "undici-types"), join(app, "node_modules/undici-types"), { recursive: true });
  cpSync(join(here, "programs"), join(app, "programs"), { recursive: true });
  for (const file of ["vehicle/reg.wsdl", "vehicle/records.xsd", "content/index.json"]) {
    cpSync(join(root, "schemas", file), join(app, file));
  }
  const config = {
    packages: { path: "generated", name: "generated" },
    interfaces: {
      vehicle: { wsdl: ["vehicle/reg.wsdl"], operations: ["CheckUSA"] },
      site: { index: "content/index.json", routes: ["/core/v2/blocks", "/core/v2/blocks/(?P<id>[\\d]+)"] },
    },
  };
  writeFileSync(join(app, "bothends.json"), JSON.stringify(config));
  run("npx", ["bothends", "generate"]);
  run(join(tools, "typescript7/bin/tsc"), ["-b", "generated"]);
}

/** Compiles a user's program and the declarations of the runtime, with both kinds of module resolution. */
function compile(compiler) {
  for (const module of ["nodenext", "esnext"]) {
    const compilerOptions = {
      target: "es2023",
      lib: ["es2023", "dom"],
      module,
      moduleResolution: module === "esnext" ? "bundler" : "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
    };
    writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["programs/types.ts"] }));
    run(process.execPath, [join(tools, compiler, "bin/tsc"), "-p", app, "--pretty", "false"]);
  }
  // The sources of the generated packages must compile, too.
  run(process.execPath, [
    join(tools, compiler, "bin/tsc"),
    "-p",
    join(app, "generated"),
    "--noEmit",
    "--pretty",
    "false",
  ]);
}

async function bundle(input, conditions) {
  const { rolldown } = await import(
    pathToFileURL(createRequire(join(root, "packages/pack/package.json")).resolve("rolldown")).href
  );
  const built = await rolldown({
    input: join(app, "programs", input),
    platform: "browser",
    resolve: { conditionNames: [...conditions, "import", "default"] },
  });
  const { output } = await built.generate({ format: "esm", codeSplitting: false });
  expectNoNode(output[0].code);
  return output[0].code;
}

function expectNoNode(code) {
  if (/from\s*["']node:|require\(["']node:/.test(code)) {
    throw new Error("The bundle imports a module of Node.");
  }
}

async function worker() {
  const port = await freePort();
  writeFileSync(join(app, "worker.js"), await bundle("worker.mjs", ["workerd", "worker", "browser"]));
  writeFileSync(
    join(app, "worker.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  );
  const child = spawn(join(tools, "workerd/bin/workerd"), ["serve", join(app, "worker.capnp")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    expectText(await textOf(`http://127.0.0.1:${port}/check`), "8 calls, 7 spans");
    expectText(await textOf(`http://127.0.0.1:${port}/api/reg.asmx?wsdl`), "definitions");
  } finally {
    child.kill();
  }
}

/** Requests an address until a server answers, and returns the text. */
async function textOf(url) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await (await fetch(url)).text();
    } catch (error) {
      if (attempt === 50) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function browser() {
  const script = (await bundle("page.mjs", ["browser"])).replaceAll("</script", "<\\/script");
  await withPage(async (page) => {
    // The content security policy does not allow `unsafe-eval`.
    await page.setContent(
      `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'"><script type="module">${script}</script>`,
    );
    for (let attempt = 0; attempt < 100 && (await page.title()) === ""; attempt += 1) {
      await page.waitForTimeout(200);
    }
    expectText(await page.title(), "8 calls, 7 spans");
  });
}

/** Checks that yarn's tarball of a package contains the same files as npm's. */
function checkYarnTarball(name) {
  const tarball = join(app, `yarn-${name}.tgz`);
  run(process.execPath, [join(tools, "yarn/bin/yarn.js"), "pack", "--filename", tarball], { cwd: packed(name) });
  const npm = tarballOf(name);
  const list = (file) =>
    run("tar", ["-tzvf", file])
      .split("\n")
      .filter((line) => line.startsWith("-"))
      .map((line) => line.split(" ").at(-1))
      .sort()
      .join("\n");
  if (list(tarball) !== list(npm)) {
    throw new Error(`yarn packs other files than npm:\n${list(tarball)}\n\n${list(npm)}`);
  }
}

const node = (name) => () => {
  const program = name === undefined ? process.execPath : join(tools, name, "bin/node");
  expectText(run(program, ["programs/sockets.mjs"]), "16 calls, 7 spans");
  expectText(run(program, ["--no-warnings", "programs/required.cjs"]), "entries");
  const output = run(program, ["node_modules/bothends/dist/main.js", "check"]);
  if (!/^Up to date: [^\n]+$/.test(output.trim())) {
    throw new Error(`bothends check must print only that the packages are up to date, but it printed:\n${output}`);
  }
};
/** Runs a check with the vendored runtime in place of the published one. */
const withVendoredRuntime = (check) => async () => {
  const runtime = join(app, "node_modules/@bothends/runtime");
  const published = join(app, "published-runtime");
  renameSync(runtime, published);
  try {
    cpSync(packed("vendored-runtime"), runtime, { recursive: true });
    await check();
  } finally {
    rmSync(runtime, { recursive: true, force: true });
    renameSync(published, runtime);
  }
};
const streams =
  (program, ...parameters) =>
  () =>
    expectText(run(program, [...parameters, "programs/streams.mjs"]), "16 checks of streams");
const bun = () => expectText(run(join(tools, "bun/bin/bun"), ["programs/sockets.mjs"]), "16 calls, 7 spans");
const { version } = process;
const rows = {
  [`Node ${version.slice(1)}`]: node(undefined),
  "Node 22": node("node22"),
  "Node 24": node("node24"),
  "Node 26": node("node26"),
  Bun: bun,
  Deno: () =>
    expectText(
      run(join(tools, "deno/deno"), ["run", "--allow-all", "--node-modules-dir=manual", "programs/sockets.mjs"]),
      "16 calls, 7 spans",
    ),
  "streams, Node": streams(process.execPath),
  "streams, Bun": streams(join(tools, "bun/bin/bun")),
  "streams, Deno": streams(join(tools, "deno/deno"), "run", "--allow-all", "--node-modules-dir=manual"),
  workerd: worker,
  Chromium: browser,
  "TypeScript 5.8": () => compile("typescript5"),
  "TypeScript 6": () => compile("typescript6"),
  "TypeScript 7": () => compile("typescript7"),
  "vendored, Node": withVendoredRuntime(node(undefined)),
  "vendored, Bun": withVendoredRuntime(bun),
  "vendored, workerd": withVendoredRuntime(worker),
  "vendored, Chromium": withVendoredRuntime(browser),
  "vendored, TypeScript 5.8": withVendoredRuntime(() => compile("typescript5")),
  "vendored, TypeScript 7": withVendoredRuntime(() => compile("typescript7")),
  ...Object.fromEntries(
    ["runtime", "otel", "bothends"].flatMap((name) => [
      [`publint ${name}`, () => checkManifest(name)],
      [`arethetypeswrong ${name}`, () => checkTypes(name)],
      [`yarn packs ${name}`, () => checkYarnTarball(name)],
    ]),
  ),
};

function checkManifest(name) {
  run(process.execPath, [join(tools, "publint/src/cli.js"), packed(name), "--strict", "--pack", "npm"]);
}

function checkTypes(name) {
  const program = join(tools, "@arethetypeswrong/cli/dist/index.js");
  run(process.execPath, [program, tarballOf(name), "--profile", "esm-only"]);
}

const selectedNames = process.argv.slice(2);
let failed = 0;
try {
  mkdirSync(app, { recursive: true });
  install();
  for (const [name, check] of Object.entries(rows)) {
    if (selectedNames.length > 0 && !selectedNames.some((part) => name.includes(part))) {
      continue;
    }
    const begin = performance.now();
    try {
      await check();
      console.log(`ok      ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`failed  ${name}\n${error.message}`);
    }
  }
} finally {
  rmSync(app, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
