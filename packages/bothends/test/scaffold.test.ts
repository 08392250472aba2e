import { expect, test } from "vitest";
import { ProjectFolder, wsdl } from "./project-folder.js";

test("makes a server beside the generated package, in its scope", async () => {
  const project = new ProjectFolder();
  const { code, out, err } = await project.run("scaffold", "server", "greeter");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("  added    packages/greeter/package.json\n");
  expect(JSON.parse(project.read("packages/greeter/package.json"))).toMatchObject({ name: "@hello/greeter" });
});

test("people's code is kept when an operation is added", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter", "--path", "servers/greeter");
  const [path = ""] = Object.keys(project.snapshot()).filter((each) =>
    /^servers\/greeter\/src\/.*greet\.ts$/.test(each),
  );
  project.write(path, `// mine\n${project.read(path)}`);
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  const { code, out } = await project.run("scaffold", "server", "greeter", "--path", "servers/greeter");
  expect(code).toBe(0);
  expect(out).toContain("Merged into servers/greeter.");
  expect(project.read(path)).toMatch(/^\/\/ mine\n/);
});

test("changes nothing if no handler is missing", async () => {
  const project = new ProjectFolder();
  await project.run("scaffold", "server", "greeter");
  const before = project.snapshot();
  const { code } = await project.run("scaffold", "server", "greeter");
  expect([code, project.snapshot()]).toEqual([0, before]);
});

test("a folder with other files is refused until it is allowed", async () => {
  const project = new ProjectFolder();
  project.write("packages/greeter/notes.txt", "mine");
  const { code, err } = await project.run("scaffold", "server", "greeter");
  expect(code).toBe(2);
  expect(err).toContain("--allow-nonempty");
});

test("a refused input makes no server", async () => {
  const project = new ProjectFolder();
  project.write("schemas/hello.wsdl", "<a/>");
  const before = project.snapshot();
  expect((await project.run("scaffold", "server", "greeter")).code).toBe(1);
  expect(project.snapshot()).toEqual(before);
});
