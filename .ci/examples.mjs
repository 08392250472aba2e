// Builds and runs the examples with the packages of this repository. Usage: examples.mjs [example…]
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectText, freePort, root, run, withPage } from "./programs.mjs";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bothends-examples-")));
const running = [];

/** Starts the server of an example, and waits for the first line of its output. */
function start(cwd, ...parameters) {
  const child = spawn(process.execPath, ["dist/main.js", ...parameters], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`${cwd} did not start within 20 s.`)), 20_000);
    child.once("exit", (code) => reject(new Error(`${cwd} ended with ${code}.`)));
    child.stdout.once("data", (text) => {
      clearTimeout(limit);
      resolve(String(text));
    });
  });
}

/** Copies an example, installs it with the packed packages, and builds it. */
function build(name) {
  const target = join(folder, name);
  cpSync(join(root, "examples", name), target, {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist|generated)$/.test(path),
  });
  const file = join(target, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const [dependency, short] of [
      ["@bothends/runtime", "bothends-runtime"],
      ["bothends", "bothends"],
    ]) {
      if (dependencies[dependency] !== undefined) {
        dependencies[dependency] = `file:${join(root, ".packed", `${short}-${version}.tgz`)}`;
      }
    }
  }
  writeFileSync(file, JSON.stringify(manifest));
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--loglevel=error"], {
    cwd: target,
  });
  run("npm", ["run", "build"], { cwd: target });
  return target;
}

const { version } = JSON.parse(readFileSync(join(root, ".packed/runtime/package.json"), "utf8"));

const examples = {
  async "stand-in-server"(target) {
    const port = await freePort();
    expectText(await start(target, port), `http://127.0.0.1:${port}/quotes?wsdl`);
    const wsdl = await (await fetch(`http://127.0.0.1:${port}/quotes?wsdl`)).text();
    expectText(wsdl, "<wsdl:definitions", `http://127.0.0.1:${port}/quotes`);
    // The example call-a-soap-service calls this server.
    const client = build("call-a-soap-service");
    const out = run("npm", ["start", "--silent", `http://127.0.0.1:${port}`], { cwd: client });
    expectText(out, "ACME: 101.50 EUR", "2 quotes", "The service refused: There is no symbol NONE.");
  },
  "wordpress-client"(target) {
    expectText(
      run("npm", ["start", "--silent"], { cwd: target }),
      "1 One",
      "3 Three",
      "Wrote draft 4",
      "Deleted draft 4",
    );
  },
  "in-memory-tests"(target) {
    expectText(run("npm", ["test", "--silent"], { cwd: target }), "# pass 3");
  },
  async "browser-page"(target) {
    const port = await freePort();
    await start(target, port);
    await withPage(async (page) => {
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.getByRole("button").click();
      await page.getByText("ACME: 101.50 EUR").waitFor({ timeout: 20_000 });
      await page.getByLabel("Symbol").fill("NONE");
      await page.getByRole("button").click();
      await page.getByText("There is no symbol NONE.").waitFor({ timeout: 20_000 });
    });
  },
};

// The test of stand-in-server also runs call-a-soap-service; .ci/databases tests the other two.
const tested = [...Object.keys(examples), "call-a-soap-service", "content-site", "vehicle-registry"];
const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const untested = folders.map(({ name }) => name).filter((name) => !tested.includes(name));
if (untested.length > 0) {
  throw new Error(`No check runs these examples: ${untested.join(", ")}. Add them to examples.mjs or databases.`);
}

const selectedNames = process.argv.slice(2);
try {
  mkdirSync(folder, { recursive: true });
  for (const [name, check] of Object.entries(examples)) {
    if (selectedNames.length === 0 || selectedNames.includes(name)) {
      const begin = performance.now();
      await check(build(name));
      console.log(`${name} (${((performance.now() - begin) / 1000).toFixed(0)} s)`);
    }
  }
} finally {
  for (const child of running) {
    child.removeAllListeners("exit");
    child.kill();
  }
  rmSync(folder, { recursive: true, force: true });
}
