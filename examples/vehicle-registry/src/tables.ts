import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";

const id = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

/** Cars and motorbikes. A vehicle is found by its country, its number and, in some countries, its region. */
export const vehicles = pgTable(
  "vehicles",
  {
    id: id(),
    /** The country code (ISO 3166-1 alpha-2): `US`. */
    country: text("country").notNull(),
    kind: text("kind", { enum: ["car", "motorbike"] })
      .notNull()
      .default("car"),
    /** The registration number, KBA number or national code, depending on the country: capitals without spaces. */
    number: text("number").notNull(),
    /** A state or district; empty where the country needs none. */
    region: text("region").notNull().default(""),
    abiCode: text("abi_code"),
    description: text("description").notNull(),
    registrationYear: integer("registration_year"),
    manufacturedFrom: integer("manufactured_from"),
    manufacturedTo: integer("manufactured_to"),
    make: text("make").notNull(),
    model: text("model").notNull(),
    bodyStyle: text("body_style"),
    /** The engine's displacement in cubic centimetres. */
    engineSize: integer("engine_size"),
    doors: integer("doors"),
    transmission: text("transmission"),
    fuel: text("fuel"),
    immobiliser: text("immobiliser"),
    seats: integer("seats"),
    /** The vehicle's value in the currency of the country. */
    value: integer("value"),
    driverSide: text("driver_side", { enum: ["LHS", "RHS"] }),
  },
  (table) => [uniqueIndex("vehicles_by_number").on(table.number, table.country, table.kind, table.region)],
);

/** Italian vehicles with their insurance. */
export const insuredVehicles = pgTable(
  "insured_vehicles",
  {
    number: text("number").notNull(),
    vehicleType: text("vehicle_type").notNull(),
    make: text("make").notNull(),
    model: text("model").notNull(),
    company: text("company"),
    expiry: timestamp("expiry", { withTimezone: true }),
    isInsured: boolean("is_insured").notNull(),
    region: text("region").notNull(),
  },
  (table) => [primaryKey({ columns: [table.number, table.vehicleType] })],
);

/** Polish insurance policies. */
export const insurancePolicies = pgTable("insurance_policies", {
  number: text("number").primaryKey(),
  policyNumber: text("policy_number").notNull(),
  vehicle: text("vehicle").notNull(),
  company: text("company").notNull(),
  address: text("address").notNull(),
  isBlacklisted: boolean("is_blacklisted").notNull().default(false),
});

/** Irish taxi licences. */
export const taxiLicences = pgTable("taxi_licences", {
  number: text("number").primaryKey(),
  licenceNumber: text("licence_number").notNull(),
  licenceHolder: text("licence_holder").notNull(),
  expiry: timestamp("expiry", { withTimezone: true }).notNull(),
});

/** The accounts that may look up vehicles. */
export const accounts = pgTable(
  "accounts",
  {
    username: text("username").primaryKey(),
    /** Whether the account may call the operation that is restricted to one account. */
    isRestrictedAccount: boolean("is_restricted_account").notNull().default(false),
    /** The number of remaining lookups; null for no limit. */
    credits: integer("credits"),
  },
  (table) => [check("credits_are_not_negative", sql`${table.credits} >= 0`)],
);

/** Every lookup that found a record, for the accounts' bills. */
export const lookups = pgTable(
  "lookups",
  {
    id: id(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
    /** The account's name; null for lookups by the operation without a username. */
    username: text("username").references(() => accounts.username),
    operation: text("operation").notNull(),
    number: text("number").notNull(),
  },
  (table) => [index("lookups_by_account").on(table.username, table.at)],
);
