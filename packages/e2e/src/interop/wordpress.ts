import { runProgram } from "./child.js";
import { debianPackages } from "./debian-packages.js";
import { startMariadb } from "./mariadb.js";
import type { Meeting, Outcome } from "./outcome.js";
import { callPrefixedSite } from "./prefixed-site.js";
import { temporaryFolder } from "./temporary-folder.js";
import { buildSiteClient } from "./wordpress-client.js";
import { type Address, installWordpress, type ServedSite, type Site, serveWordpress } from "./wordpress-site.js";

const { php, phpMysql, mariadb, wordpress: package_ } = debianPackages;

/** Generated clients call a live WordPress, addressed in the ways that sites are. */
export const wordpress: Meeting = {
  peer: "WordPress",
  packages: [package_, php, phpMysql, mariadb],
  meet: meetWordpress,
};

const permalinks = "/%postname%/";
const prefix = "wp-json";
const ways = [
  { over: "/wp-json", address: { permalinks, folder: "", prefix } },
  { over: "/?rest_route=", address: { permalinks: "", folder: "", prefix } },
  { over: "/blog/wp-json", address: { permalinks, folder: "/blog", prefix } },
] as const satisfies readonly { readonly over: string; readonly address: Address }[];

async function meetWordpress(): Promise<readonly Outcome[]> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const database = await startMariadb();
    stops.push(database.stop);
    const site = await installWordpress(temporaryFolder(), database.socket);
    const serve = async (address: Address): Promise<ServedSite> => {
      const served = await serveWordpress(site, address);
      stops.push(served.stop);
      return served;
    };
    const served: ServedSite[] = [];
    for (const { address } of ways) served.push(await serve(address));
    const prefixed = await serve({ permalinks, folder: "", prefix: "pt-pt/api" });
    return [...(await callGenerated(site, served)), ...(await callPrefixedSite(prefixed.url, site.passwords))];
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function callGenerated(site: Site, served: readonly ServedSite[]): Promise<readonly Outcome[]> {
  const program = await buildSiteClient(site.folder, `${served[0]?.url}/wp-json/`);
  const given = ways.map(({ over, address }, index) => ({
    over,
    siteUrl: served[index]?.url,
    plainPermalinks: address.permalinks === "",
    passwords: site.passwords,
  }));
  const neutral = given.map((way) => ({ ...way, over: `${way.over}, neutral names` }));
  const input = JSON.stringify({ site: given, content: neutral });
  const output = await runProgram({ command: process.execPath, args: [program], input });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => ({ peer: "WordPress", ...(JSON.parse(line) as Omit<Outcome, "peer">) }));
}
