import { clark } from "@bothends/xml";
import type { MessageComponent, PartComponent } from "../components/wsdl-model.js";
import type { ElementField, RecordType, TypeId, WireName } from "../model/schema-types.js";
import type { Span } from "../source/span.js";
import { Members, type Unkeyed } from "./members.js";
import { sameFacts } from "./same-facts.js";
import type { TypeLowering } from "./types.js";

/** A record that a schema does not define: parts side by side, an rpc wrapper, headers. */
export interface MessageRecord {
  readonly id: TypeId;
  readonly words: readonly string[];
  readonly wireName: WireName;
  readonly span: Span;
  readonly fields: readonly (Unkeyed<ElementField> & { readonly wanted: string })[];
}

/** Makes records from the parts of messages; equal ones are one. */
export class MessageRecords {
  readonly #types: TypeLowering;

  constructor(types: TypeLowering) {
    this.#types = types;
  }

  /** The record's members are one sequence, in the order of the parts. */
  add({ id, words, wireName, span, fields }: MessageRecord): RecordType {
    const members = new Members([], this.#types);
    const keys = fields.map(({ wanted, ...field }) => members.add(field, wanted));
    const record: RecordType = {
      kind: "record",
      id,
      name: undefined,
      words,
      wireName,
      span,
      documentation: undefined,
      abstract: false,
      base: undefined,
      removed: [],
      fields: members.fields,
      content: keys.map((key) => ({ kind: "field", key })),
    };
    return this.#unique(record);
  }

  /** Parts side by side in the body. */
  parts(message: MessageComponent, parts: readonly PartComponent[]): RecordType {
    return this.add({
      id: `${clark(message.name.namespace, message.name.local)}@message`,
      words: [message.name.local],
      wireName: message.name,
      span: message.span,
      fields: parts.map((part) => this.field(part)),
    });
  }

  /** A part as an element: the one it names, or one named like it, in no namespace (WSDL 1.1 §3.5). */
  field(part: PartComponent): Unkeyed<ElementField> & { readonly wanted: string } {
    const shared = { kind: "element", span: part.span, min: 1, max: 1 } as const;
    const { content, documentation } = part;
    if (content.kind === "type") {
      return {
        ...shared,
        documentation,
        wanted: part.name,
        wireName: { namespace: "", local: part.name },
        type: this.#types.reference(content.type),
        nillable: false,
        default: undefined,
        fixed: undefined,
      };
    }
    const { declaration } = content;
    return {
      ...shared,
      documentation: documentation ?? declaration.documentation,
      wanted: declaration.name.local,
      wireName: declaration.name,
      type: this.#types.elementType(declaration),
      nillable: declaration.nillable,
      default: undefined,
      fixed: undefined,
    };
  }

  #unique(record: RecordType): RecordType {
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? record : { ...record, id: `${record.id};${count}` };
      const before = this.#types.find(candidate.id);
      if (before === undefined) {
        this.#types.add(candidate);
        return candidate;
      }
      if (before.kind === "record" && sameFacts(before, candidate)) return before;
    }
  }
}
