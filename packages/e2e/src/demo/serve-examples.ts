import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Routes } from "@bothends/runtime/server";
import { listen, type RunningServer } from "@bothends/runtime/server/node";

const examples = join(import.meta.dirname, "..", "..", "..", "..", "examples");

/** Modules of an example, as far as the demo uses them. */
interface StoreModule {
  readonly database: unknown;
  close(): Promise<void>;
}
interface RoutesModule {
  readonly routes: readonly Routes[];
}
interface SamplesModule {
  insertSamples(database: unknown): Promise<void>;
}

/** Serves both example servers at one address, each on a PGlite in memory with its sample records. */
export async function serveExamples(port: number): Promise<Pick<RunningServer, "url" | "close">> {
  const uploads = mkdtempSync(join(tmpdir(), "bothends-demo-"));
  // The examples read these when they are loaded.
  Object.assign(process.env, { DATABASE_URL: "", DATABASE_FOLDER: "memory://", UPLOAD_FOLDER: uploads });
  const opened = [await openExample("vehicle-registry", "registry"), await openExample("content-site", "site")];
  const routes = opened.flatMap((each) => each.routes);
  const server = await listen(routes, { port, host: "127.0.0.1" });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await Promise.all(opened.map(({ close }) => close()));
      rmSync(uploads, { recursive: true });
    },
  };
}

async function openExample(name: string, store: string) {
  const folder = join(examples, name, "dist");
  if (!existsSync(folder)) {
    throw new Error(
      `examples/${name} is not built. Run \`pnpm demo\`, which builds it, or \`tsc -b examples/${name}\`.`,
    );
  }
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, `${file}.js`)).href);
  const { database, close } = (await load(store)) as StoreModule;
  const { insertSamples } = (await load("samples")) as SamplesModule;
  const { routes } = (await load("routes")) as RoutesModule;
  await insertSamples(database);
  return { routes, close };
}
