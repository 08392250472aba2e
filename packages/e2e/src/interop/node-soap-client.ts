import * as soap from "soap";
import type { Job } from "./their-client.js";

/** Makes the calls of a job with the npm package soap, in this process. */
export async function callWithNodeSoap({ wsdl, over, calls }: Job): Promise<readonly object[]> {
  const client = await soap.createClientAsync(wsdl, {
    forceSoap12Headers: over === "SOAP 1.2",
    disableCache: true,
    handleNilAsNull: true,
    // A Date would be in the zone of this machine.
    customDeserializer: { dateTime: (text: string) => text },
  });
  const lines: object[] = [];
  for (const { operation, input } of calls) {
    const call: (input: object) => Promise<readonly [Record<string, unknown> | null]> = client[`${operation}Async`];
    try {
      const [answer] = await call(input);
      lines.push({ answer: answer?.[`${operation}Result`] ?? null });
    } catch (error) {
      lines.push(faultOf(error));
    }
  }
  return lines;
}

function faultOf(error: unknown): object {
  const root = member(error, "root");
  const fault = member(member(member(root, "Envelope"), "Body"), "Fault");
  if (fault === undefined) return { error: String(error) };
  return {
    code: member(fault, "faultcode") ?? member(member(fault, "Code"), "Value"),
    reason: member(fault, "faultstring") ?? member(member(member(fault, "Reason"), "Text"), "$value"),
    detail: member(fault, "detail") ?? member(fault, "Detail"),
  };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
