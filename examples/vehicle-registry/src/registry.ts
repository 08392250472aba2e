import { SoapFault } from "@bothends/server/vehicle";
import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "./database.js";
import { database } from "./store.js";
import { accounts, lookups, vehicles } from "./tables.js";

/** A lookup of a vehicle, as recorded for the account's bill. */
export interface Lookup {
  readonly operation: string;
  readonly username: string;
  readonly number: string;
  /** Whether only the restricted account may make this lookup. Default: false. */
  readonly restricted?: boolean;
}

/** Finds a record and, if it exists, charges the account for the lookup, in one transaction. */
export function lookUp<Found>(
  lookup: Lookup,
  find: (transaction: Database) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return database.transaction(async (transaction) => {
    const account = await getAccount(transaction, lookup);
    const foundRecord = await find(transaction);
    if (foundRecord !== undefined) {
      await chargeAccount(transaction, account, lookup);
    }
    return foundRecord;
  });
}

/** Records a lookup by an operation without a username. */
export async function recordLookup(operation: string, number: string): Promise<void> {
  await database.insert(lookups).values({ operation, number });
}

type Account = typeof accounts.$inferSelect;

/** Returns the account of a username. Creates one for a new username, because the interface has no operation for that. */
async function getAccount(transaction: Database, { username, restricted = false }: Lookup): Promise<Account> {
  if (username === "") {
    throw new SoapFault({ code: "Client", reason: "The username must not be empty." });
  }
  const hasUsername = eq(accounts.username, username);
  let [account] = await transaction.select().from(accounts).where(hasUsername);
  if (account === undefined) {
    await transaction.insert(accounts).values({ username }).onConflictDoNothing();
    [account] = await transaction.select().from(accounts).where(hasUsername);
  }
  if (account === undefined || (restricted && !account.isRestrictedAccount)) {
    throw new SoapFault({ code: "Client", reason: `The account "${username}" may not call this operation.` });
  }
  return account;
}

async function chargeAccount(
  transaction: Database,
  { username, credits }: Account,
  { operation, number }: Lookup,
): Promise<void> {
  // Changes only accounts with a limit, because other lookups of an account wait while its row is changed.
  if (credits !== null) {
    const charged = await transaction
      .update(accounts)
      .set({ credits: sql`${accounts.credits} - 1` })
      .where(and(eq(accounts.username, username), gt(accounts.credits, 0)))
      .returning({ username: accounts.username });
    if (charged.length === 0) {
      throw new SoapFault({ code: "Client", reason: `The account "${username}" has no lookups left.` });
    }
  }
  await transaction.insert(lookups).values({ operation, username, number });
}

/** The columns by which a vehicle is found. */
export interface VehicleKey {
  /** The country code (ISO 3166-1 alpha-2): `US`. */
  readonly country: string;
  readonly number: string;
  /** A state or district, in countries that have them. */
  readonly region?: string;
  readonly kind?: "car" | "motorbike";
}

export type VehicleRow = typeof vehicles.$inferSelect;

/** Finds a vehicle by its number. Spaces, hyphens, dots and letter case do not matter. */
export async function findVehicle(transaction: Database, key: VehicleKey): Promise<VehicleRow | undefined> {
  const [foundRow] = await createVehicleQuery(transaction, key);
  return foundRow;
}

export function createVehicleQuery(transaction: Database, { country, number, region = "", kind = "car" }: VehicleKey) {
  const isVehicle = and(
    eq(vehicles.number, normalizeNumber(number)),
    eq(vehicles.country, country),
    eq(vehicles.kind, kind),
    eq(vehicles.region, region.trim().toUpperCase()),
  );
  return transaction.select().from(vehicles).where(isVehicle);
}

/** Converts a registration number to capitals, without spaces, hyphens and dots. */
export function normalizeNumber(number: string): string {
  return number.replaceAll(/[\s.-]/g, "").toUpperCase();
}
