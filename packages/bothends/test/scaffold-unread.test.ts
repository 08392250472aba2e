import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config, ProjectFolder, wsdlOfServices } from "./project-folder.js";

// Reports about handlers that scaffold cannot read: they depend only on the schemas and the code, not on the run.

type Services = Readonly<Record<string, readonly string[]>>;

const before: Services = { Hello: ["Greet", "Wave", "Bow"], Signs: ["Nod", "Wink"] };

const start = 'import type { HelloServicesHandlers } from "@hello/server/hello";\n';
const define = "const define = <T extends object>(all: T): T => Object.freeze({ ...all });\n";

/** Writes a member for each operation of a service. */
function writeMembers(operations: readonly string[] = []): string {
  return operations.map((name) => `    ${name.charAt(0).toLowerCase()}${name.slice(1)}: () => "",\n`).join("");
}

/** Code whose handlers scaffold cannot read. `isKnown` is false if they come from outside the server. */
const styles: readonly { what: string; isKnown: boolean; isShared?: true; write: (services: Services) => string }[] = [
  {
    what: "the arguments of a call",
    isKnown: true,
    write: ({ Hello, Signs }) =>
      `${start}const clone = <T extends object>(all: T): T => structuredClone(all);\nexport const all: HelloServicesHandlers = {\n  hello: clone({\n${writeMembers(Hello)}  }),\n  signs: clone({\n${writeMembers(Signs)}  }),\n};\n`,
  },
  {
    what: "copies of arguments",
    isKnown: true,
    isShared: true,
    write: ({ Hello, Signs }) =>
      `${start}${define}export const all: HelloServicesHandlers = {\n  hello: define({\n${writeMembers(Hello)}  }),\n  signs: define({\n${writeMembers(Signs)}  }),\n};\n`,
  },
  {
    what: "copies of several objects",
    isKnown: true,
    isShared: true,
    write: ({ Hello, Signs }) =>
      `${start}const [hello, signs] = [Object.assign({}, {}, {\n${writeMembers(Hello)}}), Object.assign({}, {}, {\n${writeMembers(Signs)}})] as any[];\nexport const all: HelloServicesHandlers = { hello: pick(hello), signs: pick(signs) };\nfunction pick(value: any) {\n  return structuredClone(value);\n}\n`,
  },
  {
    what: "a list of names",
    isKnown: true,
    isShared: true,
    write: ({ Hello = [], Signs = [] }) =>
      `${start}const make = (names: string[]): any => Object.fromEntries(names.map((name) => [name, () => ""]));\nexport const all: HelloServicesHandlers = make(${JSON.stringify([...Hello, ...Signs].map((name) => name.toLowerCase()))});\n`,
  },
  {
    what: "another package",
    isKnown: false,
    write: () => `${start}import { create } from "core";\nexport const all: HelloServicesHandlers = create();\n`,
  },
  {
    what: "services of another package",
    isKnown: false,
    write: () =>
      `${start}import { hello, Signs } from "core";\nconst signs = new Signs();\nexport const all: HelloServicesHandlers = { hello, signs };\n`,
  },
  {
    what: "spreads of another package",
    isKnown: false,
    write: () =>
      `${start}import { hello, signs } from "core";\nexport const all: HelloServicesHandlers = { hello: { ...hello }, signs: { ...signs } };\n`,
  },
];

const edits: readonly { what: string; after: Services; words: readonly string[] }[] = [
  { what: "added", after: { ...before, Hello: ["Greet", "Wave", "Bow", "Smile"] }, words: ["hello.smile"] },
  { what: "removed", after: { ...before, Hello: ["Greet", "Bow"] }, words: ["hello.wave"] },
  { what: "replaced", after: { ...before, Hello: ["Greet", "Bow", "Waves"] }, words: ["hello.wave", "hello.waves"] },
  {
    what: "moved to another service",
    after: { Hello: ["Greet", "Bow"], Signs: ["Nod", "Wink", "Wave"] },
    words: ["hello.wave is now signs.wave"],
  },
];

const file = "greeter/src/hello/handlers.ts";
const cases = styles.flatMap((style) => edits.map((edit) => ({ ...edit, style })));

/** Returns the lines of a report, apart from the names of files that the run wrote and from numbers of changes. */
function listTasks(out: string): readonly string[] {
  return out
    .split("\n")
    .filter((line) => line.includes(": ") && !/^(?:changed|handler added):|^\d+ notes? |handlers? added, /.test(line));
}

