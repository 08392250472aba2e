import type { ContentHandlers } from "@bothends/server/content";
import { and, eq, sql } from "drizzle-orm";
import { readBodyFields } from "../../body-fields.js";
import { database } from "../../store.js";
import { indexables as table } from "../../tables.js";

/** Reads and changes an object's data for search engines. An object without such data is answered without fields. */
export const indexables: ContentHandlers["seo"]["indexables"] = {
  get: async ({ object_type, object_id }) => {
    const matchesObject = and(eq(table.objectType, object_type), eq(table.objectId, object_id));
    const [foundRow] = await database.select().from(table).where(matchesObject);
    return { ...foundRow?.fields, object_type, object_id };
  },
  update: async ({ object_type, object_id }, context) => {
    const { object_type: _type, object_id: _id, translation_language: _language, ...changes } = readBodyFields(context);
    // A single statement, so that two concurrent changes are both kept.
    const [saved] = await database
      .insert(table)
      .values({ objectType: object_type, objectId: object_id, fields: changes })
      .onConflictDoUpdate({
        target: [table.objectType, table.objectId],
        set: { fields: sql`${table.fields} || excluded.fields` },
      })
      .returning();
    return { ...saved?.fields, object_type, object_id };
  },
};
