import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProjectFolder } from "./project-folder.js";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/schema-changes.md"), "utf8");
const quotes = readFileSync(join(import.meta.dirname, "guide/quotes.wsdl"), "utf8");

/** The schema with the edit that the guide describes. */
const edited = quotes.replace('<xs:maxLength value="8"', '<xs:maxLength value="5"').replace(
  '<xs:element name="Price" type="xs:decimal" />',
  `$&
          <xs:element name="Currency" type="xs:string" />
          <xs:element name="Note" type="xs:string" minOccurs="0" />`,
);

const config = JSON.stringify({
  packages: {
    contract: { path: "generated/contract", name: "quotes-contract" },
    client: { path: "generated/client", name: "quotes-client" },
    server: { path: "generated/server", name: "quotes-server" },
  },
  interfaces: { quotes: { wsdl: ["schemas/quotes.wsdl"] } },
});

function git(project: ProjectFolder, ...parameters: readonly string[]): string {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...author, ...parameters], { cwd: project.path, encoding: "utf8" });
}

test("the guide about schema changes shows what diff and scaffold print", async () => {
  const project = new ProjectFolder({ "bothends.json": config, "schemas/quotes.wsdl": quotes });
  await project.run("generate");
  await project.run("scaffold", "server", "my-server");
  git(project, "init", "-q");
  git(project, "add", "-A");
  git(project, "commit", "-q", "-m", "first");
  project.write("schemas/quotes.wsdl", edited);
  const head = git(project, "rev-parse", "HEAD").slice(0, 8);
  const blocks = [...guide.matchAll(/^```\n(.*?)^```/gms)].map(([, block]) => block);
  const report = await project.run("diff");
  const printed = `${report.out}${report.err}`.replaceAll(head, "cb1abc2b");
  expect(blocks[0]).toBe(`$ npx bothends diff\n${printed}`);
  await project.run("generate");
  const scaffolded = await project.run("scaffold", "server", "my-server");
  expect(scaffolded.out).toContain(blocks[1]);
});
