import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RegClient } from "@bothends/client/vehicle";
import { listen } from "@bothends/runtime/server/node";
import { type RegHandlers, regRoutes, SoapFault } from "@bothends/server/vehicle";
import { expect, test } from "vitest";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { root } from "../house/sources.js";

/** Runs the code block of the README that contains a text, without imports and types. Returns the value of `result`. */
async function runBlock<T>(text: string, result: string, names: Readonly<Record<string, unknown>>): Promise<T> {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const block = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].find(([, code]) => code?.includes(text))?.[1] ?? "";
  const code = block
    .replace(/^import .*$/gm, "")
    .replace(/^export /gm, "")
    .replace(/: RegHandlers\["\w+"\]/, "");
  const run = new Function(...Object.keys(names), `return (async () => {\n${code}\nreturn ${result};\n})();`);
  return await run(...Object.values(names));
}

test("the first call of the README prints what the handler of the README answers", async () => {
  const checkUSA = await runBlock<RegHandlers["checkUSA"]>("export const checkUSA", "checkUSA", { SoapFault });
  const server = await listen([regRoutes({ ...vehicleSample.reg, checkUSA })], { port: 0, host: "127.0.0.1" });
  try {
    const printed: unknown[] = [];
    const console = { log: (value: unknown) => void printed.push(value) };
    await runBlock("new RegClient(", "undefined", { RegClient, baseUrl: server.url, console });
    expect(printed).toEqual(["FORD"]);
  } finally {
    await server.close();
  }
});
