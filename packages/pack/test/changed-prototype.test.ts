import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { vendoredFolder } from "../src/pack-package.js";
import { root } from "../src/root.js";

// Old libraries, and attacks on other code of a process, add members to `Object.prototype`.

const temporary = mkdtempSync(join(tmpdir(), "bothends-prototype-"));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "packages/pack/dist/main.js"), "--if-changed", "vendored-runtime"]);
  mkdirSync(join(temporary, "node_modules/@bothends"), { recursive: true });
  cpSync(vendoredFolder, join(temporary, "node_modules/@bothends/runtime"), { recursive: true });
  for (const name of ["server", "contract"]) {
    for (const file of ["package.json", "dist"]) {
      cpSync(join(root, "packages", name, file), join(temporary, "node_modules/@bothends", name, file), {
        recursive: true,
      });
    }
  }
}, 120_000);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const program = (member: string) => `
  ${member === "" ? "" : `Object.prototype.added = ${member};`}
  const { webHandler } = await import("@bothends/runtime/server/web");
  const { lineLogger } = await import("@bothends/runtime/observe");
  const { restAnswer } = await import("@bothends/runtime/rest-server");
  const { regRoutes, vehicleRoutes } = await import("@bothends/server/vehicle");
  const { contentRoutes } = await import("@bothends/server/content");
  const lines = [];
  const { onError } = lineLogger({ write: (line) => lines.push(line.replace(/^\\S+ /, "").replace(/requestId=\\S+/, "")) });
  const soap = vehicleRoutes({ reg: { checkUSA: () => null }, bespokeapi: {} }, { missing: "fault" });
  const list = () => restAnswer({ body: [{ id: 1, title: { raw: "a" } }], total: 1 });
  const rest = contentRoutes({ core: { blocks: { list } } }, { missing: "error" });
  const answer = webHandler([soap, rest], { onError });
  const message = '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckUSA xmlns="http://vehicle.example/reg"><RegistrationNumber>a</RegistrationNumber><State>b</State></CheckUSA></s:Body></s:Envelope>';
  const post = { method: "POST", headers: { "content-type": "text/xml" }, body: message };
  for (const [path, init] of [
    ["/"], ["/api/reg.asmx"], ["/api/reg.asmx?op=CheckUSA"], ["/api/reg.asmx?wsdl"], ["/en/api/_browse"], ["/en/api"],
    ["/api/reg.asmx", post], ["/en/api/core/v2/blocks"], ["/en/api/core/v2/blocks/5"], ["/api/none"],
  ]) {
    const response = await answer(new Request("http://h.example" + path, init));
    console.log(path, response.status, (await response.text()).length);
  }
  console.log(lines.join("\\n"));
`;

function run(member: string): string {
  const parameters = ["--input-type=module", "-e", program(member)];
  const { stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: temporary, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout;
}

test.each(["false", "1", "Number.NaN", "'text'", "null", "{}", "[]", "function () {}", "Symbol('a')"])(
  "a server answers calls and pages as before if Object.prototype has the member %s",
  (member) => {
    const usual = run("");
    expect(usual).toContain("/ 200 ");
    expect(usual).toContain("/en/api/core/v2/blocks 200 ");
    expect(run(member)).toBe(usual);
  },
);

test("no published file for all platforms reads inherited names of a module", () => {
  expect(readFileSync(join(vendoredFolder, "dist/server-rare.js"), "utf8")).not.toMatch(/for \(var \w+ in /);
});
