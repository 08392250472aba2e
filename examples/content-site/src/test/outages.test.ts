import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ContentClient } from "@bothends/client/content";
import { isRestError } from "@bothends/runtime";
import { eq, sql } from "drizzle-orm";
import { type DatabaseOptions, openDatabase } from "../database.js";
import { posts } from "../tables.js";
import { killServers, startServer } from "./server-process.js";

// `.ci/databases` sets both variables: a disk of about 160 MB, and a command that stops and starts the server of DATABASE_URL.
const disk = process.env["SMALL_DISK"];
const control = process.env["DATABASE_CONTROL"];
const url = process.env["DATABASE_URL"];
const onSmallDisk = { skip: disk === undefined ? "SMALL_DISK is not set" : false };
const onOwnServer = { skip: control === undefined ? "DATABASE_CONTROL is not set" : false };

after(killServers);

function create(siteUrl: string, template: string) {
  return new ContentClient({ siteUrl }).core.blocks.create({ title: { raw: "Block" }, template, status: "publish" });
}

function upload(siteUrl: string) {
  const content = new Uint8Array(3_000_000).fill(1);
  const file = { content, type: "image/png", name: "large.png" };
  return new ContentClient({ siteUrl }).core.media.create({}, { upload: file });
}

async function countBlocks(template: string, options: DatabaseOptions): Promise<number> {
  const { database, close } = await openDatabase(options);
  const count = await database.$count(posts, eq(posts.template, template));
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

const isUnavailable = (error: unknown): boolean => isRestError(error, "site_unavailable") && error.status === 503;

/** Fills the small disk up to a number of free bytes. */
function fill(folder: string, freeBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
}

test(
  "a full disk refuses changes with 503, answers readers, and accepts changes again later",
  onSmallDisk,
  async () => {
    const folder = await mkdtemp(join(disk ?? "", "reserve-"));
    const store = { url: "", folder: join(folder, "data") };
    const variables = { DATABASE_URL: "", DATABASE_FOLDER: store.folder, UPLOAD_FOLDER: join(folder, "uploads") };
    const template = randomUUID();
    const server = await startServer(variables);
    await create(server.url, template);
    fill(folder, 10_000_000);
    await assert.rejects(create(server.url, template), isUnavailable);
    assert.equal((await new ContentClient({ siteUrl: server.url }).core.blocks.list()).length, 3);
    assert.deepEqual([await statusOf(`${server.url}/ready`), await statusOf(`${server.url}/health`)], [503, 200]);
    rmSync(join(folder, "filler"));
    await isReady(server.url);
    await create(server.url, template);
    await server.end("SIGKILL");
    assert.equal(await countBlocks(template, store), 2);
    await rm(folder, { recursive: true });
  },
);

test("an upload for which the disk has no space leaves no part of its file", onSmallDisk, async () => {
  const folder = await mkdtemp(join(disk ?? "", "upload-"));
  const uploads = join(folder, "uploads");
  const server = await startServer({
    DATABASE_URL: "",
    DATABASE_FOLDER: join(folder, "data"),
    DATABASE_RESERVE: "0",
    UPLOAD_FOLDER: uploads,
  });
  const { id } = await upload(server.url);
  fill(folder, 1_500_000);
  await assert.rejects(upload(server.url), isUnavailable);
  const files = readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  assert.equal(files.length, 1, "only the first file is there");
  assert.equal((await new ContentClient({ siteUrl: server.url }).core.media.get({ id })).id, id);
  await server.end("SIGKILL");
  await rm(folder, { recursive: true });
});

test("a database that stops is answered with 503 at once, and its return is noticed", onOwnServer, async () => {
  const store = { url };
  const template = randomUUID();
  const server = await startServer({});
  const outcomes = { answered: 0, failed: 0 };
  let hasEnded = false;
  const call = async (): Promise<void> => {
    for (; !hasEnded; ) {
      const begin = performance.now();
      try {
        await create(server.url, template);
        outcomes.answered += 1;
      } catch (error) {
        assert.ok(isUnavailable(error), String(error));
        outcomes.failed += 1;
        await sleep(20);
      }
      assert.ok(performance.now() - begin < 12_000, "no call hangs");
    }
  };
  const callers = [1, 2, 3, 4].map(call);
  for (; outcomes.answered < 20; ) {
    await sleep(5);
  }
  execFileSync(control ?? "", ["stop"]);
  await assert.rejects(create(server.url, template), isUnavailable);
  assert.equal((await fetch(`${server.url}/en/api/core/v2/blocks`)).headers.get("retry-after"), "10");
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
  const count = await countBlocks(template, store);
  // Calls without a complete answer may have stored a block.
  assert.ok(
    count >= outcomes.answered && count <= outcomes.answered + callers.length,
    `${count} stored, ${JSON.stringify(outcomes)}`,
  );
});

const onPostgres = {
  skip: url === undefined ? "PGlite has only one connection, so no change waits for another: set DATABASE_URL" : false,
};

test("a change that waits too long is answered with 503, and stores nothing", onPostgres, async () => {
  const store = { url };
  const template = randomUUID();
  const server = await startServer({});
  await create(server.url, template);
  const { database, close } = await openDatabase(store);
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`lock table ${posts} in access exclusive mode`);
    const begin = performance.now();
    await assert.rejects(
      create(server.url, template),
      (error) => isUnavailable(error) && /too long/.test(String(error)),
    );
    assert.ok(performance.now() - begin < 12_000, "no call hangs");
  });
  await create(server.url, template);
  await close();
  await server.end("SIGTERM");
  assert.equal(await countBlocks(template, store), 2);
});
