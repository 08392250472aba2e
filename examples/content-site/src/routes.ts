import type { HandlerCall } from "@bothends/runtime/server";
import { contentRoutes, type RestContext, RestError } from "@bothends/server/content";
import { contentHandlers } from "./content/handlers.js";
import { outageOf, withoutValues } from "./outages.js";
import { checkSpace, endIfLost } from "./site.js";
import { uploadRoutes } from "./upload-routes.js";

/** All routes of this server. */
export const routes = [
  uploadRoutes,
  contentRoutes(contentHandlers, {
    name: "Content site",
    description: "A site in English and Portuguese",
    gmt_offset: "0",
    timezone_string: "UTC",
    use: answerOutages,
  }),
];

/** Answers a call that the database cannot serve now with 503, and the time to wait. */
async function answerOutages({ context }: HandlerCall<RestContext>, next: () => Promise<unknown>): Promise<unknown> {
  try {
    if (context.method !== "GET") {
      await checkSpace();
    }
    return await next();
  } catch (error) {
    const outage = outageOf(error);
    if (outage === undefined) {
      throw withoutValues(error);
    }
    console.error(`${new Date().toISOString()} error outage: ${outage.cause}`);
    endIfLost(new Error(outage.cause));
    const headers = new Map([["Retry-After", "10"]]);
    throw new RestError({ code: "site_unavailable", message: outage.reason, status: 503, headers });
  }
}
