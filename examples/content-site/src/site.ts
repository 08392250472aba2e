import { join } from "node:path";
import { eq } from "drizzle-orm";
import { database } from "./store.js";
import { type StoredValue, settings } from "./tables.js";

/** The folder of uploaded files. */
export const uploadFolder = process.env["UPLOAD_FOLDER"] ?? join(import.meta.dirname, "..", "uploads");

/** The id of the user for requests without a password, because the interface requires no authentication. */
export const defaultUser = 1;

/** Reads a setting of the site; returns `fallback` if it was never saved. */
export async function readSetting(name: string, fallback: StoredValue): Promise<StoredValue> {
  const [foundRow] = await database.select().from(settings).where(eq(settings.name, name));
  return foundRow?.value ?? fallback;
}

export async function saveSetting(name: string, value: StoredValue): Promise<void> {
  await database.insert(settings).values({ name, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
}

/**
 * Replaces a setting with a value computed from the current one, or from `initial` if it was never saved. Concurrent changes
 * wait.
 */
export async function changeSetting(
  name: string,
  initial: StoredValue,
  change: (value: StoredValue) => StoredValue,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const hasName = eq(settings.name, name);
    await transaction.insert(settings).values({ name, value: initial }).onConflictDoNothing();
    const [currentRow] = await transaction.select().from(settings).where(hasName).for("update");
    await transaction
      .update(settings)
      .set({ value: change(currentRow?.value ?? initial) })
      .where(hasName);
  });
}