test.each(cases)("handlers in $style.what: an operation that was $what is named until it is done", async (edit) => {
  const { what, style, after, words } = edit;
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": wsdlOfServices(before) });
  const scaffold = async () => (await project.run("scaffold", "server", "greeter")).out;
  await scaffold();
  const routes = project.read("greeter/src/routes.ts").replaceAll(/\bhelloServicesHandlers\b/g, "all");
  project.write("greeter/src/routes.ts", routes);
  rmSync(join(project.path, "greeter/src/hello"), { recursive: true });
  project.write(file, style.write(before));
  await scaffold();
  project.write("schemas/hello.wsdl", wsdlOfServices(after));
  const outputs = [await scaffold(), await scaffold()];
  const runs = outputs.map(listTasks);
  if (style.isKnown) {
    expect(runs[1]).toEqual(runs[0]);
  } else {
    // No run can learn whether code outside the server was changed, so only the first run names these operations.
    expect(runs[0]?.join("\n")).toContain("later runs do not name");
    expect(outputs[1]).not.toMatch(
      /later runs do not name|which is new|no longer in the schema|is now|compile the server/,
    );
    project.write("schemas/hello.wsdl", wsdlOfServices(before));
    await scaffold();
    project.write("schemas/hello.wsdl", wsdlOfServices(after));
    expect(listTasks(await scaffold())).toEqual(runs[0]);
  }
  expect(words.filter((word) => !runs[0]?.some((line) => line.includes(word)))).toEqual([]);
  expect(runs[0]?.at(-1)).toMatch(/^Then compile the server: /);
  if (what === "moved to another service" && style.isShared === true) {
    // The code of both services is the same, so that it does not show in which service the handler is.
    expect(runs[0]?.join("\n")).toContain("If its handler has not moved yet, move it.");
  } else if (style.isKnown) {
    project.write(file, style.write(after));
    expect((await scaffold()).match(/.*(?:were not|compile the server).*/g)).toBeNull();
  } else {
    expect(runs[0]?.join("\n")).toContain("It is unknown");
    expect(runs[0]?.join("\n")).not.toMatch(/Add handlers|Remove the handlers/);
  }
});

test("code that names a removed operation is listed beside handlers that are not read", async () => {
  const [style] = styles;
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": wsdlOfServices(before) });
  await project.run("scaffold", "server", "greeter");
  rmSync(join(project.path, "greeter/src/hello"), { recursive: true });
  project.write(file, style?.write(before) ?? "");
  project.write(
    "greeter/src/test/fakes.ts",
    `${start}type Hello = HelloServicesHandlers["hello"];
export type Audited = Extract<keyof Hello, "wave">;
export const prices: { readonly [K in keyof Hello]?: number } = { wave: 1 };
export const wave = ({ hello }: HelloServicesHandlers) => hello.wave("", undefined as never);
`,
  );
  project.write("schemas/hello.wsdl", wsdlOfServices({ ...before, Hello: ["Greet", "Bow"] }));
  for (const _ of ["first run", "second run"]) {
    const { out } = await project.run("scaffold", "server", "greeter");
    expect(out).toContain(
      "Other code names hello.wave, too: greeter/src/test/fakes.ts:3, greeter/src/test/fakes.ts:4, greeter/src/test/fakes.ts:5. Change the name there, or remove it.",
    );
  }
});

test("the report asks to compile a server when a handler was renamed, also in a later run", async () => {
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": wsdlOfServices(before) });
  await project.run("scaffold", "server", "greeter");
  project.write("schemas/hello.wsdl", wsdlOfServices({ ...before, Hello: ["Greet", "Bow", "Waves"] }));
  await project.run("scaffold", "server", "greeter");
  const { out } = await project.run("scaffold", "server", "greeter", "--rename", "hello.wave=hello.waves");
  expect(out).toContain("handler renamed: hello.wave is now hello.waves\nThen compile the server: ");
});

test.each([
  { what: "removed", after: { ...before, Hello: ["Greet", "Bow"] } },
  { what: "added", after: { ...before, Hello: ["Greet", "Wave", "Bow", "Smile"] } },
])("the report asks to compile a server after an operation was $what", async ({ after }) => {
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": wsdlOfServices(before) });
  await project.run("scaffold", "server", "greeter");
  expect((await project.run("scaffold", "server", "greeter")).out).not.toContain("compile the server");
  project.write("schemas/hello.wsdl", wsdlOfServices(after));
  expect((await project.run("scaffold", "server", "greeter")).out).toContain("\nThen compile the server: ");
});
