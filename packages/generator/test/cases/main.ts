import { fileURLToPath } from "node:url";
import { rewriteCases, rewritePages } from "./rewrite.js";

/** The program of `pnpm golden`, which runs from `cases/dist`. */
try {
  const folder = fileURLToPath(new URL("../..", import.meta.url));
  const repository = fileURLToPath(new URL("../../../../..", import.meta.url));
  const rewriting = { folder, environment: process.env };
  const changed = [...rewriteCases(rewriting), ...rewritePages(rewriting, repository)];
  process.stdout.write(changed.length === 0 ? "All goldens stand.\n" : `Rewrote ${changed.join(", ")}.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
