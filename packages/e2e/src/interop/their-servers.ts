import { debianPackages } from "./debian-packages.js";
import { clientOfItsOwn, serveAsmx } from "./mono-server.js";
import { serveWithNodeSoap } from "./node-soap-server.js";
import type { Meeting } from "./outcome.js";
import { servePhp } from "./php-server.js";
import { serverMeeting, type TheirServerKind } from "./their-server.js";

const { php, phpSoap, monoCompiler, monoWeb, monoWebServices } = debianPackages;

const kinds: readonly TheirServerKind[] = [
  {
    peer: "PHP SoapServer",
    packages: [php, phpSoap],
    protocols: ["soap11", "soap12"],
    faultStatus: 500,
    start: servePhp,
  },
  {
    peer: "node-soap server",
    packages: [],
    protocols: ["soap11", "soap12"],
    faultStatus: 200,
    start: serveWithNodeSoap,
  },
  {
    peer: "Mono ASMX",
    packages: [monoCompiler, monoWeb, monoWebServices],
    protocols: ["soap11", "soap12", "httpGet", "httpPost"],
    faultStatus: 500,
    start: serveAsmx,
    moreClients: clientOfItsOwn,
  },
];

/** Servers of others. */
export const theirServers: readonly Meeting[] = kinds.map(serverMeeting);
