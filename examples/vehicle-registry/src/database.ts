import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { withoutValues } from "./outages.js";
import { checkSpaceOf, createFolder, lockFolder } from "./pglite-files.js";
import * as tables from "./tables.js";

/** The database, with the same queries on PGlite and PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof tables>;

export interface OpenDatabase {
  readonly database: Database;
  /** Rejects if the database does not answer, or has no space left. */
  check(): Promise<void>;
  /**
   * Rejects if PGlite's disk has less than `DATABASE_RESERVE` megabytes left. With PostgreSQL, its server reports a full disk.
   */
  checkSpace(): Promise<void>;
  /** Ends the process if PGlite cannot continue after an error. */
  endIfLost(error: Error): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The address of a PostgreSQL server. Without one, PGlite runs in this process. */
  readonly url?: string | undefined;
  /** The folder of PGlite's files; `memory://` for none. */
  readonly folder?: string | undefined;
}

const root = join(import.meta.dirname, "..");
const migrationsFolder = join(root, "migrations");

/** Opens the database, by default the one in the environment variables, and migrates its tables. */
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
  const checkSpace = (): Promise<void> => checkSpaceOf(folder);
  const unlock = await lockFolder(folder);
  await checkSpace();
  await createFolder(folder, (path) => PGlite.create(path));
  const client = await PGlite.create(folder);
  const database = drizzle(client, { schema: tables });
  await migrate(database, { migrationsFolder });
  // A PostgreSQL server does this automatically.
  await client.exec("vacuum (analyze)");
  return {
    database,
    check: async () => {
      await checkSpace();
      await checkDatabase(database);
    },
    checkSpace,
    endIfLost: ({ message }) => {
      // After this error, PGlite would wait forever at the next statement. The next process recovers from the log.
      if (message.includes("pg_wal")) {
        console.error(`The database cannot write its log, so the server stops: ${message}`);
        process.exit(1);
      }
    },
    close: async () => {
      await client.close();
      await unlock();
    },
  };
}

async function openPostgres(url: string): Promise<OpenDatabase> {
  const { Client, Pool } = (await import("pg")).default;
  const { drizzle } = await import("drizzle-orm/node-postgres");
  const { migrate } = await import("drizzle-orm/node-postgres/migrator");
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    // The server ends a statement after this time. The driver waits a little longer, because a server may not answer.
    statement_timeout: 8_000,
    query_timeout: 10_000,
  });
  // Without these listeners, a broken connection would end the process. The pool replaces the connection.
  pool.on("error", () => {});
  pool.on("connect", (connection) => connection.on("error", () => {}));
  // Migrations may take longer than queries, so their connection has no time limit for statements.
  const connection = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  // The statement that a broken connection interrupts rejects. Without this listener, the process would end too.
  connection.on("error", () => {});
  await connection.connect();
  try {
    await migrateWithLock(connection, () => migrate(drizzle(connection), { migrationsFolder }));
  } finally {
    // Unlike the end of a pool, this waits until the connection is closed.
    await connection.end();
  }
  const database = drizzle(pool, { schema: tables });
  return {
    database,
    check: () => checkDatabase(database),
    checkSpace: async () => {},
    endIfLost: () => {},
    close: () => pool.end(),
  };
}

/** Runs the migrations while holding a lock, so that only one of several processes that start together changes the tables. */
async function migrateWithLock(connection: import("pg").Client, migrate: () => Promise<void>): Promise<void> {
  const lock = 20_26_11;
  await connection.query("select pg_advisory_lock($1)", [lock]);
  await migrate();
  await connection.query("select pg_advisory_unlock($1)", [lock]);
}

async function checkDatabase(database: Database): Promise<void> {
  try {
    await database.execute(sql`select 1`);
  } catch (error) {
    throw withoutValues(error);
  }
}
