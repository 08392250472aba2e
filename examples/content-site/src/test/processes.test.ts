import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { ContentClient } from "@bothends/client/content";
import { and, eq } from "drizzle-orm";
import { openDatabase } from "../database.js";
import { posts } from "../tables.js";

const url = process.env["DATABASE_URL"];
const onPostgres = { skip: url === undefined ? "PGlite supports only one process: set DATABASE_URL" : false };
const children: ChildProcess[] = [];

after(() => {
  for (const child of children) {
    child.kill("SIGKILL");
  }
});

/** Starts a server process, and returns it with its port. */
async function start(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", "main.js")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  return { child, port: Number(/:(\d+)\s*$/.exec(text.toString())?.[1]) };
}

/**
 * Starts a proxy that sends the requests to the ports in turn. If a port refuses the connection, the proxy tries the next one.
 */
async function startProxy(ports: readonly number[]) {
  let turn = 0;
  const proxy = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer);
    }
    const pass = (attempts: number): void => {
      turn += 1;
      const port = ports[turn % ports.length];
      const { method, url: path, headers } = incoming;
      const forwarded = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED" && attempts > 0) {
          pass(attempts - 1);
        } else {
          outgoing.writeHead(502).end();
        }
      });
      forwarded.end(Buffer.concat(chunks));
    };
    pass(ports.length);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return { siteUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
}

test("four processes on one database answer like a single one, also when one is killed", onPostgres, async () => {
  const servers = await Promise.all([1, 2, 3, 4].map(start));
  const proxy = await startProxy(servers.map(({ port }) => port));
  const { core } = new ContentClient({ siteUrl: proxy.siteUrl });
  const template = randomUUID();
  const answered: number[] = [];
  let unanswered = 0;
  const create = async (): Promise<void> => {
    try {
      const block = await core.blocks.create({ title: { raw: `Cluster ${template}` }, template, status: "publish" });
      answered.push(block.id);
      assert.equal((await core.blocks.get({ id: block.id })).id, block.id);
    } catch {
      unanswered += 1;
    }
  };
  const callers = Array.from({ length: 8 }, async () => {
    for (let count = 0; count < 10; count += 1) {
      await create();
    }
  });
  for (; answered.length < 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  servers[0]?.child.kill("SIGKILL");
  await Promise.all(callers);
  proxy.close();

  const { database, close } = await openDatabase({ url });
  const stored = await database
    .select({ id: posts.id, slug: posts.slug })
    .from(posts)
    .where(and(eq(posts.template, template), eq(posts.type, "wp_block")));
  await close();
  const ids = new Set(stored.map(({ id }) => id));
  assert.ok(
    answered.every((id) => ids.has(id)),
    "what was answered is stored",
  );
  assert.equal(new Set(stored.map(({ slug }) => slug)).size, stored.length, "every slug is different");
  assert.ok(stored.length <= answered.length + unanswered, "nothing is stored twice");
  assert.ok(unanswered <= 8, `${unanswered} calls had no answer: at most those that the killed process had begun`);
});
