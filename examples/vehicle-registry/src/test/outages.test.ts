import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { VehicleClient } from "@bothends/client/vehicle";
import { eq, sql } from "drizzle-orm";
import { type DatabaseOptions, openDatabase } from "../database.js";
import { lookups } from "../tables.js";
import { killServers, startServer } from "./server-process.js";

// `.ci/databases` sets both variables: a disk of about 160 MB, and a command that stops and starts the server of DATABASE_URL.
const disk = process.env["SMALL_DISK"];
const control = process.env["DATABASE_CONTROL"];
const url = process.env["DATABASE_URL"];
const onSmallDisk = { skip: disk === undefined ? "SMALL_DISK is not set" : false };
const onOwnServer = { skip: control === undefined ? "DATABASE_CONTROL is not set" : false };

after(killServers);

function lookUp(baseUrl: string, username: string) {
  return new VehicleClient({ baseUrl, username }).reg.checkUSA({ RegistrationNumber: "ABC1234", State: "NY" });
}

async function countBilled(username: string, options: DatabaseOptions): Promise<number> {
  const { database, close } = await openDatabase(options);
  const count = await database.$count(lookups, eq(lookups.username, username));
  await close();
  return count;
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

async function isReady(url: string): Promise<void> {
  for (let attempt = 0; (await statusOf(`${url}/ready`)) !== 200; attempt += 1) {
    assert.ok(attempt < 100, "the server is ready again within 20 seconds");
    await sleep(200);
  }
}

/** Fills the small disk up to a number of free bytes. */
function fill(folder: string, freeBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
}

test("a full disk is answered with a fault until it has space again, and no bill is lost", onSmallDisk, async () => {
  const folder = await mkdtemp(join(disk ?? "", "reserve-"));
  const store = { url: "", folder: join(folder, "data") };
  const username = randomUUID();
  const server = await startServer({ DATABASE_URL: "", DATABASE_FOLDER: store.folder });
  await lookUp(server.url, username);
  fill(folder, 10_000_000);
  await assert.rejects(lookUp(server.url, username), /There is no space left to store data\. Try again later\./);
  assert.deepEqual([await statusOf(`${server.url}/ready`), await statusOf(`${server.url}/health`)], [503, 200]);
  rmSync(join(folder, "filler"));
  await isReady(server.url);
  await lookUp(server.url, username);
  await server.end("SIGKILL");
  assert.equal(await countBilled(username, store), 2);
  await rm(folder, { recursive: true });
});

test("a full disk without a reserve loses no bill either", onSmallDisk, async () => {
  const folder = await mkdtemp(join(disk ?? "", "full-"));
  const store = { url: "", folder: join(folder, "data") };
  const username = `${"long name ".repeat(100)}${randomUUID()}`;
  const server = await startServer({ DATABASE_URL: "", DATABASE_FOLDER: store.folder, DATABASE_RESERVE: "0" });
  let answered = 0;
  await lookUp(server.url, username);
  answered += 1;
  fill(folder, 0);
  const filled = (async () => {
    for (;;) {
      await lookUp(server.url, username);
      answered += 1;
    }
  })();
  await assert.rejects(filled, /There is no space left|ECONNRESET|socket hang up/);
  await server.end("SIGKILL");
  rmSync(join(folder, "filler"));
  const count = await countBilled(username, store);
  assert.ok(count >= answered && count <= answered + 1, `${count} billed, ${answered} answered`);
  await rm(folder, { recursive: true });
});

test("a database that stops is answered with a fault at once, and its return is noticed", onOwnServer, async () => {
  const store = { url };
  const username = randomUUID();
  const server = await startServer({});
  const outcomes = { answered: 0, failed: 0 };
  let hasEnded = false;
  const call = async (): Promise<void> => {
    for (; !hasEnded; ) {
      const begin = performance.now();
      try {
        await lookUp(server.url, username);
        outcomes.answered += 1;
      } catch {
        outcomes.failed += 1;
      }
      assert.ok(performance.now() - begin < 12_000, "no call hangs");
    }
  };
  const callers = [1, 2, 3, 4].map(call);
  for (; outcomes.answered < 20; ) {
    await sleep(5);
  }
  execFileSync(control ?? "", ["stop"]);
  await assert.rejects(lookUp(server.url, username), /The database cannot be reached\. Try again later\./);
  assert.deepEqual([await statusOf(`${server.url}/ready`), await statusOf(`${server.url}/health`)], [503, 200]);
  const answeredBefore = outcomes.answered;
  execFileSync(control ?? "", ["start"]);
  await isReady(server.url);
  for (; outcomes.answered < answeredBefore + 20; ) {
    await sleep(5);
  }
  hasEnded = true;
  await Promise.all(callers);
  assert.doesNotMatch(server.errors(), /params:/, "logs have no values of queries");
  await server.end("SIGTERM");
  const count = await countBilled(username, store);
  // Calls without a complete answer may have been billed.
  assert.ok(
    count >= outcomes.answered && count <= outcomes.answered + callers.length,
    `${count} billed, ${JSON.stringify(outcomes)}`,
  );
});

const onPostgres = {
  skip: url === undefined ? "PGlite has only one connection, so no change waits for another: set DATABASE_URL" : false,
};

test("a lookup that waits too long is answered with a fault, and is not billed", onPostgres, async () => {
  const store = { url };
  const username = randomUUID();
  const server = await startServer({});
  await lookUp(server.url, username);
  const { database, close } = await openDatabase(store);
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`lock table ${lookups} in access exclusive mode`);
    const begin = performance.now();
    await assert.rejects(lookUp(server.url, username), /The database takes too long to answer\. Try again later\./);
    assert.ok(performance.now() - begin < 12_000, "no call hangs");
  });
  await lookUp(server.url, username);
  await close();
  await server.end("SIGTERM");
  assert.equal(await countBilled(username, store), 2);
});
