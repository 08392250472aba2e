import { formatTable, type Row, runCalls } from "./call.js";
import { listIndexCalls, listOptionsCalls } from "./document-calls.js";
import { listRegistryCalls } from "./registry-calls.js";
import { serveExamples } from "./serve-examples.js";
import { listSiteCalls } from "./site-calls.js";

/** The expected number of calls, so that a lost call is reported. Change it when you add or remove calls. */
const expectedCalls = 205;

/**
 * Serves both examples, makes every call and prints the table. Returns whether all calls were made and answered
 * correctly.
 */
export async function runDemo(port: number, out: NodeJS.WriteStream): Promise<boolean> {
  const server = await serveExamples(port);
  try {
    const calls = [
      ...listRegistryCalls(server.url),
      ...listSiteCalls(server.url),
      ...listIndexCalls(server.url, "Content site"),
      ...(await listOptionsCalls(server.url)),
    ];
    const rows = await runCalls(calls);
    const { text, isComplete } = summarizeDemo(rows, server.url);
    out.write(`${formatTable(rows, out.isTTY ? out.columns : 160)}\n\n${text}`);
    return isComplete;
  } finally {
    await server.close();
  }
}

/** Formats the last lines of the demo, and returns whether all calls were made and answered correctly. */
export function summarizeDemo(
  rows: readonly Pick<Row, "problem">[],
  url: string,
): { readonly text: string; readonly isComplete: boolean } {
  const wrongCalls = rows.filter((row) => row.problem !== undefined).length;
  const counts = `${rows.length} calls to ${url}: ${rows.length - wrongCalls} right, ${wrongCalls} wrong\n`;
  const hasAllCalls = rows.length === expectedCalls;
  const help = `${expectedCalls} calls were expected. If calls were added or removed, change the number in demo.ts.\n`;
  return { text: hasAllCalls ? counts : counts + help, isComplete: hasAllCalls && wrongCalls === 0 };
}

/** Serves the examples until the process is interrupted, and prints shell commands that call them. */
export async function serveDemo(port: number, out: NodeJS.WriteStream): Promise<void> {
  const server = await serveExamples(port);
  const pages = `For a browser: ${server.url}/`;
  out.write(
    `Serving both interfaces at ${server.url}. Stop with Ctrl+C.\n${pages}\n\n${formatCurlLines(server.url).join("\n\n")}\n`,
  );
  await new Promise<void>((stop) => {
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
  await server.close();
}

/** Returns curl commands, one for each protocol and kind of document. */
export function formatCurlLines(url: string): readonly string[] {
  const envelope = (namespace: string) =>
    `<s:Envelope xmlns:s="${namespace}"><s:Body><CheckUSA xmlns="http://vehicle.example/reg"><RegistrationNumber>ABC1234</RegistrationNumber><State>NY</State><username>demo</username></CheckUSA></s:Body></s:Envelope>`;
  return [
    `curl -s '${url}/api/reg.asmx?wsdl'`,
    `curl -s -H 'Content-Type: text/xml; charset=utf-8' -H 'SOAPAction: "http://vehicle.example/reg/CheckUSA"' -d '${envelope("http://schemas.xmlsoap.org/soap/envelope/")}' '${url}/api/reg.asmx'`,
    `curl -s -H 'Content-Type: application/soap+xml; charset=utf-8' -d '${envelope("http://www.w3.org/2003/05/soap-envelope")}' '${url}/api/reg.asmx'`,
    `curl -s '${url}/api/reg.asmx/CheckUSA?RegistrationNumber=ABC1234&State=NY&username=demo'`,
    `curl -s -d 'RegistrationNumber=ABC1234&State=NY&username=demo' '${url}/api/reg.asmx/CheckUSA'`,
    `curl -s '${url}/en/api/'`,
    `curl -s '${url}/pt-pt/api/core/v2/blocks?per_page=2'`,
    `curl -s -H 'Content-Type: application/json' -d '{"title":{"raw":"New"},"status":"draft"}' '${url}/en/api/core/v2/blocks'`,
    `curl -s -X OPTIONS '${url}/en/api/core/v2/project'`,
  ];
}
