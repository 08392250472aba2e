import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SoapFault, VehicleClient } from "@bothends/client/vehicle";
import { eq } from "drizzle-orm";
import { openDatabase } from "../database.js";
import { accounts, lookups } from "../tables.js";
import { createEmptyDatabase } from "./empty-database.js";
import { killServers, startServer } from "./server-process.js";

const onPostgres = {
  skip: process.env["DATABASE_URL"] === undefined ? "PGlite supports only one process: set DATABASE_URL" : false,
};

after(killServers);

test(
  "four processes that start together bill each answered lookup once, also when one is killed",
  onPostgres,
  async () => {
    const { url, drop } = await createEmptyDatabase();
    const servers = await Promise.all([1, 2, 3, 4].map(() => startServer({ DATABASE_URL: url })));
    const { database, close } = await openDatabase({ url });
    const username = randomUUID();
    const credits = 80;
    await database.insert(accounts).values({ username, credits });
    let answered = 0;
    let unanswered = 0;
    /**
     * Looks up vehicles until the account has no credit left. If its process was killed, the caller continues with the next one.
     */
    const call = async (first: number): Promise<void> => {
      for (let turn = first; ; ) {
        const { reg } = new VehicleClient({ baseUrl: servers[turn % servers.length]?.url ?? "", username });
        try {
          await reg.checkUSA({ RegistrationNumber: "ABC1234", State: "NY" });
          answered += 1;
        } catch (error) {
          if (error instanceof SoapFault) {
            assert.match(error.message, /has no lookups left/);
            return;
          }
          unanswered += 1;
          turn += 1;
        }
      }
    };
    const callers = [0, 1, 2, 3, 4, 5, 6, 7].map(call);
    for (; answered < 20; ) {
      await sleep(5);
    }
    await servers[0]?.end("SIGKILL");
    await Promise.all(callers);

    const billed = await database.$count(lookups, eq(lookups.username, username));
    const [account] = await database.select().from(accounts).where(eq(accounts.username, username));
    await close();
    await Promise.all(servers.map((server) => server.end("SIGTERM")));
    await drop();
    assert.deepEqual([billed, account?.credits], [credits, 0]);
    // Two callers used the killed process. Each may have one lookup that was billed but not answered.
    const unansweredLookups = billed - answered;
    assert.ok(
      unansweredLookups >= 0 && unansweredLookups <= 2,
      `${billed} billed, ${answered} answered, ${unanswered} not`,
    );
  },
);
