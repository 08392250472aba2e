import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Routes } from "@bothends/server/content";
import { eq } from "drizzle-orm";
import { database, uploadFolder } from "./site.js";
import { posts } from "./tables.js";

/** Serves uploaded files below `/uploads`. Only files that the database knows: the path is the caller's. */
export const uploadRoutes: Routes = {
  name: "uploads",
  paths: ["/uploads"],
  answer: async ({ method, target }) => {
    const [, file = ""] = /^\/uploads\/([^?#]+)/.exec(target) ?? [];
    const [media] = await database.select().from(posts).where(eq(posts.file, file)).limit(1);
    if (media === undefined || file === "" || (method !== "GET" && method !== "HEAD")) {
      return { status: 404, headers: [["Content-Type", "text/plain"]], body: "The site has no such file.\n" };
    }
    return {
      status: 200,
      headers: [
        ["Content-Type", media.mimeType],
        // A picture may be shown; anything else could be a page with scripts.
        ["X-Content-Type-Options", "nosniff"],
        ["Content-Security-Policy", "default-src 'none'; sandbox"],
        ["Cache-Control", "public, max-age=31536000, immutable"],
      ],
      body: await readFile(join(uploadFolder, media.file)),
    };
  },
};
