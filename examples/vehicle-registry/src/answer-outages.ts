import { SoapFault } from "@bothends/runtime";
import { outageOf, withoutValues } from "./outages.js";
import { checkSpace, endIfLost } from "./store.js";

/** Answers a call that the database cannot serve now with a fault that says so. */
export async function answerOutages<Answer>(_call: unknown, next: () => Promise<Answer>): Promise<Answer> {
  try {
    // A lookup is billed, and a bill needs space.
    await checkSpace();
    return await next();
  } catch (error) {
    const outage = outageOf(error);
    if (outage === undefined) {
      throw withoutValues(error);
    }
    console.error(`${new Date().toISOString()} error outage: ${outage.cause}`);
    endIfLost(new Error(outage.cause));
    throw new SoapFault({ code: "Server", reason: outage.reason });
  }
}
