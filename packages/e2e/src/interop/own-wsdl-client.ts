import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Protocol } from "../sample/lookups.js";
import { buildClient } from "./built-client.js";
import { temporaryFolder } from "./temporary-folder.js";
import { type OurClient, saveWsdls } from "./their-server.js";

/** A client generated from the WSDLs that a server of others makes of its classes, for the protocols that they have. */
export async function clientOfItsOwn(peer: string, url: string, protocols: readonly Protocol[]): Promise<OurClient> {
  const folder = temporaryFolder();
  await saveWsdls(url, folder);
  const vehicle = { wsdl: ["reg.wsdl", "bespokeapi.wsdl"], ambient: ["username"] };
  const packages = await buildClient(folder, { vehicle });
  const module = join(packages, "client/dist/vehicle/index.js");
  const { VehicleClient } = (await import(pathToFileURL(module).href)) as typeof import("@bothends/client/vehicle");
  return { peer: `${peer}, by its own WSDL`, client: VehicleClient, protocols };
}
