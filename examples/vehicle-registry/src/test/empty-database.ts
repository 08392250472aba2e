import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A separate database for one test. */
export interface EmptyDatabase {
  /** The address on the PostgreSQL server; empty for PGlite. */
  readonly url: string;
  /** The folder of PGlite; empty for PostgreSQL. */
  readonly folder: string;
  drop(): Promise<void>;
}

/**
 * Creates a database: a folder for PGlite or, with `DATABASE_URL`, a database on that PostgreSQL server. It is empty unless there
 * are SQL statements to run.
 */
export async function createEmptyDatabase(statements = ""): Promise<EmptyDatabase> {
  const server = process.env["DATABASE_URL"];
  if (server === undefined || server === "") {
    const root = await mkdtemp(join(tmpdir(), "database-"));
    const folder = join(root, "data");
    if (statements !== "") {
      const { PGlite } = await import("@electric-sql/pglite");
      const client = await PGlite.create(folder);
      await client.exec(statements);
      await client.close();
    }
    return { url: "", folder, drop: () => rm(root, { recursive: true }) };
  }
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await run(server, `create database ${name}`);
  await run(url.href, statements);
  return { url: url.href, folder: "", drop: () => run(server, `drop database ${name} with (force)`) };
}

async function run(server: string, statements: string): Promise<void> {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
