import { chown } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { type Daemon, runProgram, startDaemon } from "./child.js";
import { mariadbd } from "./debian-packages.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A database server without network, in a folder of its own. */
export interface Database extends Daemon {
  readonly socket: string;
}

export async function startMariadb(): Promise<Database> {
  const folder = temporaryFolder();
  const socket = join(folder, "socket");
  const options = ["--no-defaults", `--datadir=${join(folder, "data")}`, ...(await otherUser(folder))];
  await runProgram({
    command: "mariadb-install-db",
    args: [...options, "--auth-root-authentication-method=normal", "--skip-test-db"],
  });
  const server = [...options, `--socket=${socket}`, `--pid-file=${join(folder, "pid")}`, "--skip-networking"];
  const daemon = await startDaemon({ command: mariadbd, args: server }, () => accepts(socket));
  return { ...daemon, socket };
}

/** MariaDB refuses to run as root; the package brings a user for it. */
async function otherUser(folder: string): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) return [];
  const [user, group] = await Promise.all(
    ["-u", "-g"].map(async (which) => Number(await runProgram({ command: "id", args: [which, "mysql"] }))),
  );
  await chown(folder, user ?? -1, group ?? -1);
  return ["--user=mysql"];
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("error", () => resolve(false));
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
