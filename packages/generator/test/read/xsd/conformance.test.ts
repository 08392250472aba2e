import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ReadFile } from "../../../src/source/sources.js";
import { kinds, resolveFiles } from "../../components/resolve-schemas.js";

// W3C XML Schema Test Suite. It tests strict conformance to XSD 1.0, so all violations are errors here.
const folder = new URL("../../../../../../shared/corpora/xsd/", import.meta.url);
const present = existsSync(folder);
/** `XSTS=all` checks every schema, otherwise every eighth is checked. `XSTS_SHOW=1` lists the wrong results. */
const step = process.env["XSTS"] === "all" ? 1 : 8;

interface Group {
  readonly id: string;
  readonly schemaDocuments: readonly string[];
  readonly schemaValidity: "valid" | "invalid";
}

/**
 * The minimum percentages of accepted valid schemas and of refused invalid schemas. The valid schemas that are
 * refused import files that the suite does not contain.
 */
const suites = [
  { suite: "sun", accepted: 99.5, refused: 99 },
  { suite: "ms", accepted: 99.5, refused: 99 },
];

describe.skipIf(!present)("the schemas of the test suite", () => {
  test.each(suites)("of $suite are accepted if valid and refused if invalid", ({ suite, accepted, refused }) => {
    const root = new URL(`${suite}/`, folder);
    const groups: readonly Group[] = JSON.parse(readFileSync(new URL("manifest.json", root), "utf8"));
    const readFile: ReadFile = (path) => {
      const url = new URL(path.split("/").map(encodeURIComponent).join("/"), root);
      if (!existsSync(url)) {
        return { kind: "problem", problem: "missing", message: "no such file" };
      }
      return { kind: "file", bytes: readFileSync(url) };
    };
    const counts = { valid: { right: 0, all: 0 }, invalid: { right: 0, all: 0 } };
    for (const { id, schemaDocuments, schemaValidity } of groups.filter((_, index) => index % step === 0)) {
      const found = resolveFiles(readFile, schemaDocuments, "strict");
      const right = found.diagnostics.hasErrors === (schemaValidity === "invalid");
      counts[schemaValidity].all += 1;
      if (right) {
        counts[schemaValidity].right += 1;
      } else if (process.env["XSTS_SHOW"] !== undefined) {
        console.log(`${schemaValidity} ${id}: ${kinds(found).join(", ")}`);
      }
    }
    const share = ({ right, all }: { readonly right: number; readonly all: number }) => (100 * right) / all;
    console.log(
      `${suite}: ${counts.valid.right} of ${counts.valid.all} valid schemas accepted (${share(counts.valid).toFixed(1)} %), ` +
        `${counts.invalid.right} of ${counts.invalid.all} invalid ones refused (${share(counts.invalid).toFixed(1)} %)`,
    );
    expect(share(counts.valid)).toBeGreaterThanOrEqual(accepted);
    expect(share(counts.invalid)).toBeGreaterThanOrEqual(refused);
  });
});
