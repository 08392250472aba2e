import { answers, freePort, startDaemon } from "./child.js";
import { saveKnownLines } from "./line-protocol.js";
import { buildAsmx } from "./mono.js";
import type { TheirServer } from "./their-server.js";

/** Serves both services with ASP.NET, from classes of its own: their WSDLs are what it makes of them. */
export async function serveAsmx(folder: string): Promise<TheirServer> {
  const host = await buildAsmx(folder);
  const file = await saveKnownLines(folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const daemon = await startDaemon(
    { command: "mono", args: [host, folder, `${port}`], env: { PEER_ANSWERS: file } },
    () => answers(`${url}/api/reg.asmx?wsdl`),
  );
  return { address: () => url, stop: daemon.stop };
}
