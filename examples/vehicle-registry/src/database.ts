import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import * as tables from "./tables.js";

/** The database, with the same queries on PGlite and PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof tables>;

export interface OpenDatabase {
  readonly database: Database;
  /** Rejects if the database does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The address of a PostgreSQL server; without one, PGlite runs in this process. */
  readonly url?: string | undefined;
  /** The folder of PGlite's files; `memory://` for none. */
  readonly folder?: string | undefined;
}

const root = join(import.meta.dirname, "..");
const migrationsFolder = join(root, "migrations");

/** Opens the database that the environment names, and brings its tables up to date. */
export function openDatabase({
  url = process.env["DATABASE_URL"],
  folder = process.env["DATABASE_FOLDER"] ?? join(root, "data"),
}: DatabaseOptions = {}): Promise<OpenDatabase> {
  return url === undefined || url === "" ? openPglite(folder) : openPostgres(url);
}

async function openPglite(folder: string): Promise<OpenDatabase> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { drizzle } = await import("drizzle-orm/pglite");
  const { migrate } = await import("drizzle-orm/pglite/migrator");
  const unlock = await lockFolder(folder);
  const client = await PGlite.create(folder);
  const database = drizzle(client, { schema: tables });
  await migrate(database, { migrationsFolder });
  // A server of PostgreSQL does this by itself.
  await client.exec("vacuum (analyze)");
  return {
    database,
    check: () => checkDatabase(database),
    close: async () => {
      await client.close();
      await unlock();
    },
  };
}

async function openPostgres(url: string): Promise<OpenDatabase> {
  const { Pool } = (await import("pg")).default;
  const { drizzle } = await import("drizzle-orm/node-postgres");
  const { migrate } = await import("drizzle-orm/node-postgres/migrator");
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 20_000 });
  // A connection that breaks while it is idle is replaced on the next query, which reports what fails then.
  pool.on("error", () => {});
  const database = drizzle(pool, { schema: tables });
  await migrateAlone(pool, () => migrate(database, { migrationsFolder }));
  return { database, check: () => checkDatabase(database), close: () => pool.end() };
}

/** Lets only one of several processes that start together change the tables. */
async function migrateAlone(pool: import("pg").Pool, migrate: () => Promise<void>): Promise<void> {
  const lock = 20_26_11;
  const connection = await pool.connect();
  try {
    await connection.query("select pg_advisory_lock($1)", [lock]);
    await migrate();
    await connection.query("select pg_advisory_unlock($1)", [lock]);
  } finally {
    connection.release();
  }
}

async function checkDatabase(database: Database): Promise<void> {
  await database.execute(sql`select 1`);
}

/** Keeps other processes out of PGlite's files, which two would damage. Returns a function that lets them in. */
async function lockFolder(folder: string): Promise<() => Promise<void>> {
  if (folder.startsWith("memory://")) {
    return async () => {};
  }
  await mkdir(folder, { recursive: true });
  const file = `${folder}.lock`;
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
  } catch {
    const owner = Number(await readFile(file, "utf8"));
    if (owner !== process.pid && isRunning(owner)) {
      throw new Error(
        `Process ${owner} uses the database in ${folder}. Stop it, or choose another folder with DATABASE_FOLDER.`,
      );
    }
    // The owner ended without closing the database.
    await writeFile(file, String(process.pid));
  }
  return () => rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
