import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type ContentHandlers, RestError } from "@bothends/server/content";
import { eq } from "drizzle-orm";
import { uploadFolder } from "../../site.js";
import { database } from "../../store.js";
import { posts } from "../../tables.js";

/** Finds the size of an uploaded file by its address. */
export const fileSize: ContentHandlers["seo"]["fileSize"] = {
  list: async ({ url }) => {
    const [, file] = /\/uploads\/([^?#]+)/.exec(url) ?? [];
    // Looks only in the database: the caller chooses the address, so the site must not open it.
    const [media] = file === undefined ? [] : await database.select().from(posts).where(eq(posts.file, file)).limit(1);
    if (media === undefined) {
      throw new RestError({
        code: "seo_file_not_found",
        message: "The site has no file at this address.",
        status: 404,
      });
    }
    return { url, size_in_bytes: (await stat(join(uploadFolder, media.file))).size };
  },
};
