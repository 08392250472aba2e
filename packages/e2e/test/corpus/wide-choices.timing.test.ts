import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Diagnostics, generate, readConfigFromFlags } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import { expect, onTestFinished, test } from "vitest";
import { wsdlOf } from "../battery/wsdl.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const templates = readFolder(join(root, "templates"));

/**
 * Returns a program that sends each alternative alone, and then two alternatives together, which must be its only
 * error.
 */
function program(alternatives: number): string {
  const calls = Array.from({ length: alternatives }, (_, index) => `  await client.ask({ a${index}: "" });`);
  return `import type { BatteryClient } from "./client/src/battery/index.js";
export async function all(client: BatteryClient): Promise<void> {
${calls.join("\n")}
  await client.ask({ a0: "", a${alternatives - 1}: "" });
}
`;
}

/** Generates from a choice or a sequence, and type-checks the program. Returns the errors, and the time in seconds. */
function check(
  particle: "choice" | "sequence",
  alternatives: number,
): { readonly seconds: number; readonly errors: string } {
  const folder = mkdtempSync(join(tmpdir(), "bothends-choices-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const members = Array.from(
    { length: alternatives },
    (_, index) => `<xs:element name="a${index}" type="xs:string" minOccurs="${particle === "choice" ? 1 : 0}"/>`,
  );
  const input = `<xs:${particle}>${members.join("")}</xs:${particle}>`;
  const bytes = new TextEncoder().encode(wsdlOf({ input }));
  const diagnostics = new Diagnostics();
  const flags = { wsdl: ["battery.wsdl"], index: undefined, name: undefined, lenient: false };
  const config = readConfigFromFlags(flags, diagnostics, { runtime: "^0.1.0" });
  if (config === undefined) {
    throw new Error("the flags are wrong");
  }
  const { tree } = generate({ readFile: () => ({ kind: "file", bytes }), templates, config });
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "program.ts"), program(alternatives));
  mkdirSync(join(folder, "node_modules/@bothends"), { recursive: true });
  symlinkSync(join(root, "packages/runtime"), join(folder, "node_modules/@bothends/runtime"));
  const compilerOptions = {
    ...{ target: "es2023", module: "nodenext", lib: ["es2023", "dom"], types: [], strict: true, skipLibCheck: true },
    ...{ exactOptionalPropertyTypes: true, noEmit: true },
    paths: { "battery-contract/*": ["./contract/src/*/index.ts", "./contract/src/*.ts"] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const output = compile(folder);
  const seconds = Number(/^Check time:\s*([\d.]+)s/m.exec(output)?.[1]);
  return {
    seconds,
    errors: output
      .split("\n")
      .filter((line) => line.includes("error TS"))
      .join("\n"),
  };
}

function compile(folder: string): string {
  const parameters = ["-p", folder, "--pretty", "false", "--extendedDiagnostics"];
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), parameters, { encoding: "utf8", cwd: folder });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) {
      return String(error.stdout);
    }
    throw error;
  }
}

const limits = [
  { alternatives: 25, most: 2 },
  { alternatives: 77, most: 2 },
  { alternatives: 256, most: 10 },
];

test.each(limits)(
  "the compiler checks a choice of $alternatives alternatives within $most s",
  ({ alternatives, most }) => {
    const choice = check("choice", alternatives);
    const sequence = check("sequence", alternatives);
    console.log(
      `${alternatives} alternatives: ${choice.seconds} s to check, ${sequence.seconds} s as optional members`,
    );
    expect(choice.errors.split("\n")).toHaveLength(1);
    expect(choice.errors).toContain(`program.ts(${alternatives + 3},`);
    expect(sequence.errors).toBe("");
    expect(choice.seconds).toBeLessThan(most);
  },
);
