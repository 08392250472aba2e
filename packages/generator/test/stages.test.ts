import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { resolveWsdl } from "../src/components/wsdl/resolve-wsdl.js";
import { describe, type Value } from "../src/describe/describe.js";
import { lowerWsdl } from "../src/lower/wsdl/interface.js";
import { planFiles } from "../src/plan/index.js";
import { publishServices } from "../src/publish/publish-wsdl.js";
import type { Piece } from "../src/publish/slots.js";
import { readConfig } from "../src/read/config/read-config.js";
import { readWsdl } from "../src/read/wsdl/read-wsdl.js";
import { findSchemaToPublish } from "../src/read/xsd/well-known/index.js";
import { Diagnostics } from "../src/source/diagnostics.js";
import { Sources } from "../src/source/sources.js";

const root = new URL("../../../", import.meta.url);
const page = textOf("ARCHITECTURE.md");

function textOf(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** The example of a stage on the page of the architecture. */
function shown(language: string, stage: string): string {
  const [, text] = new RegExp(`\`\`\`${language} ?${stage}\n(.*?)\n\`\`\``, "s").exec(page) ?? [];
  if (text === undefined) {
    throw new Error(`ARCHITECTURE.md shows no ${stage} in ${language}.`);
  }
  return text;
}

function shownValue(stage: string): object {
  return JSON.parse(shown("json", stage));
}

/** Compares without indentation. */
function expectLines(text: string, lines: string): void {
  const bare = (each: string) => each.replace(/^\s+/gm, "");
  expect(bare(text)).toContain(bare(lines));
}

function defined<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("The stage has no such result.");
  }
  return value;
}

/** The stages of the vehicle interface, up to the plan. */
function stages() {
  const diagnostics = new Diagnostics();
  const configSource = { path: "bothends.json", text: textOf("bothends.json") };
  const config = defined(readConfig(configSource, diagnostics, { runtime: "workspace:^" }));
  const sources = new Sources({
    readFile: (path) => ({ kind: "file", bytes: readFileSync(new URL(path, root)) }),
    diagnostics,
  });
  const soapConfig = defined(config.interfaces.find((each) => each.kind === "soap"));
  const documents = readWsdl(soapConfig, sources, diagnostics);
  const components = resolveWsdl(documents, diagnostics, sources.limits);
  const lowered = defined(lowerWsdl(components, soapConfig, diagnostics, sources.limits));
  const contract = { interfaces: [lowered] };
  const plan = planFiles(contract, config, diagnostics);
  return { diagnostics, sources, documents, components, lowered, contract, plan };
}

const { diagnostics, sources, documents, components, lowered, contract, plan } = stages();
const operation = defined(lowered.services[0]?.operations.find(({ name }) => name === "CheckUSA"));

test("the source of the example is in the WSDL", () => {
  const wsdl = textOf("schemas/vehicle/reg.wsdl");
  for (const line of shown("xml", "").split("\n")) {
    expect(wsdl).toContain(line.trim());
  }
});

test("read makes the shown document", () => {
  const message = documents.roots[0]?.definitions[0]?.messages.find(({ name }) => name.text === "CheckUSASoapIn");
  expect(message).toMatchObject(shownValue("read"));
});

test("components resolves the shown part", () => {
  const bound = components.files[0]?.bindings[0]?.operations.find((each) => each.operation.name === "CheckUSA");
  expect(bound?.operation.input?.message?.parts[0]).toMatchObject(shownValue("components"));
});

test("lower makes the shown operation", () => {
  expect(operation).toMatchObject(shownValue("lower"));
});

test("plan decides on the shown names", () => {
  const [planned] = plan.interfaces;
  const operations = planned?.kind === "soap" ? planned.services.flatMap((service) => service.operations) : [];
  expect(operations.find((each) => each.operation === operation)).toMatchObject(shownValue("plan"));
});

/** A descriptor as a plain object. */
function plain(value: Value | undefined): unknown {
  const isObject = typeof value === "object" && value !== null && "members" in value;
  return isObject ? Object.fromEntries(value.members.map(([name, member]) => [name, plain(member)])) : value;
}

test("describe makes the shown descriptor", () => {
  const descriptors = describe(contract).get(lowered);
  const descriptor = descriptors?.kind === "soap" ? descriptors.describeOperation(operation) : undefined;
  expect(plain(descriptor)).toMatchObject(shownValue("describe"));
});

test("emit has the shown template, and print writes the shown code", () => {
  expectLines(textOf("packages/generator/src/emit/soap/client.ts"), shown("ts", "emit"));
  expectLines(textOf("packages/client/src/vehicle/index.ts"), shown("ts", "print"));
});

test("publish writes the shown pieces", () => {
  const service = defined(lowered.services[0]);
  const wsdl = publishServices(
    { ...lowered.slots, services: [service], loadSchema: findSchemaToPublish },
    sources,
    diagnostics,
  );
  const pieces = [...(wsdl?.sharedPieces ?? []), ...(wsdl?.services.flat() ?? [])];
  const lines = pieces.flatMap((piece): readonly Piece[] =>
    typeof piece === "string" ? piece.split(/(?<=\n)/) : [piece],
  );
  const example = JSON.stringify(shownValue("publish"));
  expect(JSON.stringify(lines)).toContain(example.slice(1, -1));
});
