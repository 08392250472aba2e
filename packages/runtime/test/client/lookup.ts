import type {
  InterfaceSettings,
  OperationDescriptor,
  RecordDescriptor,
  ServiceDescriptor,
  SoapFaultInit,
} from "../../src/index.js";
import { SoapFault } from "../../src/index.js";
import * as xs from "../../src/xs.js";

/** A small service in all four protocols, with the descriptors that generated code would have. */
export const ns = "http://lookup.example/v1";

export interface Find {
  Key: string;
  Count?: number | undefined;
  user: string;
}
export interface Item {
  Name: string;
  Size: number;
  Until?: string | undefined;
  Sold?: boolean | undefined;
  Note: string | null;
}
export interface Missing {
  Reason: string;
}
export class MissingFault extends SoapFault<Missing> {
  constructor(init: SoapFaultInit<Missing>) {
    super(init);
  }
}
export interface FindHeaders {
  Token?: string | undefined;
}

export const lookup: ServiceDescriptor = {
  descriptorFormat: 2,
  name: "Lookup",
  namespace: ns,
  ports: {
    soap11: { name: "LookupSoap", address: "http://lookup.example/api/lookup.asmx" },
    soap12: { name: "LookupSoap12", address: "http://lookup.example/api/lookup.asmx" },
    httpGet: { name: "LookupHttpGet", address: "http://lookup.example/api/lookup.asmx" },
    httpPost: { name: "LookupHttpPost", address: "http://lookup.example/api/lookup.asmx" },
  },
  otherPorts: { LookupSecure: { protocol: "soap11", address: "http://lookup.example/secure/lookup.asmx" } },
};
export const settings: InterfaceSettings = {
  by: xs.settings,
  ambient: ["user"],
  slots: { namespaces: { lookup: ns }, operations: ["Find"] },
};

const findDescriptor: RecordDescriptor<Find> = {
  kind: "record",
  name: `{${ns}}Find`,
  namespace: ns,
  fields: { Key: { type: xs.string }, Count: { type: xs.int, min: 0 }, user: { type: xs.string } },
};
export const itemDescriptor: RecordDescriptor<Item> = {
  kind: "record",
  name: `{${ns}}Item`,
  namespace: ns,
  fields: {
    Name: { type: xs.string },
    Size: { type: xs.int },
    Until: { type: xs.dateTime, min: 0 },
    Sold: { type: xs.boolean, min: 0 },
    Note: { type: xs.string, nillable: true },
  },
};
const findResponse: RecordDescriptor<{ FindResult?: Item | undefined }> = {
  kind: "record",
  name: `{${ns}}FindResponse`,
  namespace: ns,
  fields: { FindResult: { type: () => itemDescriptor, min: 0 } },
};
const missingDescriptor: RecordDescriptor<Missing> = {
  kind: "record",
  name: `{${ns}}Missing`,
  namespace: ns,
  fields: { Reason: { type: xs.string } },
};
const headersDescriptor: RecordDescriptor<FindHeaders> = {
  kind: "record",
  name: "",
  namespace: ns,
  fields: { Token: { type: xs.string, min: 0 } },
};

export const find: OperationDescriptor<Find, Item | null> = {
  kind: "operation",
  service: lookup,
  name: "Find",
  input: {
    body: { element: `{${ns}}Find`, type: () => findDescriptor },
    headers: { by: xs.headerBlocks, record: () => headersDescriptor },
  },
  output: {
    body: { element: `{${ns}}FindResponse`, type: () => findResponse },
    result: "FindResult",
    headers: { by: xs.headerBlocks, record: () => headersDescriptor },
  },
  faults: [
    {
      name: "Missing",
      by: xs.fault,
      element: `{${ns}}Missing`,
      type: () => missingDescriptor,
      error: () => MissingFault,
    },
  ],
  http: {
    parameters: { Key: { type: xs.string }, Count: { type: xs.int }, user: { type: xs.string } },
    answer: { kind: "xml", element: `{${ns}}Item`, type: () => itemDescriptor, nillable: true },
  },
  bindings: {
    soap11: { action: `${ns}/Find` },
    soap12: { action: `${ns}/Find` },
    httpGet: { location: "/Find" },
    httpPost: { location: "/Find" },
  },
};

const pingDescriptor: RecordDescriptor<{ Text?: string | undefined }> = {
  kind: "record",
  name: `{${ns}}Ping`,
  namespace: ns,
  fields: { Text: { type: xs.string, min: 0 } },
};
/** A one-way operation without the ambient argument. */
export const ping: OperationDescriptor<{ Text?: string | undefined }, undefined> = {
  kind: "operation",
  service: lookup,
  name: "Ping",
  input: { body: { element: `{${ns}}Ping`, type: () => pingDescriptor } },
  bindings: { soap11: { action: `${ns}/Ping` }, soap12: { action: `${ns}/Ping`, sendAction: true } },
};

/** An operation over HTTP only, with parameters in the path and an answer in plain text. */
export const count: OperationDescriptor<{ Kind: string; Tag: readonly string[] }, number> = {
  kind: "operation",
  service: lookup,
  name: "Count",
  input: {
    body: {
      by: xs.parts,
      parts: (): RecordDescriptor<{ Kind: string; Tag: readonly string[] }> => ({
        kind: "record",
        name: "",
        fields: { Kind: { type: xs.string }, Tag: { type: xs.string, max: "unbounded" } },
      }),
    },
  },
  http: {
    parameters: { Kind: { type: xs.string }, Tag: { type: xs.string, list: true } },
    answer: { kind: "text", type: xs.int },
  },
  bindings: { httpGet: { location: "/count/(Kind)/all", replace: true }, httpPost: { location: "/count" } },
};

const envelopes = {
  soap11: "http://schemas.xmlsoap.org/soap/envelope/",
  soap12: "http://www.w3.org/2003/05/soap-envelope",
} as const;

/** An envelope around a body. */
export function envelope(body: string, version: keyof typeof envelopes = "soap11", header = ""): string {
  return `<?xml version="1.0"?><s:Envelope xmlns:s="${envelopes[version]}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${header}<s:Body>${body}</s:Body></s:Envelope>`;
}

export const itemXml = "<Name>Ł &amp; x</Name><Size>3</Size><Note xsi:nil='true'/>";
/** The answer of Find. */
export function found(item = itemXml): string {
  return `<FindResponse xmlns="${ns}"><FindResult>${item}</FindResult></FindResponse>`;
}
export const item: Item = { Name: "Ł & x", Size: 3, Note: null };
