import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { ServerIncident } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { contentRoutes } from "@bothends/server/content";
import { bespokeapiRoutes } from "@bothends/server/vehicle";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { isSkipped, launch } from "./browser.js";

/** A program for a page, whose function `run` calls a REST and a SOAP server, and returns the results as text. */
const program = `
  import { ContentClient } from "@bothends/client/content";
  import { VehicleClient } from "@bothends/client/vehicle";
  const text = (promise) => promise.then(() => "ok", (error) => error.name + ": " + error.message);
  globalThis.run = async (url, options) => {
    const observed = { onError() {}, ...options };
    return [
      await text(new ContentClient({ siteUrl: url, ...observed }).core.blocks.list({})),
      await text(new VehicleClient({ baseUrl: url, username: "u", ...observed }).bespokeapi.checkIrishTaxi({ regNumber: "1" })),
    ];
  };
`;

/** Serves a page whose script is `code`, and returns its address. */
async function servePage(code: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const isScript = incoming.url === "/script.js";
    outgoing.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
    outgoing.end(isScript ? code : "<script type=module src=/script.js></script>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(isSkipped)("a page with an observed client, in a browser", () => {
  test("can call servers of another origin, and its id is sent if the server allows it", async () => {
    const incidents: ServerIncident[] = [];
    const ids: (string | undefined)[] = [];
    /** Notes the id that a call was sent with, and returns the answer. */
    const note = <Answer>({ headers }: { readonly headers: ReadonlyMap<string, string> }, answer: Answer): Answer => {
      ids.push(headers.get("x-request-id"));
      return answer;
    };
    const server = await listen(
      [
        contentRoutes(
          { core: { blocks: { list: (_, context) => note(context, []) } } },
          { missing: "error", name: "Site" },
        ),
        bespokeapiRoutes(
          { checkIrishTaxi: (_, context) => note(context, { LicenceNumber: "L" }) },
          { missing: "fault", allowOrigin: () => true },
        ),
      ],
      { port: 0, host: "127.0.0.1", onError: (incident) => void incidents.push(incident) },
    );
    onTestFinished(async () => void (await server.close()));
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
    });
    const browser = await launch();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(await servePage(outputFiles[0]?.text ?? ""));
    await page.waitForFunction("globalThis.run");
    const run = (options: object) =>
      page.evaluate(`run(${JSON.stringify(server.url)}, ${JSON.stringify(options)})`) as Promise<string[]>;
    expect(await run({})).toEqual(["ok", "ok"]);
    expect(await run({ requestId: "r-1" })).toEqual(["ok", "ok"]);
    expect(ids).toEqual([undefined, undefined, "r-1", "r-1"]);
    expect(incidents).toEqual([]);
    const failures = await run({ headers: { "X-Tenant": "a" } });
    expect(failures).toEqual([expect.stringContaining("TransportError"), "ok"]);
    expect(incidents).toMatchObject([{ message: expect.stringContaining("The refused headers: x-tenant.") }]);
  }, 60_000);
});
