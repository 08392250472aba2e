import { clark, findNearestName } from "@bothends/xml";
import type { BoundExtension, MessageComponent, PartComponent } from "../../components/wsdl/wsdl-components.js";
import type { SoapInterfaceConfig } from "../../model/config.js";
import type { Attachment } from "../../model/soap.js";
import type { ElementField, Field, RecordType, TypeId, WireName } from "../../model/xsd-types.js";
import type { MessageExtension, MimeContent, MimeMultipartRelated, SoapBody } from "../../read/wsdl/documents.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type Span, withParts } from "../../source/span.js";
import { emptyRecord, noConstraints } from "../xsd/record-content.js";
import { RecordMembers } from "../xsd/record-members.js";
import type { TypeReferences } from "../xsd/type-references.js";

/** The inputs for lowering a binding. */
export interface BindingContext {
  readonly references: TypeReferences;
  readonly records: MessageRecords;
  readonly config: SoapInterfaceConfig;
  readonly diagnostics: Diagnostics;
  /**
   * The names of the operations that the supported bindings of the service serve; for a binding without a port, of the
   * operations that all supported bindings in the WSDL serve.
   */
  readonly callableOperations: ReadonlySet<string>;
  /**
   * Whether bound operations that cannot be lowered are reported. False while `callableOperations` is collected, which
   * lowers each operation of an HTTP binding an additional time.
   */
  readonly reportsUnsupported: boolean;
}

/** Finds the soap:body of a message, which may be inside a mime:multipartRelated. */
export function findSoapBody(extensions: readonly BoundExtension[]): SoapBody | undefined {
  for (const extension of extensions) {
    if (extension.kind === "soapBody") {
      return extension;
    }
    if (extension.kind === "mimeMultipartRelated") {
      return findSoapBodyInside(extension);
    }
  }
  return undefined;
}

function findSoapBodyInside(multipart: MimeMultipartRelated): SoapBody | undefined {
  const extensions: readonly MessageExtension[] = multipart.parts.flatMap((part) => part.extensions);
  return extensions.find((extension) => extension.kind === "soapBody");
}

/**
 * Returns the parts in the body of a message. If soap:body does not list any parts, returns all parts except headers
 * and attachments.
 */
export function listBodyParts(
  message: MessageComponent,
  binding: {
    readonly extensions: readonly BoundExtension[];
    readonly soapBody: SoapBody | undefined;
    readonly attachedParts: readonly AttachedPart[];
    readonly diagnostics: Diagnostics;
  },
): readonly PartComponent[] {
  const { extensions, soapBody, attachedParts, diagnostics } = binding;
  if (soapBody?.parts !== undefined) {
    return selectListedParts(message, soapBody.parts, diagnostics);
  }
  const otherNames = new Set(attachedParts.map((part) => part.name));
  for (const extension of extensions) {
    if (extension.kind === "boundHeader" && extension.message === message) {
      otherNames.add(extension.part.name);
    }
  }
  return message.parts.filter((part) => !otherNames.has(part.name));
}

type PartList = NonNullable<SoapBody["parts"]>;

function selectListedParts(
  message: MessageComponent,
  list: PartList,
  diagnostics: Diagnostics,
): readonly PartComponent[] {
  const parts: PartComponent[] = [];
  for (const name of list.names) {
    const part = message.parts.find((candidate) => candidate.name === name);
    if (part !== undefined) {
      parts.push(part);
    } else if (message.isComplete) {
      reportUnknownPart(name, { message, list, diagnostics });
    }
  }
  return parts;
}

function reportUnknownPart(
  name: string,
  {
    message,
    list,
    diagnostics,
  }: { readonly message: MessageComponent; readonly list: PartList; readonly diagnostics: Diagnostics },
): void {
  const names = message.parts.map((part) => part.name);
  const similarName = findNearestName(name, names);
  const text = `soap:body names the part "${name}", which the message "${message.name.local}" does not have.`;
  // The body of a message without parts is empty, so the unknown name has no effect, and a warning is enough.
  if (names.length === 0) {
    diagnostics.warning("WSDL017", list.span, { message: text });
  } else {
    const suggestion = similarName && `"${similarName}"`;
    diagnostics.unresolved("WSDL017", list.span, { message: text, suggestion, fallback: "The name is ignored." });
  }
}

/** A part that is sent outside the envelope, and the media types that it may have. */
export interface AttachedPart {
  readonly name: string;
  readonly contents: readonly MimeContent[];
}

/** WSDL 1.1 §5.4: every mime:content in a mime:multipartRelated names a part that is sent outside the envelope. */
export function listAttachedParts(
  message: MessageComponent,
  extensions: readonly BoundExtension[],
  references: TypeReferences,
): readonly AttachedPart[] {
  const contentsByPart = new Map<string, MimeContent[]>();
  const multiparts = extensions.filter((extension) => extension.kind === "mimeMultipartRelated");
  for (const content of multiparts.flatMap(listContents)) {
    const name = findPartName(content, message, references);
    if (name !== undefined) {
      contentsByPart.set(name, [...(contentsByPart.get(name) ?? []), content]);
    }
  }
  return [...contentsByPart].map(([name, contents]) => ({ name, contents }));
}

/** Returns the attachments of a multipart message. XML attachments are treated as bytes, like all other attachments. */
function listContents({ parts }: MimeMultipartRelated): readonly MimeContent[] {
  return parts.flatMap((part) =>
    part.extensions.flatMap((extension): MimeContent[] => {
      if (extension.kind === "mimeContent") {
        return [extension];
      }
      if (extension.kind !== "mimeXml") {
        return [];
      }
      const type = { text: "text/xml", span: extension.span };
      return [{ kind: "mimeContent", span: extension.span, part: extension.part, type }];
    }),
  );
}

