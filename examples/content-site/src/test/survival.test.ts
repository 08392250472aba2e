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
import { ContentClient } from "@bothends/client/content";
import { eq } from "drizzle-orm";
import { openDatabase } from "../database.js";
import { posts } from "../tables.js";
import { createEmptyDatabase } from "./empty-database.js";
import { killServers, type ServerProcess, spawnServer, startServer } from "./server-process.js";

const root = await mkdtemp(join(tmpdir(), "content-site-"));
const folder = join(root, "data");

after(async () => {
  killServers();
  await rm(root, { recursive: true, force: true });
});

function start(databaseFolder = folder): Promise<ServerProcess> {
  return startServer({ DATABASE_FOLDER: databaseFolder, UPLOAD_FOLDER: join(root, "uploads") });
}

function create(siteUrl: string, template: string) {
  return new ContentClient({ siteUrl }).core.blocks.create({ title: { raw: "Block" }, template, status: "publish" });
}

/** Counts the blocks with a template. Each test uses its own template name. */
async function countBlocks(template: string, databaseFolder = folder): Promise<number> {
  const { database, close } = await openDatabase({ folder: databaseFolder });
  const count = await database.$count(posts, eq(posts.template, template));
  await close();
  return count;
}

test("a block whose creation was answered is there although the server is killed at once", async () => {
  const template = randomUUID();
  for (const signal of ["SIGKILL", "SIGKILL", "SIGTERM"] as const) {
    const server = await start();
    assert.equal((await create(server.url, template)).status, "publish");
    await server.end(signal);
  }
  assert.equal(await countBlocks(template), 3);
});

test("a server that is killed amid calls has all blocks that it answered", async () => {
  const template = randomUUID();
  const server = await start();
  let answered = 0;
  const call = async (): Promise<void> => {
    for (;;) {
      await create(server.url, template);
      answered += 1;
    }
  };
  const callers = [1, 2, 3, 4].map(() => call().catch(() => {}));
  for (; answered < 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await server.end("SIGKILL");
  await Promise.all(callers);
  const count = await countBlocks(template);
  // Each caller may have one block that was stored but not answered.
  assert.ok(count >= answered && count <= answered + callers.length, `${count} stored, ${answered} answered`);
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
  assert.equal((await create(server.url, randomUUID())).status, "publish");
  await server.end("SIGTERM");
});

test("an empty lock file does not stop a server from starting", onPglite, async () => {
  const locked = join(root, "locked");
  await writeFile(`${locked}.lock`, "");
  const server = await start(locked);
  await server.end("SIGTERM");
});

test("a copy of the folder of a stopped server is a backup", onPglite, async () => {
  const template = randomUUID();
  const server = await start();
  await create(server.url, template);
  await server.end("SIGTERM");
  const copy = join(root, "copy");
  await cp(folder, copy, { recursive: true });
  const restored = await start(copy);
  await create(restored.url, template);
  await restored.end("SIGTERM");
  assert.equal(await countBlocks(template, copy), 2);
});

test("a restored dump is a backup", onPostgres, async () => {
  const template = randomUUID();
  const [source, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const startOn = (url: string) => startServer({ DATABASE_URL: url, UPLOAD_FOLDER: join(root, "uploads") });
  const server = await startOn(source.url);
  await create(server.url, template);
  // These are the commands of the README. The server keeps running.
  const dump = join(root, "site.dump");
  execFileSync("pg_dump", ["--format=custom", `--file=${dump}`, source.url]);
  execFileSync("pg_restore", ["--clean", "--if-exists", "-d", target.url, dump]);
  await server.end("SIGTERM");
  const restored = await startOn(target.url);
  await create(restored.url, template);
  await restored.end("SIGTERM");
  const { database, close } = await openDatabase({ url: target.url });
  assert.equal(await database.$count(posts, eq(posts.template, template)), 2);
  await close();
  await Promise.all([source.drop(), target.drop()]);
});
