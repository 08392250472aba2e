import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./built-client.js";
import { debianPackages } from "./debian-packages.js";
import { describeDifference, type Outcome, type Suite, tryCall } from "./outcomes.js";
import { createTemporaryFolder, findFreePort, isAnswering, runProgram, startDaemon } from "./programs.js";
import { serveAsmx } from "./stacks/mono.js";
import { installWordpress, type Site, serveWordpress, startMariadb } from "./wordpress.js";

// Tests that `bothends fetch` saves the WSDL and the index of live servers, before and after they change, and that a
// killed or refused fetch leaves the old files.

const {
  php,
  phpSoap,
  phpMysql,
  mariadb,
  monoCompiler,
  monoWeb,
  monoWebServices,
  wordpress: wordpressPackage,
} = debianPackages;
const peersFolder = fileURLToPath(new URL("../../peers/", import.meta.url));

export const fetches: readonly Suite[] = [
  { peer: "PHP (fetched)", packages: [php, phpSoap], run: fetchFromPhp },
  { peer: "Mono ASMX (fetched)", packages: [monoCompiler, monoWeb, monoWebServices], run: fetchFromAsmx },
  { peer: "WordPress (fetched)", packages: [wordpressPackage, php, phpMysql, mariadb], run: fetchFromWordpress },
];

const program = join(root, "packages/bothends/dist/bin.js");

/** Fetches into a folder, and returns the rules of the contract changes in the output; none for the first fetch. */
async function fetchInto(folder: string, address: string, options: FetchOptions = {}): Promise<readonly string[]> {
  const output = await runProgram({
    command: "sh",
    args: ["-c", 'cd "$0" && exec "$@"', folder, process.execPath, program].concat(listParameters(address, options)),
    env: createEnvironment(options),
  });
  return [...output.matchAll(/^ {2}(\S.*) \[([a-z-]+)\]$/gm)].map(
    ([, text = "", rule]) => `${rule} ${text.split(":")[0]}`,
  );
}

interface FetchOptions {
  readonly user?: string;
  readonly password?: string;
  readonly allowHost?: string;
}

function listParameters(address: string, { user, allowHost }: FetchOptions): readonly string[] {
  return [
    "fetch",
    address,
    "--yes",
    ...(user === undefined ? [] : ["--user", user]),
    ...(allowHost === undefined ? [] : ["--allow-host", allowHost]),
  ];
}

function createEnvironment({ password }: FetchOptions): Readonly<Record<string, string>> {
  return { NO_COLOR: "1", ...(password === undefined ? {} : { BOTHENDS_PASSWORD: password }) };
}

/** Whether a killed command left a journal, with which the next command undoes or completes the writing. */
async function hasJournal(project: string): Promise<boolean> {
  return (await readdir(join(project, "schemas"))).some(isOfJournal);
}

function isOfJournal(name: string): boolean {
  return name.startsWith(".bothends-journal");
}

