import type { BoundExtension, MessageComponent } from "../components/wsdl-model.js";
import type { Field } from "../model/schema-types.js";
import type { Attachment } from "../model/soap.js";
import type { MimeContent, MimeMultipartRelated } from "../read/wsdl/documents.js";
import { nearest } from "../source/nearest.js";
import type { TypeLowering } from "./types.js";

/** The contents of a message that stand beside its soap:body, one list of alternatives for each part. */
export interface AttachedPart {
  readonly name: string;
  readonly contents: readonly MimeContent[];
}

/** WSDL 1.1 §5.4: every mime:content of a mime:multipartRelated names a part that travels beside the envelope. */
export function attachedParts(
  message: MessageComponent,
  extensions: readonly BoundExtension[],
  types: TypeLowering,
): readonly AttachedPart[] {
  const attached = new Map<string, MimeContent[]>();
  for (const content of extensions.filter((one) => one.kind === "mimeMultipartRelated").flatMap(contentsOf)) {
    const name = partName(content, message, types);
    if (name !== undefined) attached.set(name, [...(attached.get(name) ?? []), content]);
  }
  return [...attached].map(([name, contents]) => ({ name, contents }));
}

/** XML that travels beside the envelope is bytes, too. */
function contentsOf({ parts }: MimeMultipartRelated): readonly MimeContent[] {
  return parts.flatMap((part) =>
    part.extensions.flatMap((extension): MimeContent[] => {
      if (extension.kind === "mimeContent") return [extension];
      if (extension.kind !== "mimeXml") return [];
      const type = { text: "text/xml", span: extension.span };
      return [{ kind: "mimeContent", span: extension.span, part: extension.part, type }];
    }),
  );
}

function partName({ part, span }: MimeContent, message: MessageComponent, types: TypeLowering): string | undefined {
  const names = message.parts.map((one) => one.name);
  if (part === undefined) {
    types.errorOnce("WSDL043", span, {
      message: "A mime:content beside the soap:body does not name its part.",
      help: "Give it a part attribute, or leave the operation out with `operations` in bothends.json.",
    });
    return undefined;
  }
  if (names.includes(part.text)) return part.text;
  const close = nearest(part.text, names);
  if (message.complete) {
    types.unresolvedOnce("WSDL017", part.span, {
      message: `mime:content names part "${part.text}", which message "${message.name.local}" does not have.`,
      help: close && `Did you mean "${close}"?`,
      instead: "It is ignored.",
    });
  }
  return undefined;
}

/** The members that the attached parts become beside those of the body. */
export function lowerAttachments(
  attached: readonly AttachedPart[],
  message: MessageComponent,
  inBody: readonly Field[],
): readonly Attachment[] {
  const taken = new Set(inBody.map((field) => field.key));
  return attached.map(({ name, contents }) => {
    const part = message.parts.find((one) => one.name === name);
    const types = contents.map(({ type }) => type?.text ?? "*/*");
    return {
      key: freeKey(name, taken),
      part: name,
      types: [...new Set(types)],
      span: part?.span ?? message.span,
      documentation: part?.documentation,
    };
  });
}

function freeKey(wanted: string, taken: Set<string>): string {
  let key = wanted;
  for (let count = 2; taken.has(key); count += 1) key = `${wanted}${count}`;
  taken.add(key);
  return key;
}
