import { createClientSuite } from "./client-suite.js";
import { examples } from "./examples.js";
import { fetches } from "./fetch.js";
import type { Outcome, Suite } from "./outcomes.js";
import { findMiscountedPeers, formatOutcomes, getText } from "./outcomes.js";
import { parcels } from "./parcels.js";
import { thirdPartyClients } from "./third-party-clients.js";
import { thirdPartyServers } from "./third-party-servers.js";
import { wordpress } from "./wordpress.js";

/** All suites. Suites that need no Debian package come first. */
const allSuites: readonly Suite[] = [
  ...thirdPartyClients.map(createClientSuite),
  ...parcels,
  ...thirdPartyServers,
  wordpress,
  ...fetches,
  examples,
];
/** The arguments of the command line. Each selects the suites of the peers whose names contain it. */
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const suites = allSuites.filter(
  ({ peer }) => words.length === 0 || words.some((word) => peer.toLowerCase().includes(word)),
);
const isCi = process.env["CI"] === "true";
const outcomes: Outcome[] = [];
let skippedCount = 0;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(130));
}

for (const suite of suites) {
  const missingPackages = suite.packages
    .filter((debianPackage) => !debianPackage.isInstalled())
    .map((debianPackage) => debianPackage.name);
  if (missingPackages.length > 0) {
    const reason = `${missingPackages.join(", ")} ${missingPackages.length === 1 ? "is" : "are"} not installed`;
    if (isCi) {
      outcomes.push({ peer: suite.peer, call: "all", over: "", milliseconds: 0, problem: reason });
    } else {
      skippedCount += 1;
      process.stdout.write(`skipped: ${reason} (${suite.peer})\n`);
    }
    continue;
  }
  try {
    outcomes.push(...(await suite.run()));
  } catch (error) {
    outcomes.push({ peer: suite.peer, call: "all", over: "", milliseconds: 0, problem: getText(error) });
  }
}

const failedCount = outcomes.filter(({ problem }) => problem !== undefined).length;
process.stdout.write(`${formatOutcomes(outcomes)}\n\n`);
const callCount = outcomes.filter(({ skipReason }) => skipReason === undefined).length;
process.stdout.write(`${callCount - failedCount} calls passed, ${failedCount} failed, ${skippedCount} skipped\n`);

const wrongCounts = findMiscountedPeers(outcomes, skippedCount === 0 && words.length === 0);
if (wrongCounts.length > 0) {
  process.stdout.write(
    `${wrongCounts.join("\n")}\nIf calls were added or removed, change expectedCalls in outcomes.ts.\n`,
  );
}
process.exitCode = failedCount === 0 && wrongCounts.length === 0 ? 0 : 1;
