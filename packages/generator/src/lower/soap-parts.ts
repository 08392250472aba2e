import type { BoundExtension, MessageComponent, PartComponent } from "../components/wsdl-model.js";
import type { MessageExtension, MimeMultipartRelated, SoapBody } from "../read/wsdl/documents.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { nearest } from "../source/nearest.js";

/** The soap:body of a message, also where it is the root part of a multipart/related message. */
export function soapBodyOf(extensions: readonly BoundExtension[]): SoapBody | undefined {
  for (const extension of extensions) {
    if (extension.kind === "soapBody") return extension;
    if (extension.kind !== "mimeMultipartRelated") continue;
    return rootBody(extension);
  }
  return undefined;
}

function rootBody(multipart: MimeMultipartRelated): SoapBody | undefined {
  const extensions: readonly MessageExtension[] = multipart.parts.flatMap((part) => part.extensions);
  return extensions.find((extension) => extension.kind === "soapBody");
}

/** The parts of a message that stand in the body: those that soap:body lists, else all that no header and no attachment takes. */
export function bodyParts(
  message: MessageComponent,
  binding: {
    readonly extensions: readonly BoundExtension[];
    readonly soapBody: SoapBody | undefined;
    readonly attached: readonly { readonly name: string }[];
    readonly diagnostics: Diagnostics;
  },
): readonly PartComponent[] {
  const listed = binding.soapBody?.parts;
  if (listed === undefined) {
    const inHeaders = binding.extensions.map((extension) =>
      extension.kind === "boundHeader" && extension.message === message ? extension.part : undefined,
    );
    const attached = new Set(binding.attached.map((part) => part.name));
    return message.parts.filter((part) => !inHeaders.includes(part) && !attached.has(part.name));
  }
  const found = listed.names.map((name) => message.parts.find((part) => part.name === name));
  listed.names.forEach((name, index) => {
    if (found[index] === undefined && message.complete)
      reportUnknownPart(name, { message, listed, diagnostics: binding.diagnostics });
  });
  return found.filter((part) => part !== undefined);
}

/** Where the message has no parts at all, nothing is lost. */
function reportUnknownPart(
  name: string,
  place: {
    readonly message: MessageComponent;
    readonly listed: NonNullable<SoapBody["parts"]>;
    readonly diagnostics: Diagnostics;
  },
): void {
  const { message, listed, diagnostics } = place;
  const names = message.parts.map((part) => part.name);
  const close = nearest(name, names);
  const text = {
    message: `soap:body names part "${name}", which message "${message.name.local}" does not have.`,
    help: close && `Did you mean "${close}"?`,
  };
  if (names.length === 0) diagnostics.warning("WSDL017", listed.span, text);
  else diagnostics.unresolved("WSDL017", listed.span, { ...text, instead: "It is ignored." });
}
