import { fileURLToPath } from "node:url";
import { everything, soap, type ThirdPartyClient } from "./client-suite.js";
import { debianPackages, python } from "./debian-packages.js";
import { knownDetail, seenAsText } from "./line-protocol.js";
import { runProgram } from "./programs.js";
import { knownFault } from "./served-peer.js";
import { prepareGsoap } from "./stacks/gsoap.js";
import { prepareAxis, prepareJaxWs } from "./stacks/java.js";
import { prepareMono, prepareMonoOfAsmx } from "./stacks/mono.js";
import { callWithNodeSoap } from "./stacks/node-soap.js";

const peers = fileURLToPath(new URL("../../peers/", import.meta.url));
const { localName, text, name } = knownFault.detail;

const scripted: readonly ThirdPartyClient[] = [
  {
    peer: "zeep",
    packages: [debianPackages.zeep],
    over: everything,
    prepare: driven(python, "zeep-client.py"),
    // zeep does not distinguish nil, empty and absent.
    view: withoutNothing,
    detail: [[name, text]],
  },
  {
    peer: "suds",
    packages: [debianPackages.suds],
    over: ["SOAP 1.1"],
    prepare: driven(python, "suds-client.py"),
    view: withoutNothing,
    detail: { [localName]: text },
  },
  {
    peer: "PHP SoapClient",
    packages: [debianPackages.php, debianPackages.phpSoap],
    over: soap,
    prepare: driven("php", "php/soap-client.php"),
    view: (answer) => answer,
    detail: { [localName]: text },
  },
  {
    peer: "SOAP::Lite",
    packages: [debianPackages.soapLite],
    over: soap,
    prepare: driven("perl", "soap-lite-client.pl"),
    view: seenAsText,
    detail: { [localName]: text },
  },
  {
    peer: "node-soap client",
    packages: [],
    over: soap,
    prepare: async () => callWithNodeSoap,
    view: (answer) => answer,
    detail: { [localName]: text },
  },
];

const compiled: readonly ThirdPartyClient[] = [
  {
    peer: "Mono proxy",
    packages: [debianPackages.monoCompiler, debianPackages.monoWebServices],
    over: everything,
    prepare: prepareMono,
    view: seenAsText,
    codePrefix: "",
    detail: knownDetail,
  },
  {
    peer: "Mono proxy of an ASMX",
    packages: [debianPackages.monoCompiler, debianPackages.monoWeb, debianPackages.monoWebServices],
    over: everything,
    prepare: prepareMonoOfAsmx,
    view: seenAsText,
    codePrefix: "",
    detail: knownDetail,
  },
  {
    peer: "gSOAP client",
    packages: [debianPackages.gsoap, debianPackages.gsoapLibrary, debianPackages.cxx],
    over: soap,
    prepare: prepareGsoap,
    view: seenAsText,
    codePrefix: "SOAP-ENV:",
    detail: knownDetail,
  },
  {
    peer: "JAX-WS client",
    packages: [debianPackages.jaxWs, debianPackages.jdk],
    over: soap,
    prepare: prepareJaxWs,
    view: seenAsText,
    codePrefix: "",
    detail: knownDetail,
  },
];

/** These clients do not distinguish nil and absent. */
const beans: readonly ThirdPartyClient[] = [
  {
    peer: "Axis",
    packages: [debianPackages.axis, debianPackages.jdk],
    over: ["SOAP 1.1"],
    prepare: prepareAxis,
    view: (answer) => seenAsText(without([null], answer)),
    unable: {
      values: /[\u{10000}-\u{10ffff}]/u,
      reason: "it writes a character beyond U+FFFF as two references, which no XML parser takes",
    },
    codePrefix: "",
    detail: knownDetail,
  },
];

/** Third-party clients. Those that need no package come first. */
export const thirdPartyClients: readonly ThirdPartyClient[] = [...scripted, ...compiled, ...beans];

function driven(command: string, program: string): ThirdPartyClient["prepare"] {
  return async () => async (job) => {
    const output = await runProgram({ command, args: [`${peers}${program}`], input: JSON.stringify(job) });
    return output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
  };
}

function withoutNothing(value: unknown): unknown {
  return without([null, ""], value);
}

function without(values: readonly unknown[], value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = Object.entries(value)
    .map(([key, member]) => [key, without(values, member)] as const)
    .filter(([, member]) => !values.includes(member));
  return members.length === 0 ? null : Object.fromEntries(members);
}
