import { ContentClient } from "@bothends/client/content";
import { listRegistryLookups } from "../demo/registry-calls.js";
import { serveExamples } from "../demo/serve-examples.js";
import type { ThirdPartyClient } from "./client-suite.js";
import { callContent } from "./content-calls.js";
import { describeDifference, getText, type Outcome, type Suite } from "./outcomes.js";
import { thirdPartyClients } from "./third-party-clients.js";

/**
 * The suite of the example servers: third-party clients call the vehicle registry, and the content site must answer the
 * calls that are made for a live WordPress.
 */
export const examples: Suite = {
  peer: "examples",
  packages: [...new Set(thirdPartyClients.flatMap(({ packages }) => packages))],
  run: testExamples,
};

async function testExamples(): Promise<readonly Outcome[]> {
  const servedExamples = await serveExamples(0);
  try {
    const outcomes: Outcome[] = [];
    for (const client of thirdPartyClients) {
      outcomes.push(...(await callRegistry(client, servedExamples.url)));
    }
    const authorization = { username: "admin", password: await servedExamples.createPassword() };
    const site = {
      peer: "content site",
      over: "/pt-pt/api",
      client: new ContentClient({ siteUrl: servedExamples.url, authorization, lang: "pt-pt" }),
      pageOf: (id: number) => `${servedExamples.url}/?p=${id}`,
      name: "Content site",
    };
    return [...outcomes, ...(await callContent(site))];
  } finally {
    await servedExamples.close();
  }
}

async function callRegistry(client: ThirdPartyClient, url: string): Promise<readonly Outcome[]> {
  const peer = `${client.peer}, registry`;
  const caller = await client.prepare(url);
  const outcomes: Outcome[] = [];
  for (const service of ["reg", "bespokeapi"] as const) {
    const calls = listRegistryLookups().filter((lookup) => lookup.service === service);
    for (const over of client.over) {
      const start = performance.now();
      const wsdl = `${url}/api/${service}.asmx?wsdl`;
      const lines = await caller({ service, wsdl, over, calls }).catch((error: unknown) => getText(error));
      const milliseconds = (performance.now() - start) / calls.length;
      outcomes.push(
        ...calls.map(({ operation, answer }, index) => {
          const line = typeof lines === "string" ? { error: lines } : lines[index];
          const outcome =
            line !== undefined && "answer" in line
              ? { answer: client.normalizeAnswer(withInstants(line.answer)) }
              : line;
          const problem = describeDifference(outcome, { answer: client.normalizeAnswer(withInstants(answer)) });
          return { peer, over, call: operation, milliseconds, problem };
        }),
      );
    }
  }
  return outcomes;
}

/**
 * Converts dates and times in a value to instants, because clients format them differently, and one client omits the
 * time zone.
 */
function withInstants(value: unknown): unknown {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) {
    return Date.parse(/T.*(?:Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withInstants(member)]))
    : value;
}
