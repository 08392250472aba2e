import { fileURLToPath } from "node:url";
import { answers, freePort, startDaemon } from "./child.js";
import { python } from "./debian-packages.js";
import { saveKnownLines } from "./line-protocol.js";
import type { TheirServer } from "./their-server.js";

/** Serves both services with Spyne, from classes of its own, each version of SOAP at an address of its own. */
export async function serveSpyne(folder: string): Promise<TheirServer> {
  const file = await saveKnownLines(folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = fileURLToPath(new URL("../../peers/spyne-server.py", import.meta.url));
  const daemon = await startDaemon({ command: python, args: [program, `${port}`, file] }, () =>
    answers(`${url}/soap11/api/reg.asmx?wsdl`),
  );
  return { address: (protocol) => `${url}/${protocol}`, stop: daemon.stop };
}
