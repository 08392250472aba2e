import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ContentClient } from "@bothends/client/content";
import { eq } from "drizzle-orm";
import { openDatabase } from "../database.js";
import { posts } from "../tables.js";

const root = await mkdtemp(join(tmpdir(), "content-site-"));
const folder = join(root, "data");
const running = new Set<ChildProcess>();

after(async () => {
  for (const child of running) {
    child.kill("SIGKILL");
  }
  await rm(root, { recursive: true, force: true });
});

/** A server of its own process, on the database of the environment or, without one, on PGlite in a folder. */
async function start(
  databaseFolder = folder,
): Promise<{ readonly url: string; end(signal: NodeJS.Signals): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", "main.js")], {
    env: { ...process.env, PORT: "0", DATABASE_FOLDER: databaseFolder, UPLOAD_FOLDER: join(root, "uploads") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The server ended with exit code ${code}.`)));
    child.stdout.on("data", (text: Buffer) => {
      const [address] = /http:\S+/.exec(text.toString()) ?? [];
      if (address !== undefined) {
        resolve(address);
      }
    });
  });
  return {
    url,
    end: async (signal) => {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      running.delete(child);
    },
  };
}

function create(siteUrl: string, template: string) {
  return new ContentClient({ siteUrl }).core.blocks.create({ title: { raw: "Block" }, template, status: "publish" });
}

/** The number of blocks with a template, by which each test marks its own. */
async function stored(template: string, databaseFolder = folder): Promise<number> {
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
  assert.equal(await stored(template), 3);
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
  const count = await stored(template);
  // A block may be stored whose answer the kill cut off, at most one for each caller.
  assert.ok(count >= answered && count <= answered + callers.length, `${count} stored, ${answered} answered`);
});

const onPglite = { skip: process.env["DATABASE_URL"] === undefined ? false : "PostgreSQL has no folder of ours" };

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
  assert.equal(await stored(template, copy), 2);
});
