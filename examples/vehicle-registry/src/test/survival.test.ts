import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { VehicleClient } from "@bothends/client/vehicle";
import { eq } from "drizzle-orm";
import { openDatabase } from "../database.js";
import { lookups } from "../tables.js";
import { createEmptyDatabase } from "./empty-database.js";
import { killServers, type ServerProcess, spawnServer, startServer } from "./server-process.js";

const root = await mkdtemp(join(tmpdir(), "vehicle-registry-"));
const folder = join(root, "data");

after(async () => {
  killServers();
  await rm(root, { recursive: true, force: true });
});

function start(databaseFolder = folder): Promise<ServerProcess> {
  return startServer({ DATABASE_FOLDER: databaseFolder });
}

function lookUp(baseUrl: string, username: string) {
  return new VehicleClient({ baseUrl, username }).reg.checkUSA({ RegistrationNumber: "ABC1234", State: "NY" });
}

async function countBilled(username: string, databaseFolder = folder): Promise<number> {
  const { database, close } = await openDatabase({ folder: databaseFolder });
  const count = await database.$count(lookups, eq(lookups.username, username));
  await close();
  return count;
}

test("a lookup that was answered is billed although the server is killed at once", async () => {
  const username = randomUUID();
  for (const signal of ["SIGKILL", "SIGKILL", "SIGTERM"] as const) {
    const server = await start();
    assert.equal((await lookUp(server.url, username))?.vehicleData?.CarModel, "FOCUS");
    await server.end(signal);
  }
  assert.equal(await countBilled(username), 3);
});

test("a server that is killed amid calls has billed all that it answered", async () => {
  const username = randomUUID();
  const server = await start();
  let answered = 0;
  const call = async (): Promise<void> => {
    for (;;) {
      await lookUp(server.url, username);
      answered += 1;
    }
  };
  const callers = [1, 2, 3, 4].map(() => call().catch(() => {}));
  for (; answered < 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await server.end("SIGKILL");
  await Promise.all(callers);
  const count = await countBilled(username);
  // Each caller may have one lookup that was billed but not answered.
  assert.ok(count >= answered && count <= answered + callers.length, `${count} billed, ${answered} answered`);
});

const hasServer = process.env["DATABASE_URL"] !== undefined;
const onPostgres = { skip: hasServer ? false : "PGlite has no dumps: set DATABASE_URL" };
const onPglite = { skip: hasServer ? "only PGlite has a folder: unset DATABASE_URL" : false };

test("a server that is killed while it makes its database starts again", onPglite, async () => {
  const young = join(root, "young");
  for (const delay of [0, 400, 1_200]) {
    const child = spawnServer({ DATABASE_FOLDER: young });
    for (; !existsSync(`${young}.new`) && !existsSync(join(young, "PG_VERSION")); ) {
      await sleep(10);
    }
    await sleep(delay);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  const server = await start(young);
  assert.equal((await lookUp(server.url, randomUUID()))?.vehicleData?.CarModel, "FOCUS");
  await server.end("SIGTERM");
});

test("an empty lock file does not stop a server from starting", onPglite, async () => {
  const locked = join(root, "locked");
  await writeFile(`${locked}.lock`, "");
  const server = await start(locked);
  assert.equal((await lookUp(server.url, randomUUID()))?.vehicleData?.CarModel, "FOCUS");
  await server.end("SIGTERM");
});

test("a copy of the folder of a stopped server is a backup", onPglite, async () => {
  const username = randomUUID();
  const server = await start();
  await lookUp(server.url, username);
  await server.end("SIGTERM");
  const copy = join(root, "copy");
  await cp(folder, copy, { recursive: true });
  const restored = await start(copy);
  await lookUp(restored.url, username);
  await restored.end("SIGTERM");
  assert.equal(await countBilled(username, copy), 2);
});

test("a restored dump is a backup", onPostgres, async () => {
  const username = randomUUID();
  const [source, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const server = await startServer({ DATABASE_URL: source.url });
  await lookUp(server.url, username);
  // These are the commands of the README. The server keeps running.
  const dump = join(root, "registry.dump");
  execFileSync("pg_dump", ["--format=custom", `--file=${dump}`, source.url]);
  execFileSync("pg_restore", ["--clean", "--if-exists", "-d", target.url, dump]);
  await server.end("SIGTERM");
  const restored = await startServer({ DATABASE_URL: target.url });
  await lookUp(restored.url, username);
  await restored.end("SIGTERM");
  const { database, close } = await openDatabase({ url: target.url });
  assert.equal(await database.$count(lookups, eq(lookups.username, username)), 2);
  await close();
  await Promise.all([source.drop(), target.drop()]);
});

test("a second server on the same folder ends with a message", onPglite, async () => {
  const server = await start();
  const second = spawnServer({ DATABASE_FOLDER: folder });
  let message = "";
  second.stderr.on("data", (text: Buffer) => {
    message += text.toString();
  });
  const [code] = await once(second, "exit");
  assert.notEqual(code, 0);
  assert.match(message, /Process \d+ uses the database in .* Stop it, or choose another folder with DATABASE_FOLDER\./);
  await server.end("SIGTERM");
});
