import { onlyAnonymous } from "../../protocol/soap/addressing.js";
import { detach } from "../../protocol/soap/attachments.js";
import { encodingOf, writeEnvelope } from "../../protocol/soap/envelope.js";
import { report } from "../incidents.js";
import type { ServerAnswer, ServerRequest } from "../types.js";
import { addressedAnswer, addressedRequest } from "./addressed.js";
import { faultAnswer, messageAnswer } from "./answers.js";
import { type Outcome, runCall, serverFault } from "./call.js";
import { writeFaultHeaders, writeHeaders, writeOutput } from "./messages.js";
import { type Message, Refused, readMessage } from "./read-message.js";
import type { Serving } from "./serving.js";

/** Answers a POST to the address of a service: a SOAP message of either version. */
export async function answerSoap(request: ServerRequest, serving: Serving): Promise<ServerAnswer> {
  try {
    return await answerCall(await readMessage(request, serving), request, serving);
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

async function answerCall(message: Message, request: ServerRequest, serving: Serving): Promise<ServerAnswer> {
  const { version, operation, input, soapHeaders, extraSoapHeaders } = message;
  const { addressing } = operation.descriptor.bindings[version] ?? {};
  const asked = addressedRequest(addressing, extraSoapHeaders);
  if (asked?.reply === "elsewhere") return faultAnswer(version, onlyAnonymous, "operation");
  const outcome = await runCall(
    { operation, protocol: version, request, input, soapHeaders, extraSoapHeaders },
    serving,
  );
  const { output } = operation.descriptor;
  if (output === undefined || asked?.reply === "nowhere") return oneWayAnswer(outcome);
  try {
    const names = serving.names.of(operation.descriptor);
    const own = addressing && asked ? addressedAnswer(outcome, addressing, { asked, names }) : [];
    const codec = { encoder: serving.encoder, encoding: encodingOf(output.body, version) };
    if ("fault" in outcome) {
      const headers = [...own, ...writeFaultHeaders(output, outcome.headers, codec)];
      return faultAnswer(version, { ...outcome.fault, headers }, "operation");
    }
    const detached = output.attachments && detach(outcome.value, output.attachments);
    const body = writeOutput(output, detached === undefined ? outcome.value : detached.value, codec);
    const headers = [...own, ...writeHeaders(output, outcome.headers, codec)];
    return messageAnswer(version, writeEnvelope(version, { body, headers }), detached?.parts);
  } catch (error) {
    const place = { operation: operation.descriptor.name, protocol: version };
    report(serving.onError, { kind: "encode", message: "The answer does not fit the schema.", error, ...place });
    return faultAnswer(version, serverFault, "operation");
  }
}

/** A one-way operation answers no message, not even a fault (WSDL 1.1 §2.4.1). */
export function oneWayAnswer(outcome: Outcome): ServerAnswer {
  return { status: "fault" in outcome ? 500 : 202, headers: [], body: "" };
}
