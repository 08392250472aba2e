import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Tests that programs that use the generated packages as users do compile without casts. */
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const programs = fileURLToPath(new URL("programs/", import.meta.url));
const recorded = fileURLToPath(new URL("../../recorded/wordpress/", import.meta.url));
const corpora = fileURLToPath(new URL("../../../../../shared/corpora/wsdl/", import.meta.url));

interface Service {
  readonly name: string;
  readonly option: "--wsdl" | "--index";
  readonly source: string;
  /** The folder to copy. */
  readonly sources: string;
}

const wsdl = "--wsdl";
const fixtures = join(corpora, "gowsdl/fixtures");
const services: readonly Service[] = [
  { name: "office", option: wsdl, source: join(programs, "office.wsdl"), sources: programs },
  { name: "site", option: "--index", source: join(recorded, "index.json"), sources: recorded },
  { name: "ec2", option: wsdl, source: join(fixtures, "ec2.wsdl"), sources: fixtures },
  {
    name: "accesscontrol",
    option: wsdl,
    source: join(corpora, "onvif/wsdl/ver10/pacs/accesscontrol.wsdl"),
    sources: join(corpora, "onvif"),
  },
  {
    name: "doorcontrol",
    option: wsdl,
    source: join(corpora, "onvif/wsdl/ver10/pacs/doorcontrol.wsdl"),
    sources: join(corpora, "onvif"),
  },
  { name: "vboxweb", option: wsdl, source: join(fixtures, "vboxweb.wsdl"), sources: fixtures },
];
const present = services.filter(({ source }) => existsSync(source));
for (const { name } of services.filter((service) => !present.includes(service))) {
  console.warn(`The programs of ${name} are not compiled: ${corpora} is missing.`);
}

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  lib: ["es2023", "dom"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
};

function complaintsOf({ name, option, source, sources }: Service, program: string): string {
  const folder = mkdtempSync(join(tmpdir(), "programs-"));
  try {
    cpSync(sources, join(folder, "sources"), { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "program", private: true, type: "module" }));
    const copy = join("sources", source.slice(sources.length));
    const named = option === "--index" ? ["--name", name] : [];
    const command = [join(root, "packages/bothends/dist/bin.js"), "generate", option, copy, ...named, "--out", "."];
    execFileSync(process.execPath, command, { cwd: folder, stdio: "pipe" });
    mkdirSync(join(folder, "node_modules/@bothends"), { recursive: true });
    symlinkSync(join(root, "packages/runtime"), join(folder, "node_modules/@bothends/runtime"));
    const paths = Object.fromEntries(
      ["contract", "client"].map((part) => [`${name}-${part}/*`, [`./${part}/src/*/index.ts`, `./${part}/src/*.ts`]]),
    );
    writeFileSync(join(folder, "program.ts"), program);
    const config = { compilerOptions: { ...compilerOptions, paths }, files: ["program.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    return compile(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(folder: string): string {
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"], {
      cwd: dirname(folder),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) {
      return String(error.stdout);
    }
    throw error;
  }
}

test.each(present)(
  "programs for $name compile without a cast",
  (service) => {
    const program = readFileSync(join(programs, `${service.name}.program`), "utf8");
    expect(program).not.toMatch(/\bas (?!const\b)|[:<]\s*any\b/);
    expect(complaintsOf(service, program)).toBe("");
  },
  60_000,
);

test("a program that reads a member of another context, or the object in the trash, does not compile", () => {
  const wrong = `import { SiteClient } from "site-client/site";
export async function wrong({ wp }: SiteClient): Promise<void> {
  const post = await wp.posts.get({ id: 1 });
  post.title.raw;
  post.password;
  (await wp.posts.delete({ id: 1 })).previous;
  (await wp.posts.list({}, { fields: ["id"] }))[0]?.slug;
}
`;
  const service = services.find(({ name }) => name === "site");
  const complaints = service === undefined ? "" : complaintsOf(service, wrong);
  expect([...complaints.matchAll(/program\.ts\((\d+),/g)].map(([, line]) => Number(line))).toEqual([4, 5, 6, 7]);
  expect(complaints).toContain("'password' does not exist on type 'Post'");
}, 60_000);

test("a program that mixes alternatives, or does not handle every alternative, does not compile", () => {
  const wrong = `import { OfficeClient } from "office-client/office";
export async function wrong(office: OfficeClient): Promise<void> {
  await office.findItems({ folder: "inbox", page: 1, since: "2026-01-01" });
  const { record = [] } = await office.search({ text: "A" });
  record[0]?.companyName.length;
  await office.add({ record: { companyName: "A" } });
}
`;
  const [service] = services;
  const complaints = service === undefined ? "" : complaintsOf(service, wrong);
  expect([...complaints.matchAll(/program\.ts\((\d+),/g)].map(([, line]) => Number(line))).toEqual([3, 5, 6]);
}, 60_000);
