import { chown, copyFile, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ContentClient } from "@bothends/client/content";
import { generateClient, root, runTypeScript } from "./built-client.js";
import { callContent } from "./content-calls.js";
import { debianPackages, mariadbd } from "./debian-packages.js";
import type { Outcome, Suite } from "./outcomes.js";
import { createTemporaryFolder, type Daemon, findFreePort, isAnswering, runProgram, startDaemon } from "./programs.js";

const { php, phpMysql, mariadb, wordpress: wordpressPackage } = debianPackages;

/** The suite in which generated clients call a live WordPress at each form of address that a site may have. */
export const wordpress: Suite = {
  peer: "WordPress",
  packages: [wordpressPackage, php, phpMysql, mariadb],
  run: testWordpress,
};

const permalinks = "/%postname%/";
const prefix = "wp-json";
const addressForms = [
  { over: "/wp-json", address: { permalinks, folder: "", prefix } },
  { over: "/?rest_route=", address: { permalinks: "", folder: "", prefix } },
  { over: "/blog/wp-json", address: { permalinks, folder: "/blog", prefix } },
] as const satisfies readonly { readonly over: string; readonly address: Address }[];

async function testWordpress(): Promise<readonly Outcome[]> {
  const stopFunctions: (() => Promise<void>)[] = [];
  try {
    const database = await startMariadb();
    stopFunctions.push(database.stop);
    const site = await installWordpress(createTemporaryFolder(), database.socket);
    const serve = async (address: Address): Promise<ServedSite> => {
      const servedSite = await serveWordpress(site, address);
      stopFunctions.push(servedSite.stop);
      return servedSite;
    };
    const servedSites: ServedSite[] = [];
    for (const { address } of addressForms) {
      servedSites.push(await serve(address));
    }
    const prefixedSite = await serve({ permalinks, folder: "", prefix: "pt-pt/api" });
    const client = new ContentClient({ siteUrl: prefixedSite.url, authorization: getAdmin(site), lang, wireNames });
    const calledSite = {
      peer: "WordPress",
      client,
      pageOf: (id: number) => `${prefixedSite.url}/?p=${id}`,
      name: siteName,
    };
    return [
      ...(await callGenerated(site, servedSites)),
      ...(await callContent({ ...calledSite, over: "/pt-pt/api, neutral names" })),
    ];
  } finally {
    for (const stop of stopFunctions.reverse()) {
      await stop();
    }
  }
}

async function callGenerated(site: Site, servedSites: readonly ServedSite[]): Promise<readonly Outcome[]> {
  const builtSite = await buildSiteClient(site.folder, `${servedSites[0]?.url}/wp-json/`);
  const sites = addressForms.map(({ over, address }, index) => ({
    over,
    siteUrl: servedSites[index]?.url ?? "",
    plainPermalinks: address.permalinks === "",
    passwords: site.passwords,
  }));
  const output = await runProgram({
    command: process.execPath,
    args: [builtSite.program],
    input: JSON.stringify(sites),
  });
  const outcomes = output
    .trimEnd()
    .split("\n")
    .map((line) => ({ peer: "WordPress", ...(JSON.parse(line) as Omit<Outcome, "peer">) }));
  for (const { over, siteUrl, plainPermalinks } of sites) {
    const client = new builtSite.Content({ siteUrl, plainPermalinks, authorization: getAdmin(site), wireNames });
    // Without pretty permalinks, the site does not recognize its own links.
    const getPage = (id: number) => `${siteUrl}/?p=${id}`;
    const calledSite = { peer: "WordPress", over: `${over}, neutral names`, client, pageOf: getPage, name: siteName };
    outcomes.push(...(await callContent(calledSite)));
  }
  return outcomes;
}

/** The site's name in its index. */
const siteName = "Peer";
const lang = "pt-pt";
const wireNames = { segments: { core: "wp" } } as const;

function getAdmin({ passwords }: Site) {
  return { username: "admin", password: passwords.admin };
}

const filesFolder = fileURLToPath(new URL("../../peers/wordpress/", import.meta.url));

/** The application passwords of the site's users. */
export interface Passwords {
  readonly admin: string;
  readonly subscriber: string;
}

/** An installed site on disk and in a database. No server serves it yet. */
export interface Site {
  readonly folder: string;
  readonly socket: string;
  readonly passwords: Passwords;
}