/** Returns the names and the contents of the files that were fetched. */
async function readFiles(project: string): Promise<string> {
  const folder = join(project, "schemas");
  const names = (await readdir(folder)).filter((name) => !isOfJournal(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return JSON.stringify(names.map((name, index) => [name, texts[index]]));
}

/**
 * Kills fetches after different times, then completes one. Returns the times in milliseconds after which a killed fetch
 * had replaced only some files and left no journal.
 */
async function fetchWithKills(
  project: string,
  address: string,
  options: FetchOptions = {},
): Promise<readonly number[]> {
  const oldFiles = await readFiles(project);
  const seen: (readonly [delay: number, files: string])[] = [];
  for (const [index, delay] of [100, 200, 300, 400, 500, 600, 800, 1000].entries()) {
    const child = spawn(process.execPath, [program, ...listParameters(address, options)], {
      cwd: project,
      env: { ...process.env, ...createEnvironment(options) },
      stdio: "ignore",
    });
    const ended = once(child, "close");
    const timer = setTimeout(() => child.kill(index % 2 === 0 ? "SIGKILL" : "SIGINT"), delay);
    await ended;
    clearTimeout(timer);
    if (!(await hasJournal(project))) {
      seen.push([delay, await readFiles(project)]);
    }
  }
  await fetchInto(project, address, options);
  const newFiles = await readFiles(project);
  if (await hasJournal(project)) {
    throw new Error("The complete fetch left the journal of a killed one.");
  }
  if (newFiles === oldFiles) {
    throw new Error("The fetched files did not change.");
  }
  return seen.flatMap(([delay, files]) => (files === oldFiles || files === newFiles ? [] : [delay]));
}

async function fetchFromPhp(): Promise<readonly Outcome[]> {
  const [served, project] = [createTemporaryFolder(), createTemporaryFolder()];
  await copyFile(join(peersFolder, "parcels/parcels.wsdl"), join(served, "parcels.wsdl"));
  const wsdl = await readFile(join(served, "parcels.wsdl"), "utf8");
  const [, open = "", content = "", close = ""] =
    /(<s:schema targetNamespace="urn:parcels"[^>]*>)([\s\S]*?)(<\/s:schema>)/.exec(wsdl) ?? [];
  const imports = [...content.matchAll(/<s:import[^>]*\/>/g)].map(([text]) => text).join("");
  const schema = (text: string) =>
    open.replace(">", ' xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:parcels" xmlns:m="urn:money">') +
    text +
    close;
  const imported = (location: string) => wsdl.replace(content, `${imports}<s:include schemaLocation="${location}"/>`);
  await writeFile(join(served, "parcels.wsdl"), imported("types.xsd"));
  await writeFile(join(served, "types.xsd"), schema(content));
  const port = await findFreePort();
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
        return describeDifference((await readdir(join(project, "schemas"))).sort(), ["service.wsdl", "types.xsd"]);
      }),
      await tryCall({ ...peer, call: "unchanged" }, async () =>
        describeDifference(await fetchInto(project, `${url}/service.php?wsdl`), []),
      ),
      await tryCall({ ...peer, call: "changed" }, async () => {
        await writeFile(join(served, "types.xsd"), schema(content.replace('<s:enumeration value="very fast"/>', "")));
        const rules = await fetchInto(project, `${url}/service.php?wsdl`);
        return describeDifference(rules, ["enum-value-removed Speed"]);
      }),
      await tryCall({ ...peer, call: "killed" }, async () => {
        await writeFile(join(served, "types.xsd"), schema(content));
        await writeFile(join(served, "parcels.wsdl"), `${imported("types.xsd")}<!-- changed -->`);
        return describeDifference(await fetchWithKills(project, `${url}/service.php?wsdl`), []);
      }),
      await tryCall({ ...peer, call: "another host" }, async () => {
        const other = await serveText(schema(content));
        try {
          await writeFile(join(served, "parcels.wsdl"), imported(`http://${other.host}/types.xsd`));
          return await fetchFromOtherHost(project, `${url}/service.php?wsdl`, other);
        } finally {
          await other.stop();
        }
      }),
    ];
  } finally {
    await server.stop();
  }
}

/**
 * Fetches a WSDL that imports a schema from another host. Without `--allow-host`, the command must be refused, and must
 * not request the schema.
 */
async function fetchFromOtherHost(
  project: string,
  address: string,
  { host, fetchRequestCount }: Awaited<ReturnType<typeof serveText>>,
): Promise<string | undefined> {
  const before = await readFiles(project);
  const refusal = await fetchInto(project, address).then(() => "none", String);
  const isRefused = refusal.includes(`--allow-host ${host}`);
  const isKept = (await readFiles(project)) === before;
  const refusedRequests = fetchRequestCount();
  await fetchInto(project, address, { allowHost: host });
  return describeDifference([isRefused, isKept, refusedRequests, fetchRequestCount()], [true, true, 0, 1]);
}

/**
 * Serves a document on a free port of the loopback address, and counts the requests of `bothends fetch`. PHP also
 * requests the document.
 */
