import { SoapFault } from "@bothends/server/vehicle";
import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "./database.js";
import { database } from "./store.js";
import { accounts, lookups, vehicles } from "./tables.js";

/** A lookup, as it is billed. */
export interface Lookup {
  readonly operation: string;
  readonly username: string;
  readonly number: string;
  /** Only the restricted account may do it. */
  readonly restricted?: boolean;
}

/** Finds a record and, if there is one, bills the account for it: both or neither. */
export function lookUp<Found>(
  lookup: Lookup,
  find: (transaction: Database) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return database.transaction(async (transaction) => {
    const account = await accountOf(transaction, lookup);
    const found = await find(transaction);
    if (found !== undefined) {
      await bill(transaction, account, lookup);
    }
    return found;
  });
}

/** Records a lookup of an operation that takes no username. */
export async function recordLookup(operation: string, number: string): Promise<void> {
  await database.insert(lookups).values({ operation, number });
}

type Account = typeof accounts.$inferSelect;

/** The account of a username. A new username gets one: the interface does not say how accounts are made. */
async function accountOf(transaction: Database, { username, restricted = false }: Lookup): Promise<Account> {
  if (username === "") {
    throw new SoapFault({ code: "Client", reason: "The username must not be empty." });
  }
  const isWanted = eq(accounts.username, username);
  let [account] = await transaction.select().from(accounts).where(isWanted);
  if (account === undefined) {
    await transaction.insert(accounts).values({ username }).onConflictDoNothing();
    [account] = await transaction.select().from(accounts).where(isWanted);
  }
  if (account === undefined || (restricted && !account.isRestrictedAccount)) {
    throw new SoapFault({ code: "Client", reason: `The account "${username}" may not call this operation.` });
  }
  return account;
}

async function bill(
  transaction: Database,
  { username, credits }: Account,
  { operation, number }: Lookup,
): Promise<void> {
  // Only accounts with a limit are changed: a row that is changed makes all other lookups of its account wait.
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

/** How to find a vehicle. */
export interface VehicleKey {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly number: string;
  /** A state or district, in countries that have them. */
  readonly region?: string;
  readonly kind?: "car" | "motorbike";
}

export type VehicleRow = typeof vehicles.$inferSelect;

/** The vehicle with a number; spaces, hyphens and letter case do not matter. */
export async function findVehicle(transaction: Database, key: VehicleKey): Promise<VehicleRow | undefined> {
  const [found] = await vehicleQuery(transaction, key);
  return found;
}

export function vehicleQuery(transaction: Database, { country, number, region = "", kind = "car" }: VehicleKey) {
  const isWanted = and(
    eq(vehicles.number, plainNumber(number)),
    eq(vehicles.country, country),
    eq(vehicles.kind, kind),
    eq(vehicles.region, region.trim().toUpperCase()),
  );
  return transaction.select().from(vehicles).where(isWanted);
}

/** A number without spaces, hyphens and dots, in capitals. */
export function plainNumber(number: string): string {
  return number.replaceAll(/[\s.-]/g, "").toUpperCase();
}
