import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { resolveWsdl } from "../../src/components/wsdl/resolve-wsdl.js";
import { lowerWsdl } from "../../src/lower/wsdl/interface.js";
import { readWsdl } from "../../src/read/wsdl/read-wsdl.js";
import { catalogue } from "../../src/source/catalogue/index.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { type ReadFile, Sources } from "../../src/source/sources.js";
import { configSpan, problems } from "../read/wsdl/reading.js";
import { plainConfig } from "./lowering.js";

const folder = new URL("../../../../../shared/corpora/wsdl/", import.meta.url);
const present = existsSync(folder);

const readFile: ReadFile = (path) => {
  const url = new URL(path.split("/").map(encodeURIComponent).join("/"), folder);
  if (!existsSync(url)) {
    return { kind: "problem", problem: "missing", message: "no such file" };
  }
  return { kind: "file", bytes: readFileSync(url) };
};

// Every sixth file; `pnpm corpus` reads all.
const step = process.env["WSDLS"] === "all" ? 1 : 6;

function wsdlFiles(): readonly string[] {
  if (!present) {
    return [];
  }
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".wsdl"))
    .sort()
    .filter((_, index) => index % step === 0);
}

/** The error codes of a WSDL; none if it was lowered. */
function outcome(path: string): { readonly codes: readonly string[]; readonly texts: readonly string[] } {
  const diagnostics = new Diagnostics();
  const sources = new Sources({ readFile, diagnostics });
  const documents = readWsdl({ wsdl: [{ path, span: configSpan }] }, sources, diagnostics);
  const contract = lowerWsdl(resolveWsdl(documents, diagnostics), plainConfig, diagnostics);
  const codes = diagnostics.all.filter(({ severity }) => severity === "error").map(({ code }) => catalogue[code].kind);
  if (codes.length === 0 && contract === undefined) {
    throw new Error("nothing lowered, and nothing said");
  }
  return { codes: [...new Set(codes)], texts: problems(diagnostics) };
}

/** Whether a document is a service, not a part or a schema that others import. */
function isService(codes: readonly string[]): boolean {
  const [first, ...others] = codes;
  return others.length > 0 || (first !== "wsdl.nothing-bound" && first !== "wsdl.not-wsdl");
}

/** Whether a document was refused because a feature is not supported; other refusals are mistakes in the document. */
function isUnsupported(code: string): boolean {
  return code.startsWith("unsupported.") || code.startsWith("limit.");
}

describe.skipIf(!present)("real-world WSDLs", () => {
  test("are lowered, or refused because of a mistake in them", { timeout: 120_000 }, () => {
    const outcomes = wsdlFiles().map((path) => ({ path, ...outcome(path) }));
    const services = outcomes.filter(({ codes }) => isService(codes));
    const refused = services.filter(({ codes }) => codes.length > 0);
    const byCode = new Map<string, number>();
    for (const code of refused.flatMap(({ codes }) => codes)) {
      byCode.set(code, (byCode.get(code) ?? 0) + 1);
    }
    const table = [...byCode]
      .sort((a, b) => b[1] - a[1])
      .map(([code, count]) => `${String(count).padStart(4)} ${code}`);
    console.log([`${services.length - refused.length} of ${services.length} lowered; refused:`, ...table].join("\n"));
    if (process.env["BOTHENDS_REFUSALS"] !== undefined) {
      console.log(
        refused.map(({ path, texts }) => `${path}\n${texts.map((text) => `    ${text}`).join("\n")}`).join("\n"),
      );
    }
    expect(services.length).toBeGreaterThan(300 / step);
    expect(refused.filter(({ codes }) => codes.every(isUnsupported)).length).toBeLessThan(1 + services.length / 100);
    expect(refused.length).toBeLessThan(services.length * 0.3);
  });
});
