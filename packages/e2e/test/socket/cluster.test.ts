import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");
const moduleOf = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href);

/**
 * A program with four workers that share a port. On SIGTERM, the primary process sends the signal to the workers, and
 * ends after them.
 */
const program = `
import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import { listen } from ${moduleOf("runtime/dist/server/adapters/node/listen.js")};
import { healthRoutes } from ${moduleOf("runtime/dist/server/index.js")};
import { regRoutes } from ${moduleOf("server/dist/vehicle/index.js")};

if (cluster.isPrimary) {
  let ready = 0;
  for (let count = 0; count < 4; count += 1) {
    cluster.fork().on("message", ({ port, begun }) => {
      if (begun !== undefined) {
        console.log(begun);
        return;
      }
      ready += 1;
      if (ready === 4) console.log(port);
    });
  }
  process.once("SIGTERM", () => {
    for (const worker of Object.values(cluster.workers)) worker.process.kill("SIGTERM");
  });
  cluster.on("exit", (_, code, signal) => {
    if (code !== 0) process.exitCode = 1;
  });
} else {
  const reg = regRoutes(
    { checkUSA: async ({ RegistrationNumber }) => {
        process.send({ begun: RegistrationNumber });
        await pause(5 + Math.random() * 20);
        return { vehicleJson: RegistrationNumber + " by " + process.pid, vehicleData: null };
      } },
    { missing: "fault", path: "/reg" },
  );
  const server = await listen([reg, healthRoutes()], { port: 0, host: "127.0.0.1" });
  process.once("SIGTERM", async () => {
    await server.close();
    process.exit(0);
  });
  process.send({ port: new URL(server.url).port });
}
`;

type Outcome = { readonly by: string } | { readonly refused: string } | { readonly lost: string };

/**
 * The errors for a connection that no worker accepted, or that a worker closed. By the workers' reports, the test
 * checks that no such call began.
 */
const withoutAnswer: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ECONNRESET"]);

/** Calls the service on a connection that is kept open. */
function call(port: number, agent: Agent, name: string): Promise<Outcome> {
  const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckUSA xmlns="http://vehicle.example/reg"><RegistrationNumber>${name}</RegistrationNumber><State>NY</State><username>u</username></CheckUSA></s:Body></s:Envelope>`;
  return new Promise((resolve) => {
    const headers = { "Content-Type": "text/xml", SOAPAction: '"http://vehicle.example/reg/CheckUSA"' };
    const sent = request({ port, host: "127.0.0.1", path: "/reg", method: "POST", agent, headers }, (message) => {
      let text = "";
      message.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      message.on("error", (error) => resolve({ lost: String(error) }));
      message.on("end", () => {
        const [, answered, by = ""] = /<vehicleJson>(\w+) by (\d+)<\/vehicleJson>/.exec(text) ?? [];
        if (message.statusCode === 503) {
          resolve({ refused: name });
        } else {
          resolve(answered === name ? { by } : { lost: `${message.statusCode} ${text.slice(0, 200)}` });
        }
      });
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      resolve(withoutAnswer.has(error.code) ? { refused: name } : { lost: `${error.code} ${error.message}` });
    });
    sent.end(body);
  });
}

test("four workers of a cluster share the load, and lose no call when they stop", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bothends-cluster-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "server.mjs"), program);
  const child = spawn(process.execPath, [join(folder, "server.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  try {
    const lines = createInterface(child.stdout);
    const begun = new Set<string>();
    const port = await new Promise<number>((resolve) => lines.once("line", (text) => resolve(Number(text))));
    lines.on("line", (name) => begun.add(name));
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const outcomes: Outcome[] = [];
    let isRefused = false;
    const caller = async (name: string) => {
      for (let count = 0; !isRefused && count < 2_000; count += 1) {
        const outcome = await call(port, agent, `${name}x${count}`);
        outcomes.push(outcome);
        isRefused ||= "refused" in outcome;
      }
    };
    const callers = Promise.all(Array.from({ length: 20 }, (_, index) => caller(`c${index}`)));
    const workersOf = () => new Set(outcomes.flatMap((outcome) => ("by" in outcome ? [outcome.by] : [])));
    const isLoaded = () => workersOf().size === 4 && outcomes.length > 200;
    await expect.poll(isLoaded, { timeout: 40_000 }).toBe(true);
    child.kill("SIGTERM");
    await callers;
    agent.destroy();
    expect(await exited).toBe(0);
    expect(outcomes.filter((outcome) => "lost" in outcome)).toEqual([]);
    expect(outcomes.filter((outcome) => "refused" in outcome && begun.has(outcome.refused))).toEqual([]);
    expect(begun.size).toBe(outcomes.filter((outcome) => "by" in outcome).length);
  } finally {
    child.kill("SIGKILL");
  }
});
