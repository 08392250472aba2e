import { SoapFault } from "@bothends/runtime";
import { findOutage, withoutValues } from "./outages.js";
import { checkSpace, endIfLost } from "./store.js";

/** Runs a call. If the database is unavailable, answers the call with a fault that gives the reason. */
export async function answerOutages<Answer>(_call: unknown, next: () => Promise<Answer>): Promise<Answer> {
  try {
    // Every lookup stores a record for the account's bill, which needs space on the disk.
    await checkSpace();
    return await next();
  } catch (error) {
    const outage = findOutage(error);
    if (outage === undefined) {
      throw withoutValues(error);
    }
    console.error(`${new Date().toISOString()} error outage: ${outage.cause}`);
    endIfLost(new Error(outage.cause));
    throw new SoapFault({ code: "Server", reason: outage.reason });
  }
}
