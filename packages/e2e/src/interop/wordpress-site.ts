import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answers, type Daemon, freePort, runProgram, startDaemon } from "./child.js";

const files = fileURLToPath(new URL("../../peers/wordpress/", import.meta.url));

/** Application passwords of the site's users. */
export interface Passwords {
  readonly admin: string;
  readonly subscriber: string;
}

/** A site on disk and in a database, not yet served. */
export interface Site {
  readonly folder: string;
  readonly socket: string;
  readonly passwords: Passwords;
}

/** Copies WordPress into a folder, `www/blog`, so that it can be served as a site of its own and below another. */
export async function installWordpress(folder: string, socket: string): Promise<Site> {
  const blog = join(folder, "www/blog");
  await mkdir(join(folder, "www"));
  await runProgram({ command: "cp", args: ["-rL", "/usr/share/wordpress", blog] });
  await mkdir(join(blog, "wp-content/mu-plugins"), { recursive: true });
  await copyFile(`${files}wp-config.php`, join(blog, "wp-config.php"));
  await copyFile(`${files}site.php`, join(blog, "wp-content/mu-plugins/site.php"));
  const env = environment(socket, {
    url: "http://localhost",
    folder: "",
    permalinks: "/%postname%/",
    prefix: "wp-json",
  });
  const output = await runProgram({ command: "php", args: [`${files}install.php`, blog], env });
  return { folder, socket, passwords: JSON.parse(output) as Passwords };
}

/** How a site is addressed. */
export interface Address {
  readonly permalinks: "/%postname%/" | "";
  /** Below the root of the server: "" or "/blog". */
  readonly folder: "" | "/blog";
  /** Where the interface is: `wp-json`. */
  readonly prefix: string;
}

export interface ServedSite extends Daemon {
  readonly url: string;
}

/** Serves the site on a free port of the loopback address. */
export async function serveWordpress({ folder, socket }: Site, address: Address): Promise<ServedSite> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${address.folder}`;
  const root = join(folder, address.folder === "" ? "www/blog" : "www");
  const daemon = await startDaemon(
    {
      command: "php",
      args: ["-S", `127.0.0.1:${port}`, "-t", root, `${files}router.php`],
      env: environment(socket, { ...address, url }),
    },
    () => answers(`${url}/?rest_route=/`),
  );
  return { ...daemon, url };
}

function environment(
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
