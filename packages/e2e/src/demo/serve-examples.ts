import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Routes } from "@bothends/runtime/server";
import { listen, type RunningServer } from "@bothends/runtime/server/node";

const examples = join(import.meta.dirname, "..", "..", "..", "..", "examples");

/** The modules of an example that the demo uses. */
interface StoreModule {
  readonly database: unknown;
  close(): Promise<void>;
}
interface RoutesModule {
  readonly routes: readonly Routes[];
}
interface UsersModule {
  createApplicationPassword(login: string, name: string): Promise<string>;
}
interface SamplesModule {
  insertSamples(database: unknown): Promise<void>;
}

/** Both example servers, which run at one address. */
export interface ServedExamples extends Pick<RunningServer, "url"> {
  /** Creates an application password for the site's user `admin`. */
  createPassword(): Promise<string>;
  close(): Promise<void>;
}

/** Serves both example servers at one address, each on a PGlite in memory with its sample records. */
export async function serveExamples(port: number): Promise<ServedExamples> {
  const uploads = mkdtempSync(join(tmpdir(), "bothends-demo-"));
  // The examples read these variables when they are loaded.
  Object.assign(process.env, { DATABASE_URL: "", DATABASE_FOLDER: "memory://", UPLOAD_FOLDER: uploads });
  const openedExamples = [await openExample("vehicle-registry"), await openExample("content-site")];
  const routes = openedExamples.flatMap((example) => example.routes);
  const server = await listen(routes, { port, host: "127.0.0.1" });
  return {
    url: server.url,
    createPassword: async () => {
      const { createApplicationPassword } = (await load("content-site", "users")) as UsersModule;
      return createApplicationPassword("admin", "Interoperability");
    },
    close: async () => {
      await server.close();
      await Promise.all(openedExamples.map(({ close }) => close()));
      rmSync(uploads, { recursive: true });
    },
  };
}

async function openExample(name: string) {
  const { database, close } = (await load(name, "store")) as StoreModule;
  const { insertSamples } = (await load(name, "samples")) as SamplesModule;
  const { routes } = (await load(name, "routes")) as RoutesModule;
  await insertSamples(database);
  return { routes, close };
}

async function load(name: string, file: string): Promise<unknown> {
  const folder = join(examples, name, "dist");
  if (!existsSync(folder)) {
    throw new Error(
      `examples/${name} is not built. Run \`pnpm demo\`, which builds it, or \`tsc -b examples/${name}\`.`,
    );
  }
  return import(pathToFileURL(join(folder, `${file}.js`)).href);
}
