// Functions that run programs and check their output, for the checks of the examples and of the platforms.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Runs a command, waits until it ends, and returns its output. */
export function run(command, parameters, { cwd, env = {}, timeout = 180_000 }) {
  const options = { cwd, env: { ...process.env, ...env }, encoding: "utf8", timeout, maxBuffer: 64 << 20 };
  const { status, stdout, stderr, error } = spawnSync(command, parameters, options);
  if (error !== undefined || status !== 0) {
    throw new Error(
      `${cwd}: ${command} ${parameters.join(" ")} ended with ${status}.\n${stdout}${stderr}${error ?? ""}`,
    );
  }
  return stdout + stderr;
}

export function expectText(text, ...parts) {
  for (const part of parts) {
    if (!text.includes(part)) {
      throw new Error(`The output has no "${part}":\n${text}`);
    }
  }
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}

/** Opens a page in a browser, calls `use` with it, and closes the browser afterwards. */
export async function withPage(use) {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error("Chromium is not installed in /usr/bin. Install it to run this check.");
  }
  const { chromium } = createRequire(join(root, "packages/e2e/package.json"))("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    return await use(await browser.newPage());
  } finally {
    await browser.close();
  }
}
