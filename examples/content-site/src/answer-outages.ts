import { RestError } from "@bothends/runtime";
import type { HandlerCall, RestContext } from "@bothends/runtime/server";

import { findOutage, withoutValues } from "./outages.js";
import { checkSpace, endIfLost } from "./store.js";

/** Runs a call. If the database is unavailable, the call is answered with status 503 and `Retry-After`. */
export async function answerOutages(
  { context }: HandlerCall<RestContext>,
  next: () => Promise<unknown>,
): Promise<unknown> {
  try {
    if (context.method !== "GET") {
      await checkSpace();
    }
    return await next();
  } catch (error) {
    const outage = findOutage(error);
    if (outage === undefined) {
      throw withoutValues(error);
    }
    console.error(`${new Date().toISOString()} error outage: ${outage.cause}`);
    endIfLost(new Error(outage.cause));
    const headers = new Map([["Retry-After", "10"]]);
    throw new RestError({ code: "site_unavailable", message: outage.reason, status: 503, headers });
  }
}
