import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lookups } from "../sample/lookups.js";
import { answers, freePort, startDaemon } from "./child.js";
import { knownFault } from "./faults.js";
import type { TheirServer } from "./their-server.js";

/** Serves the WSDLs of a folder with PHP's SoapServer. */
export async function servePhp(wsdls: string): Promise<TheirServer> {
  const port = await freePort();
  const file = join(wsdls, "answers.json");
  await writeFile(file, JSON.stringify(knownAnswers()));
  const router = fileURLToPath(new URL("../../peers/php/soap-server.php", import.meta.url));
  const url = `http://127.0.0.1:${port}`;
  const daemon = await startDaemon(
    {
      command: "php",
      args: ["-S", `127.0.0.1:${port}`, "-t", wsdls, router],
      env: { PEER_WSDLS: wsdls, PEER_ANSWERS: file },
    },
    () => answers(`${url}/`),
  );
  return { address: () => url, stop: daemon.stop };
}

/** What a server of others is to answer to what, by operation. */
function knownAnswers(): Readonly<Record<string, readonly object[]>> {
  const faults = [{ operation: knownFault.operation, input: knownFault.input, fault: knownFault }];
  const known = [...lookups.map(({ operation, input, answer }) => ({ operation, input, answer })), ...faults];
  return Object.fromEntries(
    known.map(({ operation }) => [operation, known.filter((one) => one.operation === operation)]),
  );
}