function findPartName(
  { part, span }: MimeContent,
  message: MessageComponent,
  { reports }: TypeReferences,
): string | undefined {
  const names = message.parts.map(({ name }) => name);
  if (part === undefined) {
    reports.unresolved("WSDL043", span, {
      message: "A mime:content beside the soap:body does not name its part.",
      help: "Give the mime:content an attribute `part`, or leave the operation out with `operations` in bothends.json.",
      fallback: "The mime:content is ignored.",
    });
    return undefined;
  }
  if (names.includes(part.text)) {
    return part.text;
  }
  if (message.isComplete) {
    const similarName = findNearestName(part.text, names);
    reports.unresolved("WSDL017", part.span, {
      message: `mime:content names the part "${part.text}", which the message "${message.name.local}" does not have.`,
      suggestion: similarName && `"${similarName}"`,
      fallback: "The mime:content is ignored.",
    });
  }
  return undefined;
}

/** Lowers attached parts to members of the message. Their keys differ from the keys of the body's fields. */
export function lowerAttachments(
  attachedParts: readonly AttachedPart[],
  message: MessageComponent,
  bodyFields: readonly Field[],
): readonly Attachment[] {
  const takenKeys = new Set(bodyFields.map((field) => field.key));
  return attachedParts.map(({ name, contents }) => {
    const part = message.parts.find((candidate) => candidate.name === name);
    const types = contents.map(({ type }) => type?.text ?? "*/*");
    return {
      key: makeKeyUnique(name, takenKeys),
      part: name,
      types: [...new Set(types)],
      span: withParts(
        part?.span ?? message.span,
        contents.map(({ type, span }) => [`content ${type?.text ?? "*/*"}`, span]),
      ),
      documentation: part?.documentation,
    };
  });
}

function makeKeyUnique(preferredKey: string, takenKeys: Set<string>): string {
  let key = preferredKey;
  for (let count = 2; takenKeys.has(key); count += 1) {
    key = `${preferredKey}${count}`;
  }
  takenKeys.add(key);
  return key;
}

/** A record that no schema declares: the parts of a message, an rpc wrapper, or headers. */
interface MessageRecord {
  readonly id: TypeId;
  readonly words: readonly string[];
  readonly wireName: WireName;
  readonly span: Span;
  readonly fields: readonly ElementField[];
}

/** Defines records for messages. Equal records share a definition. */
export class MessageRecords {
  readonly #references: TypeReferences;

  constructor(references: TypeReferences) {
    this.#references = references;
  }

  /** Defines a record whose content is a sequence of the given fields. */
  add({ fields, ...names }: MessageRecord): RecordType {
    const members = new RecordMembers([], this.#references);
    const keys = fields.map((field) => members.add(field));
    return this.#define({
      ...emptyRecord,
      ...names,
      fields: members.fields,
      content: keys.map((key) => ({ kind: "field", key })),
    });
  }

  /** Defines the record of a body that consists of several parts. */
  addParts(message: MessageComponent, parts: readonly PartComponent[]): RecordType {
    return this.add({
      id: `${clark(message.name.namespace, message.name.local)}@message`,
      words: [message.name.local],
      wireName: message.name,
      span: message.span,
      fields: parts.map((part) => this.createField(part)),
    });
  }

  /**
   * Creates the field of a part. If the part refers to an element, the field is that element. If the part refers to a
   * type, the field is an element with the part's name and without a namespace (WSDL 1.1 §3.5).
   */
  createField({ name, span, documentation, content }: PartComponent): ElementField {
    const properties = { kind: "element", span, min: 1, max: 1, ...noConstraints, inherited: false } as const;
    if (content.kind === "type") {
      return {
        ...properties,
        documentation,
        key: name,
        wireName: { namespace: "", local: name },
        type: this.#references.to(content.type),
        nillable: false,
      };
    }
    const { declaration } = content;
    return {
      ...properties,
      documentation: documentation ?? declaration.documentation,
      key: declaration.name.local,
      wireName: declaration.name,
      type: this.#references.toTypeOf(declaration),
      nillable: declaration.nillable,
    };
  }

  #define(record: RecordType): RecordType {
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? record : { ...record, id: `${record.id};${count}` };
      const existingRecord = this.#references.findDefinition(candidate.id);
      if (existingRecord === undefined) {
        this.#references.define(candidate);
        return candidate;
      }
      if (existingRecord.kind === "record" && areEqualOnWire(existingRecord, candidate)) {
        return existingRecord;
      }
    }
  }
}

/**
 * Members of the Contract that have no effect on the comparison of messages. `addressing` is among them, because
 * addressing headers are optional.
 */
const ignoredKeys: ReadonlySet<string> = new Set([
  "span",
  "bodySpans",
  "answerSpans",
  "parametersSpan",
  "messagePart",
  "documentation",
  "addressing",
  "addressingSpans",
]);

/** Whether two parts of the Contract describe the same messages. */
export function areEqualOnWire(a: unknown, b: unknown): boolean {
  return formatWireValue(a) === formatWireValue(b);
}

function formatWireValue(value: unknown): string {
  return JSON.stringify(value, (key, member) => (ignoredKeys.has(key) ? undefined : member)) ?? "";
}