async function serveText(text: string) {
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += request.headers["user-agent"]?.startsWith("bothends/") === true ? 1 : 0;
    response.setHeader("content-type", "text/xml").end(text);
  });
  const port = await findFreePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${port}`,
    fetchRequestCount: () => requestCount,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * Fetches the WSDL that ASP.NET makes from classes. Editing the saved file has the same effect as a change of the
 * server.
 */
async function fetchFromAsmx(): Promise<readonly Outcome[]> {
  const project = createTemporaryFolder();
  const server = await serveAsmx(createTemporaryFolder());
  const address = `${server.address("soap11")}/api/reg.asmx?wsdl`;
  const file = join(project, "schemas/reg.wsdl");
  const peer = { peer: "Mono ASMX (fetched)", over: "?wsdl" };
  try {
    return [
      await tryCall({ ...peer, call: "first" }, async () => {
        await fetchInto(project, address);
        return describeDifference(await readdir(join(project, "schemas")), ["reg.wsdl"]);
      }),
      await tryCall({ ...peer, call: "unchanged" }, async () =>
        describeDifference(await fetchInto(project, address), []),
      ),
      await tryCall({ ...peer, call: "changed" }, async () => {
        const text = await readFile(file, "utf8");
        await writeFile(file, text.replaceAll("CheckPeru", "CheckPeruOld"));
        const rules = await fetchInto(project, address);
        const isFetched = (await readFile(file, "utf8")) === text;
        return describeDifference(
          [isFetched, ...rules],
          [
            true,
            "operation-renamed CheckPeruOld removed, CheckPeru added",
            "name-in-code-changed CheckPeru",
            "name-in-code-changed CheckPeruResponse",
          ],
        );
      }),
    ];
  } finally {
    await server.stop();
  }
}

async function fetchFromWordpress(): Promise<readonly Outcome[]> {
  const database = await startMariadb();
  try {
    const site = await installWordpress(createTemporaryFolder(), database.socket);
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
  const project = createTemporaryFolder();
  const plugins = join(site.folder, "www/blog/wp-content/mu-plugins");
  const login = { user: "admin", password: site.passwords.admin };
  const peer = { peer: "WordPress (fetched)", over: "/wp-json" };
  return [
    await tryCall({ ...peer, call: "first, found from the page" }, async () => {
      await fetchInto(project, `${url}/`, login);
      const index = JSON.parse(await readFile(join(project, "schemas/index.json"), "utf8"));
      return describeDifference(typeof index.routes["/wp/v2/posts"]?.schema?.properties?.title, "object");
    }),
    await tryCall({ ...peer, call: "unchanged" }, async () =>
      describeDifference(await fetchInto(project, `${url}/wp-json/`, login), []),
    ),
    await tryCall({ ...peer, call: "changed" }, async () => {
      await mkdir(plugins, { recursive: true });
      await copyFile(join(peersFolder, "wordpress/changed.php"), join(plugins, "changed.php"));
      const rules = await fetchInto(project, `${url}/wp-json/`, login);
      return describeDifference([...rules].sort(), [
        "range-tightened GET /wp/v2/posts per_page",
        "route-added /peer/v1",
        "route-added /peer/v1/added",
        "route-removed /wp/v2/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)",
      ]);
    }),
    await tryCall({ ...peer, call: "killed" }, async () => {
      await rm(join(plugins, "changed.php"));
      return describeDifference(await fetchWithKills(project, `${url}/wp-json/`, login), []);
    }),
    await tryCall({ ...peer, call: "another host" }, async () => {
      const before = await readFiles(project);
      const requests = await recordRequests(site, plugins);
      const { host } = new URL(url);
      const otherUrl = url.replace("127.0.0.1", "localhost");
      const refusal = await fetchInto(project, `${otherUrl}/`, login).then(() => "none", String);
      const [isRefused, isKept] = [refusal.includes(`--allow-host ${host}`), (await readFiles(project)) === before];
      const refusedRequests = await requests.read();
      await fetchInto(project, `${otherUrl}/`, { ...login, allowHost: host });
      const { host: otherHost } = new URL(otherUrl);
      return describeDifference(
        [isRefused, isKept, refusedRequests, (await requests.read()).filter((request) => request.startsWith(host))],
        [true, true, [`${otherHost} with a login`], [`${host} without a login`]],
      );
    }),
  ];
}

/** Makes a WordPress site record the host of each request, and whether the request has a login. */
async function recordRequests(site: Site, plugins: string) {
  const file = join(site.folder, "requests.txt");
  await mkdir(plugins, { recursive: true });
  await writeFile(file, "");
  await writeFile(
    join(plugins, "requests.php"),
    `<?php file_put_contents(${JSON.stringify(file)}, $_SERVER["HTTP_HOST"] . (empty($_SERVER["HTTP_AUTHORIZATION"]) ? " without a login" : " with a login") . "\\n", FILE_APPEND);\n`,
  );
  return {
    /** Returns the different requests until now. */
    read: async () => [...new Set((await readFile(file, "utf8")).trim().split("\n"))],
  };
}
