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
  /** Rejects if the database does not answer, or has no space. */
  check(): Promise<void>;
  /** Rejects if the disk of the database has less than `DATABASE_RESERVE` megabytes left. PostgreSQL looks after its disk itself. */
  checkSpace(): Promise<void>;
  /** Ends the process if the database cannot go on after an error. */
  endIfLost(error: Error): void;
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
  const checkSpace = (): Promise<void> => checkSpaceOf(folder);
  const unlock = await lockFolder(folder);
  await checkSpace();
  await createFolder(folder, (path) => PGlite.create(path));
  const client = await PGlite.create(folder);
  const database = drizzle(client, { schema: tables });
  await migrate(database, { migrationsFolder });
  // A server of PostgreSQL does this by itself.
  await client.exec("vacuum (analyze)");
  return {
    database,
    check: async () => {
      await checkSpace();
      await checkDatabase(database);
    },
    checkSpace,
    endIfLost: ({ message }) => {
      // PGlite would wait forever for the next statement. The next process recovers from the log.
      if (message.includes("pg_wal")) {
        console.error(`The database cannot write its log, and the server ends: ${message}`);
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
  const { Pool } = (await import("pg")).default;
  const { drizzle } = await import("drizzle-orm/node-postgres");
  const { migrate } = await import("drizzle-orm/node-postgres/migrator");
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    // The server ends a statement that takes too long; the driver gives up when the server does not answer at all.
    statement_timeout: 8_000,
    query_timeout: 10_000,
  });
  // A connection that breaks is replaced, and the next query reports what fails then. Without these, the process would end.
  pool.on("error", () => {});
  pool.on("connect", (connection) => connection.on("error", () => {}));
  // Migrations may take longer than queries.
  const migrating = new Pool({ connectionString: url, connectionTimeoutMillis: 3_000 });
  await migrateAlone(migrating, () => migrate(drizzle(migrating), { migrationsFolder }));
  await migrating.end();
  const database = drizzle(pool, { schema: tables });
  return {
    database,
    check: () => checkDatabase(database),
    checkSpace: async () => {},
    endIfLost: () => {},
    close: () => pool.end(),
  };
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
  try {
    await database.execute(sql`select 1`);
  } catch (error) {
    throw withoutValues(error);
  }
}
