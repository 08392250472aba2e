import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Group, Subject } from "../measure.js";
import { getPeerModule, hasPeers } from "../peers.js";
import { createProgram, workspace } from "../processes.js";

const modules: Readonly<Record<string, readonly string[]>> = {
  "bare node": [],
  "node:http": ["node:http"],
  "one operation over SOAP 1.1": [
    "@bothends/runtime/call",
    "@bothends/runtime/soap11",
    "@bothends/contract/vehicle/operations",
  ],
  "SOAP client classes": ["@bothends/client/vehicle"],
  "REST client classes": ["@bothends/client/content"],
  "SOAP server": ["@bothends/server/vehicle", "@bothends/runtime/server/node"],
};

/** Measures the start of Node with the imports of a program, from the published packages. */
export const measureStartup = (): readonly Group[] => {
  const installation = install();
  return [
    {
      id: "start",
      title: "Start and import",
      unit: "CPU ms",
      baseline: "A program whose file is empty. The other programs are files that contain only the imports.",
      subjects: [
        ...Object.entries(modules).map(
          ([name, imported]): Subject => ({
            name,
            measure: createProgram(name.replace(/\W+/g, "-"), formatImports(imported), installation),
          }),
        ),
        ...(hasPeers ? ["soap", "strong-soap", "fastify", "undici"] : []).map(
          (peer): Subject => ({
            name: peer === "soap" ? "node-soap" : peer,
            measure: createProgram(peer, formatImports([getPeerModule(peer)]), installation),
          }),
        ),
      ],
    },
  ];
};

function formatImports(modules: readonly string[]): string {
  return modules.map((module) => `import ${JSON.stringify(module)};`).join("\n");
}

/**
 * Installs the published runtime and the generated packages in a temporary folder, which is removed when the process
 * ends.
 */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), "bothends-start-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const scopeFolder = join(folder, "node_modules/@bothends");
  mkdirSync(scopeFolder, { recursive: true });
  cpSync(join(workspace, ".packed/runtime"), join(scopeFolder, "runtime"), { recursive: true });
  for (const name of ["contract", "client", "server"]) {
    for (const path of ["package.json", "dist"]) {
      cpSync(join(workspace, "packages", name, path), join(scopeFolder, name, path), { recursive: true });
    }
  }
  return folder;
}
