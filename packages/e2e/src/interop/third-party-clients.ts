import { fileURLToPath } from "node:url";
import { allProtocols, soapVersions, type ThirdPartyClient } from "./client-suite.js";
import { debianPackages, python } from "./debian-packages.js";
import { runProgram } from "./programs.js";
import { knownFault } from "./served-peer.js";
import { prepareGsoap } from "./stacks/gsoap.js";
import { prepareAxis, prepareJaxWs } from "./stacks/java.js";
import { knownDetail, withTextValues } from "./stacks/line-protocol.js";
import { prepareMono, prepareMonoOfAsmx } from "./stacks/mono.js";
import { callWithNodeSoap } from "./stacks/node-soap.js";

const peersFolder = fileURLToPath(new URL("../../peers/", import.meta.url));
const { localName, text, name } = knownFault.detail;

const scriptedClients: readonly ThirdPartyClient[] = [
  {
    peer: "zeep",
    packages: [debianPackages.zeep],
    over: allProtocols,
    prepare: prepareProgram(python, "zeep-client.py"),
    // zeep does not distinguish nil, empty and absent values.
    normalizeAnswer: withoutEmptyValues,
    detail: [[name, text]],
  },
  {
    peer: "suds",
    packages: [debianPackages.suds],
    over: ["SOAP 1.1"],
    prepare: prepareProgram(python, "suds-client.py"),
    normalizeAnswer: withoutEmptyValues,
    detail: { [localName]: text },
  },
  {
    peer: "PHP SoapClient",
    packages: [debianPackages.php, debianPackages.phpSoap],
    over: soapVersions,
    prepare: prepareProgram("php", "php/soap-client.php"),
    normalizeAnswer: (answer) => answer,
    detail: { [localName]: text },
  },
  {
    peer: "SOAP::Lite",
    packages: [debianPackages.soapLite],
    over: soapVersions,
    prepare: prepareProgram("perl", "soap-lite-client.pl"),
    normalizeAnswer: withTextValues,
    detail: { [localName]: text },
  },
  {
    peer: "node-soap client",
    packages: [],
    over: soapVersions,
    prepare: async () => callWithNodeSoap,
    normalizeAnswer: (answer) => answer,
    detail: { [localName]: text },
  },
];

const compiledClients: readonly ThirdPartyClient[] = [
  {
    peer: "Mono proxy",
    packages: [debianPackages.monoCompiler, debianPackages.monoWebServices],
    over: allProtocols,
    prepare: prepareMono,
    normalizeAnswer: withTextValues,
    codePrefix: "",
    detail: knownDetail,
  },
  {
    peer: "Mono proxy of an ASMX",
    packages: [debianPackages.monoCompiler, debianPackages.monoWeb, debianPackages.monoWebServices],
    over: allProtocols,
    prepare: prepareMonoOfAsmx,
    normalizeAnswer: withTextValues,
    codePrefix: "",
    detail: knownDetail,
  },
  {
    peer: "gSOAP client",
    packages: [debianPackages.gsoap, debianPackages.gsoapLibrary, debianPackages.cxx],
    over: soapVersions,
    prepare: prepareGsoap,
    normalizeAnswer: withTextValues,
    codePrefix: "SOAP-ENV:",
    detail: knownDetail,
  },
  {
    peer: "JAX-WS client",
    packages: [debianPackages.jaxWs, debianPackages.jdk],
    over: soapVersions,
    prepare: prepareJaxWs,
    normalizeAnswer: withTextValues,
    codePrefix: "",
    detail: knownDetail,
  },
];

/** Clients written in Java, which do not distinguish nil and absent values. */
const beanClients: readonly ThirdPartyClient[] = [
  {
    peer: "Axis",
    packages: [debianPackages.axis, debianPackages.jdk],
    over: ["SOAP 1.1"],
    prepare: prepareAxis,
    normalizeAnswer: (answer) => withTextValues(withoutValues([null], answer)),
    unsupported: {
      values: /[\u{10000}-\u{10ffff}]/u,
      reason: "it writes a character beyond U+FFFF as two references, which no XML parser accepts",
    },
    codePrefix: "",
    detail: knownDetail,
  },
];

/** All third-party clients. Clients that need no Debian package come first. */
export const thirdPartyClients: readonly ThirdPartyClient[] = [...scriptedClients, ...compiledClients, ...beanClients];

function prepareProgram(command: string, program: string): ThirdPartyClient["prepare"] {
  return async () => async (job) => {
    const output = await runProgram({ command, args: [`${peersFolder}${program}`], input: JSON.stringify(job) });
    return output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
  };
}

function withoutEmptyValues(value: unknown): unknown {
  return withoutValues([null, ""], value);
}

function withoutValues(values: readonly unknown[], value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutValues(values, member)] as const)
    .filter(([, member]) => !values.includes(member));
  return members.length === 0 ? null : Object.fromEntries(members);
}
