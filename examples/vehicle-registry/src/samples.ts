import { sql } from "drizzle-orm";
import type { Database } from "./database.js";
import { accounts, insurancePolicies, insuredVehicles, taxiLicences, vehicles } from "./tables.js";

type NewVehicle = typeof vehicles.$inferInsert;

const fordFocus: Omit<NewVehicle, "country" | "number"> = {
  abiCode: "32130768",
  description: "FORD FOCUS ZETEC 1.6",
  registrationYear: 2013,
  manufacturedFrom: 2011,
  manufacturedTo: 2014,
  make: "FORD",
  model: "FOCUS",
  bodyStyle: "Hatchback",
  engineSize: 1596,
  doors: 5,
  transmission: "Manual",
  fuel: "Petrol",
  immobiliser: "Thatcham 2",
  seats: 5,
  value: 4250,
  driverSide: "LHS",
};

/** One vehicle for each country of the interface. */
const sampleVehicles: readonly NewVehicle[] = [
  { ...fordFocus, country: "US", number: "ABC1234", region: "NY" },
  { ...fordFocus, country: "PK", number: "LEA1234", region: "PUNJAB/LAHORE", driverSide: "RHS" },
  { ...fordFocus, country: "CZ", number: "5A12345" },
  { ...fordFocus, country: "IE", number: "131D1234", driverSide: "RHS" },
  { ...fordFocus, country: "FR", number: "AB123CD" },
  { ...fordFocus, country: "MX", number: "ABC123A" },
  { ...fordFocus, country: "RU", number: "A123BC77" },
  { ...fordFocus, country: "MT", number: "ABC123", driverSide: "RHS" },
  { ...fordFocus, country: "PE", number: "ABC123" },
  { ...fordFocus, country: "DE", number: "8566AAA" },
  { ...fordFocus, country: "AT", number: "123456" },
  {
    country: "IT",
    kind: "motorbike",
    number: "AB12345",
    description: "PIAGGIO VESPA GTS 300",
    registrationYear: 2019,
    make: "PIAGGIO",
    model: "VESPA",
    engineSize: 278,
    fuel: "Petrol",
  },
];

/** Fills an empty database with one record for each operation, so that the first call has an answer. */
export async function insertSamples(database: Database): Promise<void> {
  const [firstVehicle] = await database.select({ id: vehicles.id }).from(vehicles).limit(1);
  if (firstVehicle !== undefined) {
    return;
  }
  await database.transaction(async (transaction) => {
    await transaction
      .insert(accounts)
      .values([{ username: "demo" }, { username: "restricted", isRestrictedAccount: true }])
      .onConflictDoNothing();
    await transaction
      .insert(vehicles)
      .values([...sampleVehicles])
      .onConflictDoNothing();
    await transaction
      .insert(insuredVehicles)
      .values({
        number: "AB123CD",
        vehicleType: "car",
        make: "FIAT",
        model: "PANDA",
        company: "Assicurazioni Generali",
        expiry: new Date("2027-03-31T00:00:00Z"),
        isInsured: true,
        region: "Lazio",
      })
      .onConflictDoNothing();
    await transaction
      .insert(insurancePolicies)
      .values({
        number: "WA12345",
        policyNumber: "PL-2026-0001",
        vehicle: "FSO POLONEZ",
        company: "PZU",
        address: "al. Jana Pawła II 24, Warszawa",
      })
      .onConflictDoNothing();
    await transaction
      .insert(taxiLicences)
      .values({
        number: "05D1",
        licenceNumber: "N12345",
        licenceHolder: "Áine Ní Bhriain",
        expiry: new Date("2027-05-01T00:00:00Z"),
      })
      .onConflictDoNothing();
  });
}

/** Adds vehicles of the USA with the numbers `SEED0000000`, `SEED0000001` and so on. Existing vehicles are not changed. */
export async function insertSeed(database: Database, count: number, progress: (done: number) => void): Promise<void> {
  const step = 50_000;
  for (let from = 0; from < count; from += step) {
    const to = Math.min(from + step, count) - 1;
    await database.execute(sql`
      insert into ${vehicles} (country, number, region, description, registration_year, make, model, body_style, fuel)
      select 'US', 'SEED' || lpad(i::text, 7, '0'), (array['NY', 'CA', 'TX', 'FL'])[1 + i % 4],
        'FORD FOCUS ' || i % 90, 1990 + i % 36, (array['FORD', 'OPEL', 'FIAT', 'SEAT'])[1 + i % 4],
        (array['FOCUS', 'CORSA', 'PANDA', 'IBIZA'])[1 + i % 4], 'Hatchback', (array['Petrol', 'Diesel'])[1 + i % 2]
      from generate_series(${from}::int, ${to}::int) as i
      on conflict do nothing`);
    progress(to + 1);
  }
  // Updates the statistics of the table, by which PostgreSQL plans queries.
  await database.execute(sql`vacuum (analyze) ${vehicles}`);
}
