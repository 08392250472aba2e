import { join } from "node:path";
import { eq } from "drizzle-orm";
import { database } from "./store.js";
import { type StoredValue, settings } from "./tables.js";

/** The folder of uploaded files. */
export const uploadFolder = process.env["UPLOAD_FOLDER"] ?? join(import.meta.dirname, "..", "uploads");

/** The user whom anonymous requests act for: the interface has no authentication. */
export const defaultUser = 1;

/** A setting of the site; `fallback` if it was never saved. */
export async function readSetting(name: string, fallback: StoredValue): Promise<StoredValue> {
  const [found] = await database.select().from(settings).where(eq(settings.name, name));
  return found?.value ?? fallback;
}

export async function saveSetting(name: string, value: StoredValue): Promise<void> {
  await database.insert(settings).values({ name, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
}

/** Changes a setting from its value, or from `initial` if it was never saved. Changes of a setting follow one another. */
export async function changeSetting(
  name: string,
  initial: StoredValue,
  change: (value: StoredValue) => StoredValue,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const wanted = eq(settings.name, name);
    await transaction.insert(settings).values({ name, value: initial }).onConflictDoNothing();
    const [before] = await transaction.select().from(settings).where(wanted).for("update");
    await transaction
      .update(settings)
      .set({ value: change(before?.value ?? initial) })
      .where(wanted);
  });
}
