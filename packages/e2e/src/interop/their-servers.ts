import { debianPackages } from "./debian-packages.js";
import { serveGsoap } from "./gsoap.js";
import { serveJaxWs } from "./jax-ws.js";
import { serveAsmx } from "./mono-server.js";
import { serveWithNodeSoap } from "./node-soap-server.js";
import type { Meeting } from "./outcome.js";
import { clientOfItsOwn } from "./own-wsdl-client.js";
import { servePhp } from "./php-server.js";
import { serveSpyne } from "./spyne-server.js";
import { serverMeeting, type TheirServerKind } from "./their-server.js";

const { php, phpSoap, monoCompiler, monoWeb, monoWebServices } = debianPackages;

const everyProtocol = ["soap11", "soap12", "httpGet", "httpPost"] as const;
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
    peer: "gSOAP server",
    packages: [debianPackages.gsoap, debianPackages.gsoapLibrary, debianPackages.cxx],
    protocols: ["soap11", "soap12"],
    faultStatus: 400,
    start: serveGsoap,
  },
  {
    peer: "JAX-WS server",
    packages: [debianPackages.jaxWs, debianPackages.jdk],
    protocols: ["soap11", "soap12"],
    faultStatus: 500,
    start: serveJaxWs,
  },
  {
    peer: "Mono ASMX",
    packages: [monoCompiler, monoWeb, monoWebServices],
    protocols: everyProtocol,
    faultStatus: 500,
    start: serveAsmx,
    moreClients: async (server) => [await clientOfItsOwn("Mono ASMX", server.address("soap11"), everyProtocol)],
  },
  {
    peer: "Spyne server",
    packages: [debianPackages.spyne],
    protocols: ["soap11", "soap12"],
    faultStatus: 500,
    start: serveSpyne,
    moreClients: async (server) => [
      await clientOfItsOwn("Spyne", server.address("soap11"), ["soap11"]),
      await clientOfItsOwn("Spyne", server.address("soap12"), ["soap12"]),
    ],
  },
];

/** Servers of others. */
export const theirServers: readonly Meeting[] = kinds.map(serverMeeting);
