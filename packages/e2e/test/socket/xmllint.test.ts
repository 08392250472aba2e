import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { afterAll, beforeAll, expect, test } from "vitest";
import { vehicleSample } from "../../src/sample/vehicle.js";

const missing = spawnSync("xmllint", ["--version"]).error !== undefined;
if (missing) {
  console.warn("xmllint is not installed: answers are not validated against their schema here");
}

let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await listen([vehicleRoutes(vehicleSample)], { port: 0, host: "127.0.0.1" });
  folder = mkdtempSync(join(tmpdir(), "answers-"));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const services = [
  ["reg", "http://vehicle.example/reg", "CheckUSA", ["RegistrationNumber", "State", "username"]],
  ["bespokeapi", "http://vehicle.example/bespoke/", "CheckUSAMinimal", ["regNumber", "state", "username"]],
  [
    "bespokeapi",
    "http://vehicle.example/bespoke/",
    "CheckInsuranceStatusItalyWithVehicleType",
    ["regNumber", "vehicleType", "username"],
  ],
  ["bespokeapi", "http://vehicle.example/bespoke/", "CheckInsuranceStatusPoland", ["regNumber", "username"]],
  ["bespokeapi", "http://vehicle.example/bespoke/", "CheckIrishTaxi", ["regNumber"]],
] as const;

/** Returns the schema inside a served WSDL, as a stand-alone document. */
async function schemaOf(file: string): Promise<string> {
  const wsdl = await (await fetch(`${server.url}/api/${file}.asmx?wsdl`)).text();
  const schema = /<s:schema[\s\S]*<\/s:schema>/.exec(wsdl)?.[0] ?? "";
  const declarations = [...wsdl.matchAll(/ xmlns:(?:s|tns)="[^"]*"/g)].map(([text]) => text).join("");
  const path = join(folder, `${file}.xsd`);
  writeFileSync(path, schema.replace("<s:schema", `<s:schema${declarations}`));
  return path;
}

/** Validates a document by a schema. Returns the errors that xmllint prints, and an empty text for a valid document. */
function validate(schema: string, document: string): string {
  const path = join(folder, "answer.xml");
  writeFileSync(path, document);
  const { status, stderr } = spawnSync("xmllint", ["--noout", "--nonet", "--schema", schema, path], {
    encoding: "utf8",
  });
  return status === 0 ? "" : stderr;
}

test.skipIf(missing).each(services)(
  "%s (%s): answers of %s are valid by the served schema",
  async (file, namespace, operation, parameters) => {
    const schema = await schemaOf(file);
    const address = `${server.url}/api/${file}.asmx`;
    for (const key of ["ABC123", "NONE"]) {
      const values = parameters.map((name) => [name, key] as const);
      const form = new URLSearchParams(values.map(([name, value]) => [name, value]));
      const children = values.map(([name, value]) => `<${name}>${value}</${name}>`).join("");
      const envelope = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><${operation} xmlns="${namespace}">${children}</${operation}></e:Body></e:Envelope>`;
      const soap = await fetch(address, {
        method: "POST",
        body: envelope,
        headers: { "Content-Type": "text/xml; charset=utf-8" },
      });
      const text = await soap.text();
      const body = /<soap:Body>([\s\S]*)<\/soap:Body>/.exec(text)?.[1] ?? "";
      const documents = [
        body.replace(" xmlns=", ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns='),
        await (await fetch(`${address}/${operation}?${form}`)).text(),
        await (await fetch(`${address}/${operation}`, { method: "POST", body: form })).text(),
      ];
      expect(documents.map((document) => validate(schema, document))).toEqual(["", "", ""]);
    }
  },
);

test.skipIf(missing)("xmllint refuses an invalid answer", async () => {
  const schema = await schemaOf("reg");
  const document = '<Vehicle xmlns="http://vehicle.example/reg"><vehicleData/><vehicleJson/></Vehicle>';
  expect(validate(schema, document)).toContain("fails to validate");
});
