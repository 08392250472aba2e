import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../house/sources.js";
import { Project } from "./project.js";
import { wsdlOf } from "./wsdl.js";

const bin = join(root, "packages/bothends/dist/bin.js");
const config = JSON.stringify({
  packages: Object.fromEntries(
    ["contract", "client", "server"].map((name) => [name, { path: `packages/${name}`, name: `@x/${name}` }]),
  ),
  interfaces: { hello: { wsdl: ["schemas/s.wsdl"] } },
});

function helloProject(): Project {
  return new Project({ "schemas/s.wsdl": wsdlOf(), "bothends.json": config });
}

/** Runs a command in a shell, in which `$bothends` stands for the command line. Returns the output of the shell. */
async function shell(cwd: string, command: string): Promise<string> {
  const child = spawn("bash", ["-c", command], {
    cwd,
    env: { ...process.env, bothends: `${process.execPath} ${bin}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  child.stdout.on("data", (data: Buffer) => printed.push(data.toString()));
  child.stderr.on("data", (data: Buffer) => printed.push(data.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  return printed.join("");
}

test.each([
  { command: "$bothends check 2>/dev/null | head -1" },
  { command: "$bothends check 2>/dev/null | true" },
  { command: "$bothends check 2>&1 >/dev/null | true" },
  { command: "$bothends check 2>&1 | head -c 1" },
])("a reader that closes early changes neither output nor exit code: $command", async ({ command }) => {
  const printed = await shell(helloProject().path, `${command}; echo " exit code \${PIPESTATUS[0]}"`);
  expect(printed).toMatch(/ exit code 1\n$/);
  expect(printed).not.toMatch(/\n {4}at |EPIPE/);
});

test.runIf(existsSync("/dev/full"))(
  "if the output cannot be written, the exit code is 2, and no stack trace is printed",
  async () => {
    const printed = await shell(helloProject().path, '$bothends check >/dev/full; echo "exit code $?"');
    expect(printed).toContain("bothends: Cannot write to standard output: ");
    expect(printed).toMatch(/exit code 2\n$/);
    expect(printed).not.toMatch(/\n {4}at /);
  },
);
