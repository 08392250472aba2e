import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildClient } from "./built-client.js";
import { answers, freePort, startDaemon } from "./child.js";
import { knownLines } from "./line-protocol.js";
import { buildAsmx } from "./mono.js";
import { temporaryFolder } from "./temporary-folder.js";
import { type OurClient, saveWsdls, type TheirServer } from "./their-server.js";

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

/** A client generated from the WSDLs that the server makes itself. */
export async function clientOfItsOwn(server: TheirServer): Promise<readonly OurClient[]> {
  const folder = temporaryFolder();
  await saveWsdls(server.address("soap11"), folder);
  const packages = await buildClient(folder, {
    vehicle: { wsdl: ["reg.wsdl", "bespokeapi.wsdl"], ambient: ["username"] },
  });
  const module = join(packages, "client/dist/vehicle/index.js");
  const { VehicleClient } = (await import(pathToFileURL(module).href)) as typeof import("@bothends/client/vehicle");
  return [{ peer: "Mono ASMX, by its own WSDL", client: VehicleClient }];
}
