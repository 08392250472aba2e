import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerAnswer, ServerRequest } from "@bothends/runtime/server";
import type { Routes } from "@bothends/server/content";
import { eq } from "drizzle-orm";
import { findOutage } from "./outages.js";
import { uploadFolder } from "./site.js";
import { database } from "./store.js";
import { posts } from "./tables.js";

/** Serves uploaded files below `/uploads`. The caller chooses the path, so only files in the database are served. */
export const uploadRoutes: Routes = {
  name: "uploads",
  paths: ["/uploads"],
  answer: async (request) => {
    try {
      return await answerUpload(request);
    } catch (error) {
      const outage = findOutage(error);
      if (outage === undefined) {
        throw error;
      }
      return createTextAnswer(503, outage.reason);
    }
  },
};

async function answerUpload({ method, target }: ServerRequest): Promise<ServerAnswer> {
  const [, file = ""] = /^\/uploads\/([^?#]+)/.exec(target) ?? [];
  const [media] = await database.select().from(posts).where(eq(posts.file, file)).limit(1);
  if (media === undefined || file === "" || (method !== "GET" && method !== "HEAD")) {
    return createTextAnswer(404, "The site has no such file.");
  }
  return {
    status: 200,
    headers: [
      ["Content-Type", media.mimeType],
      // Browsers display only images; any other file could be a page with scripts.
      ["X-Content-Type-Options", "nosniff"],
      ["Content-Security-Policy", "default-src 'none'; sandbox"],
      ["Cache-Control", "public, max-age=31536000, immutable"],
    ],
    body: await readFile(join(uploadFolder, media.file)),
  };
}

function createTextAnswer(status: number, text: string): ServerAnswer {
  return { status, headers: [["Content-Type", "text/plain"]], body: `${text}\n` };
}
