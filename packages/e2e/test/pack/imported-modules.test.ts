import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { packedFolder } from "./packed.js";

/** Modules of Node that a program needs only when its server starts. Loading `v8`, which loads `stream`, takes 2 ms. */
const laterModules = ["crypto", "http", "http2", "https", "net", "stream", "tls", "util", "v8", "zlib"];

const program = `
const loadedBefore = new Set(process.moduleLoadList);
await import("@bothends/runtime/soap-server");
await import("@bothends/runtime/rest-server");
await import("@bothends/runtime/server/node");
console.log(JSON.stringify(process.moduleLoadList.filter((name) => !loadedBefore.has(name))));
`;

test("importing a server loads no module of Node that is needed only when the server starts", () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: packedFolder("runtime"),
    encoding: "utf8",
  });
  const loadedModules: readonly string[] = JSON.parse(output);
  expect(loadedModules).toContain("NativeModule diagnostics_channel");
  expect(laterModules.filter((name) => loadedModules.includes(`NativeModule ${name}`))).toEqual([]);
});
