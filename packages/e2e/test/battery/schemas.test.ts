import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Project } from "./project.js";
import { projectOf, schemaCases } from "./schema-cases.js";
import { wsdlOf } from "./wsdl.js";

test.each(schemaCases)("the hostile schema $name is refused, or the generated code is as expected", async (row) => {
  const { refused, warned, makes } = row;
  const { files, from } = projectOf(row);
  const project = new Project(files);
  const before = Object.keys(project.files());
  const memory = process.memoryUsage.rss();
  const { code, out, err } = await project.run(
    "generate",
    ...from,
    "--out",
    "made",
    ...(makes === undefined ? ["--dry-run"] : []),
  );
  expect(err).not.toMatch(/\n +at |root:x|node:/);
  expect(process.memoryUsage.rss() - memory).toBeLessThan(400 << 20);
  if (warned !== undefined) {
    expect(err).toContain(warned);
  }
  if (refused !== undefined) {
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(refused);
    expect(Object.keys(project.files())).toEqual(before);
    return;
  }
  expect(code, err).toBe(0);
  if (warned === undefined) {
    expect(err).not.toMatch(/: (?:error|warning) /);
  }
  if (makes === undefined) {
    return;
  }
  const contract = Object.values(project.files("made/contract/src")).join("\n");
  expect(contract).toMatch(makes instanceof RegExp ? makes : literal(makes));
});

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
}

test("no message contains text of a file outside the root", async () => {
  const secret = readFileSync("/etc/passwd", "utf8").split("\n", 1).join();
  const prolog = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const project = new Project({ "s.wsdl": wsdlOf({ prolog, schema: '<xs:include schemaLocation="/etc/passwd"/>' }) });
  const { err } = await project.run("generate", "--wsdl", "s.wsdl", "--out", "made");
  expect(err).not.toContain(secret);
});
