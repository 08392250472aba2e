import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./built-client.js";
import { debianPackages } from "./debian-packages.js";
import { difference, type Outcome, type Suite, tryCall } from "./outcomes.js";
import { freePort, isAnswering, runProgram, startDaemon, temporaryFolder } from "./programs.js";
import { installWordpress, type Site, serveWordpress, startMariadb } from "./wordpress.js";

// Tests that `bothends fetch` saves the WSDL and the index of live servers, before and after the server changes.

const { php, phpSoap, phpMysql, mariadb, wordpress: wordpressPackage } = debianPackages;
const peersFolder = fileURLToPath(new URL("../../peers/", import.meta.url));

export const fetches: readonly Suite[] = [
  { peer: "PHP (fetched)", packages: [php, phpSoap], run: fetchFromPhp },
  { peer: "WordPress (fetched)", packages: [wordpressPackage, php, phpMysql, mariadb], run: fetchFromWordpress },
];

/** Fetches into a folder, and returns the output lines about the contract: its rules, or none the first time. */
async function fetchInto(folder: string, address: string, options: FetchOptions = {}): Promise<readonly string[]> {
  const output = await runProgram({
    command: "sh",
    args: ["-c", 'cd "$0" && exec "$@"', folder, process.execPath, join(root, "packages/bothends/dist/bin.js")].concat([
      "fetch",
      address,
      "--yes",
      ...(options.user === undefined ? [] : ["--user", options.user]),
    ]),
    env: { NO_COLOR: "1", ...(options.password === undefined ? {} : { BOTHENDS_PASSWORD: options.password }) },
  });
  return [...output.matchAll(/^ {2}(\S.*) \[([a-z-]+)\]$/gm)].map(
    ([, text = "", rule]) => `${rule} ${text.split(":")[0]}`,
  );
}

interface FetchOptions {
  readonly user?: string;
  readonly password?: string;
}

async function fetchFromPhp(): Promise<readonly Outcome[]> {
  const [served, project] = [temporaryFolder(), temporaryFolder()];
  await copyFile(join(peersFolder, "parcels/parcels.wsdl"), join(served, "parcels.wsdl"));
  const wsdl = await readFile(join(served, "parcels.wsdl"), "utf8");
  const [, open = "", content = "", close = ""] =
    /(<s:schema targetNamespace="urn:parcels"[^>]*>)([\s\S]*?)(<\/s:schema>)/.exec(wsdl) ?? [];
  const imports = [...content.matchAll(/<s:import[^>]*\/>/g)].map(([text]) => text).join("");
  const schema = (text: string) =>
    open.replace(">", ' xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:parcels" xmlns:m="urn:money">') +
    text +
    close;
  await writeFile(
    join(served, "parcels.wsdl"),
    wsdl.replace(content, `${imports}<s:include schemaLocation="types.xsd"/>`),
  );
  await writeFile(join(served, "types.xsd"), schema(content));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startDaemon(
    {
      command: "php",
      args: ["-S", `127.0.0.1:${port}`, "-t", served, join(peersFolder, "php/published.php")],
      env: { PEER_WSDL: join(served, "parcels.wsdl") },
    },
    () => isAnswering(`${url}/types.xsd`),
  );
  try {
    const peer = { peer: "PHP (fetched)", over: "?wsdl" };
    return [
      await tryCall({ ...peer, call: "first" }, async () => {
        await fetchInto(project, `${url}/service.php?wsdl`);
        return difference((await readdir(join(project, "schemas"))).sort(), ["service.wsdl", "types.xsd"]);
      }),
      await tryCall({ ...peer, call: "unchanged" }, async () =>
        difference(await fetchInto(project, `${url}/service.php?wsdl`), []),
      ),
      await tryCall({ ...peer, call: "changed" }, async () => {
        await writeFile(join(served, "types.xsd"), schema(content.replace('<s:enumeration value="very fast"/>', "")));
        const rules = await fetchInto(project, `${url}/service.php?wsdl`);
        return difference(rules, ["enum-value-removed Speed", "enum-value-removed Speed"]);
      }),
    ];
  } finally {
    await server.stop();
  }
}

async function fetchFromWordpress(): Promise<readonly Outcome[]> {
  const database = await startMariadb();
  try {
    const site = await installWordpress(temporaryFolder(), database.socket);
    const servedSite = await serveWordpress(site, { permalinks: "/%postname%/", folder: "", prefix: "wp-json" });
    try {
      return await fetchSite(site, servedSite.url);
    } finally {
      await servedSite.stop();
    }
  } finally {
    await database.stop();
  }
}

async function fetchSite(site: Site, url: string): Promise<readonly Outcome[]> {
  const project = temporaryFolder();
  const plugins = join(site.folder, "www/blog/wp-content/mu-plugins");
  const login = { user: "admin", password: site.passwords.admin };
  const peer = { peer: "WordPress (fetched)", over: "/wp-json" };
  return [
    await tryCall({ ...peer, call: "first, found from the page" }, async () => {
      await fetchInto(project, `${url}/`, login);
      const index = JSON.parse(await readFile(join(project, "schemas/index.json"), "utf8"));
      return difference(typeof index.routes["/wp/v2/posts"]?.schema?.properties?.title, "object");
    }),
    await tryCall({ ...peer, call: "unchanged" }, async () =>
      difference(await fetchInto(project, `${url}/wp-json/`, login), []),
    ),
    await tryCall({ ...peer, call: "changed" }, async () => {
      await mkdir(plugins, { recursive: true });
      await copyFile(join(peersFolder, "wordpress/changed.php"), join(plugins, "changed.php"));
      const rules = await fetchInto(project, `${url}/wp-json/`, login);
      return difference([...rules].sort(), [
        "range-tightened GET /wp/v2/posts per_page",
        "route-added /peer/v1",
        "route-added /peer/v1/added",
        "route-removed /wp/v2/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)",
      ]);
    }),
  ];
}
