import type { Group, Subject } from "../measure.js";
import { hasPeers, peerModule } from "../peers.js";
import { importing, nodeProcess } from "../processes.js";

const modules: Readonly<Record<string, readonly string[]>> = {
  "bare node": [],
  "node:http": ["node:http"],
  "one operation over SOAP 1.1": [
    "@bothends/runtime/call",
    "@bothends/runtime/soap11",
    "@bothends/contract/vehicle/operations",
  ],
  "SOAP client classes": ["@bothends/client/vehicle"],
  "REST client classes": ["@bothends/client/content"],
  "SOAP server": ["@bothends/server/vehicle", "@bothends/runtime/server/node"],
};

/** The startup of Node and the imports of a program. */
export const start = (): readonly Group[] => [
  {
    id: "start",
    title: "Start and import",
    unit: "CPU ms",
    limit: "A Node process that runs nothing.",
    subjects: [
      ...Object.entries(modules).map(
        ([name, imported]): Subject => ({ name, measure: () => nodeProcess(importing(imported)) }),
      ),
      ...(hasPeers ? ["soap", "strong-soap", "fastify", "undici"] : []).map(
        (peer): Subject => ({
          name: peer === "soap" ? "node-soap" : peer,
          measure: () => nodeProcess(`await import(${JSON.stringify(peerModule(peer))});`),
        }),
      ),
    ],
  },
];
