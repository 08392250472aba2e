import type { XmlLimits } from "@bothends/xml";
import { clark } from "@bothends/xml/names";
import { instanceNamespace } from "../../../codec/names.js";
import type { QuickDecoder } from "../../../codec/quick/quick-decoder.js";
import { QuickReader, unusual } from "../../../codec/quick/quick-reader.js";
import type { AnyBodyDescriptor, OutputDescriptor } from "../../../descriptor.js";
import type { OperationNames } from "../../../wire-names.js";
import { type SoapVersion, versionOf } from "../envelope.js";
import { resultOf } from "./body.js";

/** Prefixes that a message may use without declaring them: some servers write `xsi:nil` without declaring `xsi`. */
export const impliedPrefixes: ReadonlyMap<string, string> = new Map([["xsi", instanceNamespace]]);

/** An output whose usual messages `QuickDecoder` can read. */
export interface QuickOutput {
  readonly output: OutputDescriptor<unknown>;
  readonly body: Extract<AnyBodyDescriptor, { readonly element: string }>;
  readonly decoder: QuickDecoder;
  readonly names: OperationNames;
}

/** The output of an operation, if it has nothing but one literal element. */
export function quickOutput(
  output: OutputDescriptor<unknown> | undefined,
  { decoder, names }: Pick<QuickOutput, "decoder" | "names">,
): QuickOutput | undefined {
  const { body, ...others }: { readonly body?: AnyBodyDescriptor } & Partial<OutputDescriptor<unknown>> = output ?? {};
  if (output === undefined || body === undefined || !("element" in body) || "encoded" in body) {
    return undefined;
  }
  const { headers, headerFaults, attachments } = others;
  const isUsual = [headers, headerFaults, attachments, body.default, body.fixed].every((part) => part === undefined);
  return isUsual ? { output, body, decoder, names } : undefined;
}

/** The result in a usual SOAP message. Throws anything for other messages, and for all that are not valid. */
export function readQuickly(text: string, limits: XmlLimits, { output, body, decoder, names }: QuickOutput): unknown {
  const reader = new QuickReader(text, limits, impliedPrefixes);
  reader.nextChild();
  const version = versionOf(reader.namespace);
  if (version === undefined || reader.localName !== "Envelope") {
    unusual();
  }
  reader.nextChild();
  if (isSoap(reader, version, "Header")) {
    reader.skip();
    reader.nextChild();
  }
  if (!isSoap(reader, version, "Body") || !reader.nextChild()) {
    unusual();
  }
  if (clark(reader.namespace, reader.localName) !== names.element(body.element) || reader.attributes.length > 0) {
    unusual();
  }
  const value = decoder.element(reader, body.type, body.nillable);
  // The ends of Body and Envelope.
  if (reader.nextChild() || reader.nextChild()) {
    unusual();
  }
  reader.finish();
  return resultOf(output, value);
}

function isSoap({ localName, namespace }: QuickReader, version: SoapVersion, name: string): boolean {
  return localName === name && versionOf(namespace) === version;
}
