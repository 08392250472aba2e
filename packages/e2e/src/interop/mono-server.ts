import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answers, freePort, startDaemon } from "./child.js";
import { knownLines } from "./line-protocol.js";
import { buildAsmx } from "./mono.js";
import type { TheirServer } from "./their-server.js";

/** Serves both services with ASP.NET, from classes of its own: their WSDLs are what it makes of them. */
export async function serveAsmx(folder: string): Promise<TheirServer> {
  const host = await buildAsmx(folder);
  const file = join(folder, "answers.txt");
  await writeFile(file, knownLines());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const daemon = await startDaemon(
    { command: "mono", args: [host, folder, `${port}`], env: { PEER_ANSWERS: file } },
    () => answers(`${url}/api/reg.asmx?wsdl`),
  );
  return { address: () => url, stop: daemon.stop };
}