/** Installs WordPress in the folder `www/blog`, so that it can be served at the root and below another site. */
export async function installWordpress(folder: string, socket: string): Promise<Site> {
  const blogFolder = join(folder, "www/blog");
  await mkdir(join(folder, "www"));
  await runProgram({ command: "cp", args: ["-rL", "/usr/share/wordpress", blogFolder] });
  await mkdir(join(blogFolder, "wp-content/mu-plugins"), { recursive: true });
  await copyFile(`${filesFolder}wp-config.php`, join(blogFolder, "wp-config.php"));
  await copyFile(`${filesFolder}site.php`, join(blogFolder, "wp-content/mu-plugins/site.php"));
  const env = createEnvironment(socket, {
    url: "http://localhost",
    folder: "",
    permalinks: "/%postname%/",
    prefix: "wp-json",
  });
  const output = await runProgram({ command: "php", args: [`${filesFolder}install.php`, blogFolder], env });
  return { folder, socket, passwords: JSON.parse(output) as Passwords };
}

/** The address of a site. */
export interface Address {
  readonly permalinks: "/%postname%/" | "";
  /** The folder of the site below the root of the server: "" or "/blog". */
  readonly folder: "" | "/blog";
  /** The prefix of the REST interface: `wp-json`. */
  readonly prefix: string;
}

export interface ServedSite extends Daemon {
  readonly url: string;
}

/** Serves the site on a free port of the loopback address. */
export async function serveWordpress({ folder, socket }: Site, address: Address): Promise<ServedSite> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}${address.folder}`;
  const root = join(folder, address.folder === "" ? "www/blog" : "www");
  const daemon = await startDaemon(
    {
      command: "php",
      args: ["-S", `127.0.0.1:${port}`, "-t", root, `${filesFolder}router.php`],
      env: createEnvironment(socket, { ...address, url }),
    },
    () => isAnswering(`${url}/?rest_route=/`),
  );
  return { ...daemon, url };
}

function createEnvironment(
  socket: string,
  { url, folder, permalinks, prefix }: { readonly url: string } & Address,
): Readonly<Record<string, string>> {
  return {
    PEER_DB_SOCKET: socket,
    PEER_SITE_URL: url,
    PEER_FOLDER: folder,
    PEER_PERMALINKS: permalinks,
    PEER_REST_PREFIX: prefix,
  };
}

/** The programs in a folder of generated packages. */
interface BuiltSite {
  /** The path of the program that calls the site through packages generated from its own index. */
  readonly program: string;
  /** The client of the content interface below the prefix `/wp-json`. */
  readonly Content: typeof ContentClient;
}

/**
 * Generates packages from a live index and from the index of the content interface, and compiles them together with the
 * program that calls the site.
 */
export async function buildSiteClient(folder: string, indexUrl: string): Promise<BuiltSite> {
  const answer = await fetch(indexUrl);
  await writeFile(join(folder, "site.json"), await answer.text());
  await cp(`${root}schemas/content/index.json`, join(folder, "content.json"));
  await cp(`${root}packages/e2e/peers/wordpress/calls`, join(folder, "calls"), { recursive: true });
  const { interfaces } = JSON.parse(await readFile(`${root}bothends.json`, "utf8")) as OurConfiguration;
  const { names } = interfaces.content;
  const content = { index: "content.json", base: { path: "/wp-json" }, wireNames: { segments: ["core"] }, names };
  await generateClient(folder, { site: { index: "site.json" }, content });
  await runTypeScript(join(folder, "calls"));
  const module = pathToFileURL(join(folder, "packages/client/dist/content/index.js"));
  const { ContentClient: Content } = (await import(module.href)) as typeof import("@bothends/client/content");
  return { program: join(folder, "calls/dist/main.js"), Content };
}

interface OurConfiguration {
  readonly interfaces: { readonly content: { readonly names: Readonly<Record<string, string>> } };
}

/** A running MariaDB server, with the path of its socket. */
export interface Database extends Daemon {
  readonly socket: string;
}

/** Starts a MariaDB server without network access, in a new folder. */
export async function startMariadb(): Promise<Database> {
  const folder = createTemporaryFolder();
  const socket = join(folder, "socket");
  const options = ["--no-defaults", `--datadir=${join(folder, "data")}`, ...(await listUserOptions(folder))];
  await runProgram({
    command: "mariadb-install-db",
    args: [...options, "--auth-root-authentication-method=normal", "--skip-test-db"],
  });
  const server = [...options, `--socket=${socket}`, `--pid-file=${join(folder, "pid")}`, "--skip-networking"];
  const daemon = await startDaemon({ command: mariadbd, args: server }, () => isAccepting(socket));
  return { ...daemon, socket };
}

/** Returns an option that names a user, because MariaDB does not run as root. Its Debian package creates this user. */
async function listUserOptions(folder: string): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) {
    return [];
  }
  const [user, group] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number(await runProgram({ command: "id", args: [flag, "mysql"] }))),
  );
  await chown(folder, user ?? -1, group ?? -1);
  return ["--user=mysql"];
}

function isAccepting(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
