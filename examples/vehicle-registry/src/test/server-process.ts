import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A server in a separate process. */
export interface ServerProcess {
  readonly url: string;
  /** Returns the server's output to standard error. */
  errors(): string;
  /** Sends a signal, and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Starts a server with additional environment variables, and waits until it listens. */
export async function startServer(variables: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const child = spawnServer(variables);
  let errors = "";
  child.stderr.on("data", (text: Buffer) => {
    errors += text.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The server ended with exit code ${code}: ${errors}`)));
    child.stdout.on("data", (text: Buffer) => {
      const [address] = /http:\S+/.exec(text.toString()) ?? [];
      if (address !== undefined) {
        resolve(address);
      }
    });
  });
  return {
    url,
    errors: () => errors,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill(signal);
        await ended;
      }
    },
  };
}

/** Starts a server without waiting until it listens. */
export function spawnServer(variables: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", "main.js")], {
    env: { ...process.env, PORT: "0", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Kills the servers that are still running. */
export function killServers(): void {
  for (const child of running) {
    child.kill("SIGKILL");
  }
}
