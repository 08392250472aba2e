import type { DynamicRestInterface, DynamicSoapInterface } from "@bothends/dynamic";
import { findMember, isObject } from "@bothends/dynamic/random";
import type { Fault, Field } from "@bothends/generator";
import { type JsonObject, type JsonValue, SoapFault } from "@bothends/runtime";
import { fetchTransport, RestClient, ServiceClient } from "@bothends/runtime/client";
import { asmxConventions, restRoutes, soapRoutes, standardConventions } from "@bothends/runtime/server";
import { webHandler } from "@bothends/runtime/server/web";
import type { Side } from "../../src/index.js";
import { dynamicContractOf } from "./contracts.js";
import { type Observed, shown } from "./observed.js";

/** Calls of a client of one version on a server of another, for verdicts that calls with random values do not show. */
export type Proof = (client: Side, server: Side) => Promise<Observed>;

/** The result of one call: an error, a difference from a call between equal states, or nothing. */
type Outcome = "error" | "lost" | "same";

function observed(outcomes: readonly Outcome[]): Observed {
  const count = (wanted: Outcome) => outcomes.filter((each) => each === wanted).length;
  return { total: outcomes.length, errors: count("error"), losses: count("lost"), error: undefined };
}

function soapOf({ contract }: Side): DynamicSoapInterface {
  const [soap] = dynamicContractOf(contract).interfaces;
  if (soap?.kind !== "soap") {
    throw new Error("The first interface is not SOAP.");
  }
  return soap;
}

/** The first service of a state, its first operation, and a handler for it on a server in memory. */
function firstOperation(side: Side) {
  const soap = soapOf(side);
  const [service] = soap.services;
  const [operation] = service?.operations ?? [];
  if (service === undefined || operation === undefined) {
    throw new Error("There is no operation.");
  }
  const serve = (handler: () => unknown) =>
    webHandler([
      soapRoutes({
        service: service.descriptor,
        operations: { ask: operation.descriptor },
        handlers: { ask: handler },
        settings: soap.settings,
        conventions: soap.interface.conventions === "asmx" ? asmxConventions : standardConventions,
      }),
    ]);
  return { soap, service, operation, serve };
}

type Fetch = (request: Request) => Response | Promise<Response>;

/** Calls `Ask` through a function that may look at the request, or answer it. */
function ask(client: Side, fetch: Fetch, options: Addresses = {}): Promise<unknown> {
  const { soap, service, operation } = firstOperation(client);
  const transport = fetchTransport(async (request) => fetch(request));
  return new ServiceClient(service.descriptor, { transport, ...options }, soap.settings).call(operation.descriptor, {
    q: "why",
  });
}

interface Addresses {
  readonly address?: string;
  readonly baseUrl?: string;
}

/** A client whose description has no address gets that of the server, or only the host of the server. */
export const addresses: Proof = async (client, server) => {
  const addressOf = (side: Side) =>
    Object.values(firstOperation(side).service.descriptor.ports).find((port) => port?.address !== undefined)?.address;
  const { service, serve } = firstOperation(server);
  const path = new URL(addressOf(server) ?? service.descriptor.name, "http://s.example/").pathname;
  const baseUrl = "http://s.example";
  const choices: readonly Addresses[] =
    addressOf(client) === undefined ? [{ address: `${baseUrl}${path}` }, { baseUrl }] : [{}];
  const outcomes = choices.map((options): Promise<Outcome> => {
    const answer = ask(
      client,
      serve(() => "because"),
      options,
    );
    return answer.then(
      () => "same",
      () => "error",
    );
  });
  return observed(await Promise.all(outcomes));
};

/** A text for each type of a member in the detail of a fault. The text for `long` is not an `int`. */
const detailTexts: Readonly<Record<string, string>> = { string: "tired", int: "5", long: "5000000000" };

/** The content of a fault's detail, with a value for each member. */
function makeDetail({ interface: { types } }: DynamicSoapInterface, { type }: Fault) {
  const record = types.find(({ id }) => type.kind === "named" && id === type.id);
  return (record?.kind === "record" ? record.fields : []).flatMap((field) => {
    if (field.kind !== "element" || field.type.kind !== "builtin") {
      return [];
    }
    const { namespace, local } = field.wireName;
    return [{ name: `{${namespace}}${local}`, content: [detailTexts[field.type.name] ?? ""] }];
  });
}

/** Handlers throw each fault that their contract declares; a client that declares it catches its class and detail. */
export const declaredFaults: Proof = async (client, server) => {
  const { soap, operation, serve } = firstOperation(server);
  const outcomes = operation.operation.faults.map(async (fault): Promise<Outcome> => {
    const { namespace, local } = fault.element;
    const thrower = () => {
      const detail = [{ name: `{${namespace}}${local}`, content: makeDetail(soap, fault) }];
      throw new SoapFault({ code: "Server", reason: "broken", detail });
    };
    const [caught, wanted] = await Promise.all(
      [client, server].map(async (each) => {
        const error: unknown = await ask(each, serve(thrower)).catch((reason: unknown) => reason);
        const declared = (firstOperation(each).operation.descriptor.faults ?? []).map(({ error: get }) => get());
        return { error, isDeclared: declared.some((type) => error instanceof type) };
      }),
    );
    if (
      !(caught?.error instanceof SoapFault && wanted?.error instanceof SoapFault && caught.error.reason === "broken")
    ) {
      return "error";
    }
    const isSame = shown(caught.error.detail) === shown(wanted.error.detail);
    return caught.isDeclared && wanted.isDeclared && isSame ? "same" : "lost";
  });
  const answered = await ask(
    client,
    serve(() => "because"),
  );
  return observed([answered === "because" ? "same" : "lost", ...(await Promise.all(outcomes))]);
};

/** Values of the header `Trouble`, for each of its types. The last value for `long` is not an `int`. */
const troubles: Readonly<Record<string, readonly unknown[]>> = {
  int: [5],
  long: [5n, 5_000_000_000n],
  boolean: [true],
};

/** Handlers throw a fault with the header `Trouble`, if their contract declares it; clients catch it and read it. */
export const faultHeaders: Proof = async (client, server) => {
  const { soap, operation, serve } = firstOperation(server);
  const { output } = operation.operation;
  const fields = [output?.headerFaults, output?.headers].flatMap((id) => {
    const record = soap.interface.types.find((type) => type.id === id);
    return record?.kind === "record" ? record.fields : [];
  });
  const field = fields.find(({ key }) => key === "Trouble");
  const values =
    field?.kind !== "element" || field.type.kind !== "builtin"
      ? [undefined]
      : [...(field.nillable ? [null] : []), ...(troubles[field.type.name] ?? [])];
  const outcomes = values.map(async (value): Promise<Outcome> => {
    const thrower = () => {
      throw new SoapFault({
        code: "Server",
        reason: "broken",
        soapHeaders: value === undefined ? {} : { Trouble: value },
      });
    };
    const [caught, wanted] = await Promise.all(
      [client, server].map((each) => ask(each, serve(thrower)).catch((reason: unknown) => reason)),
    );
    if (!(wanted instanceof SoapFault && shown(wanted.soapHeaders["Trouble"]) === shown(value))) {
      throw new Error("The header of a fault is not read between equal sides.");
    }
    if (!(caught instanceof SoapFault)) {
      return "error";
    }
    return shown(caught.soapHeaders) === shown(wanted.soapHeaders) ? "same" : "lost";
  });
  return observed(await Promise.all(outcomes));
};

/** A call without errors, and one whose handler fails: the client gets the text of the server's conventions. */
export const failures: Proof = async (client, server) => {
  const failure = async (side: Side) => {
    const failing = () => {
      throw new Error("a mistake in the handler");
    };
    const caught: unknown = await ask(client, firstOperation(side).serve(failing)).catch((error: unknown) => error);
    return String(caught);
  };
  const answered = await ask(
    client,
    firstOperation(server).serve(() => "because"),
  );
  const isSame = (await failure(server)) === (await failure(client));
  return observed([answered === "because" ? "same" : "lost", isSame ? "same" : "lost"]);
};

/** A `T` with the element `a`, sent in a request and in an answer; mixed content has a text before it. */
export const mixedContent: Proof = (client, server) => {
  const listContents = (side: Side) => [
    itemsOfMixed(side) === undefined ? { a: "b" } : { content: ["text ", { a: "b" }] },
  ];
  return sendContents(listContents)(client, server);
};

/** A `T` with the element `a`, which has a text or mixed content: only a text, or a text and an element. */
export const mixedOrText: Proof = sendContents((side) =>
  itemsOfMixed(side) === undefined
    ? [{ a: "text" }]
    : [{ a: { content: ["text"] } }, { a: { content: ["text ", { x: "b" }] } }],
);

/** A `T` with the element `a`, which has a number or mixed content: only a number, or a text and an element. */
export const mixedOrNumber: Proof = sendContents((side) =>
  itemsOfMixed(side) === undefined
    ? [{ a: 12 }]
    : [{ a: { content: ["12"] } }, { a: { content: ["text ", { x: "b" }] } }],
);

/**
 * Each value of mixed content that generated types allow: only text, one member, and each member twice. Content without
 * text has all its members.
 */
export const mixedMembers: Proof = (client, server) => {
  const listContents = (side: Side): readonly object[] => {
    const items = itemsOfMixed(side);
    if (items === undefined) {
      return [{ a: "b" }];
    }
    const members = items.map(({ kind, key }) => ({ [key]: kind === "any" ? { name: "{urn:other}wild" } : "b" }));
    return [["text"], ...members.map((member) => [member]), ...members.map((member) => [member, member])].map(
      (content) => ({ content }),
    );
  };
  return sendContents(listContents)(client, server);
};

/** The members of the items of mixed content; undefined if no type has mixed content. */
export function itemsOfMixed(side: Side): readonly Field[] | undefined {
  const { types } = soapOf(side).interface;
  const [mixed] = types.flatMap((type) =>
    type.kind === "record" ? type.fields.filter((field) => field.kind === "mixed") : [],
  );
  const item = types.find(({ id }) => id === mixed?.item);
  return item?.kind === "record" ? item.fields : undefined;
}

/** Sends values of `T` in requests and in answers. A value is lost unless the reader returns each of its parts. */
export function sendContents(listContents: (side: Side) => readonly object[]): Proof {
  return async (client, server) => {
    const [ours, theirs] = [soapOf(client), soapOf(server)];
    const [service] = theirs.services;
    const [called] = ours.services;
    if (service === undefined || called === undefined) {
      throw new Error("There is no service.");
    }
    let answer: unknown;
    let received: unknown;
    const handlers = {
      Put: (input: { readonly value?: unknown }) => {
        received = input.value;
      },
      Get: () => answer,
    };
    const operations = Object.fromEntries(service.operations.map((each) => [each.operation.name, each.descriptor]));
    const routes = soapRoutes({ service: service.descriptor, operations, handlers, settings: theirs.settings });
    const transport = fetchTransport(webHandler([routes]));
    const api = new ServiceClient(called.descriptor, { transport }, ours.settings);
    const call = async (name: string, content: object): Promise<Outcome> => {
      const operation = called.operations.find((each) => each.operation.name === name);
      if (operation === undefined) {
        throw new Error(`There is no operation ${name}.`);
      }
      try {
        answer = content;
        const result = await api.call(operation.descriptor, name === "Put" ? { value: content } : {});
        return hasParts(name === "Put" ? received : result, content) ? "same" : "lost";
      } catch {
        return "error";
      }
    };
    const outcomes: Outcome[] = [];
    for (const content of listContents(client)) {
      outcomes.push(await call("Put", content));
    }
    for (const content of listContents(server)) {
      outcomes.push(await call("Get", content));
    }
    return observed(outcomes);
  };
}

/** Whether a value that was read has all texts and members of the value that was written. */
function hasParts(read: unknown, written: object): boolean {
  const parts = "content" in written && Array.isArray(written.content) ? (written.content as unknown[]) : [written];
  const text = shown(read);
  return parts.every((part) => text.includes(typeof part === "string" ? part : shown(part)));
}

/** The URL that a client calls if it is created without one. */
async function calledUrl(side: Side): Promise<URL> {
  let url = "";
  await ask(side, (request) => {
    url = request.url;
    return new Response("", { status: 503 });
  }).catch(() => undefined);
  return new URL(url);
}

/** A deployment that answers at the hosts of both versions: clients call the host and query in their descriptions. */
export const hosts: Proof = async (client, server) => {
  const described = await calledUrl(server);
  const { serve } = firstOperation(server);
  let called = described;
  const answered = await ask(client, (request) => {
    called = new URL(request.url);
    return serve(() => "because")(request);
  });
  const isSame = called.host === described.host && called.search === described.search;
  return observed([answered === "because" && isSame ? "same" : "lost"]);
};

/** A client that chooses no protocol. */
export const defaults: Proof = async (client, server) => {
  const { serve } = firstOperation(server);
  const answer = ask(
    client,
    serve(() => "because"),
  );
  return observed([
    await answer.then(
      () => "same",
      () => "error",
    ),
  ]);
};

/** Two deployments: one answers only at the scheme in the description, the other at both schemes. */
export const schemes: Proof = async (client, server) => {
  const { protocol } = await calledUrl(server);
  const { serve } = firstOperation(server);
  const outcomes = [[protocol], ["http:", "https:"]].map(async (accepted): Promise<Outcome> => {
    const answer = ask(client, (request) => {
      if (!accepted.includes(new URL(request.url).protocol)) {
        throw new TypeError("connection refused");
      }
      return serve(() => "because")(request);
    });
    return answer.then(
      () => "same",
      () => "error",
    );
  });
  return observed(await Promise.all(outcomes));
};

function restOf({ contract }: Side): DynamicRestInterface {
  const rest = dynamicContractOf(contract).interfaces.find(({ kind }) => kind === "rest");
  if (rest?.kind !== "rest") {
    throw new Error("There is no REST interface.");
  }
  return rest;
}

type RestAnswerer = (input: JsonObject, context: { readonly language: string | undefined }) => JsonValue;

function serveRest({ descriptor, endpoints, index }: DynamicRestInterface, answer: JsonValue | RestAnswerer) {
  const handlers = endpoints.map(({ endpoint: { operation } }) =>
    operation.reduceRight<unknown>(
      (inner, word) => ({ [word]: inner }),
      (input: JsonObject, context: Parameters<RestAnswerer>[1]) =>
        typeof answer === "function" ? answer(input, context) : answer,
    ),
  );
  return webHandler([
    restRoutes(
      {
        interface: descriptor,
        endpoints: endpoints.map((each) => each.descriptor),
        handlers: Object.assign({}, ...handlers) as object,
        index,
      },
      { page: false },
    ),
  ]);
}

/** The members that a contract declares for answers in a context; undefined if it declares no answers. */
function declaredMembers({ index }: DynamicRestInterface, context: string): readonly string[] | undefined {
  const [route] = Object.values(objectOf(findMember(index, "routes")));
  const properties = findMember(findMember(route, "schema"), "properties");
  if (!isObject(properties)) {
    return undefined;
  }
  const isPresent = (definition: JsonValue | undefined) => {
    const contexts = findMember(definition, "context");
    return !Array.isArray(contexts) || contexts.includes(context);
  };
  return Object.entries(properties).flatMap(([name, definition]) => (isPresent(definition) ? [name] : []));
}

/** The definition of the first endpoint of the first route in the index. */
function firstDefinition({ index }: DynamicRestInterface): JsonValue | undefined {
  const [route] = Object.values(objectOf(findMember(index, "routes")));
  const endpoints = findMember(route, "endpoints");
  return Array.isArray(endpoints) ? endpoints[0] : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * Handlers answer with the members that their contract declares for the context; clients expect those of their
 * contract.
 */
export const answersInContexts: Proof = async (client, server) => {
  const [ours, theirs] = [restOf(client), restOf(server)];
  const [endpoint] = ours.endpoints;
  if (endpoint === undefined) {
    throw new Error("There is no endpoint.");
  }
  const outcomes = ["view", "edit", "embed"].map(async (context): Promise<Outcome> => {
    const names = declaredMembers(theirs, context) ?? ["id"];
    const answer = Object.fromEntries(names.map((name) => [name, name === "id" ? 1 : "text"]));
    const transport = fetchTransport(serveRest(theirs, answer));
    const api = new RestClient(ours.descriptor, { siteUrl: "http://site.example", transport });
    const read = await api.call(endpoint.descriptor, { id: 1 }, {});
    const present = Object.keys(read as object);
    const isKnown = shown([...(declaredMembers(ours, context) ?? present)].sort()) === shown(present.sort());
    return isKnown && shown(read) === shown(answer) ? "same" : "lost";
  });
  return observed(await Promise.all(outcomes));
};

/**
 * Calls without the argument `context`, and with it. Handlers answer with the members that their contract declares for
 * the context. A client that does not find all members that its contract promises for the context fails.
 */
export const answersInDefaultContext: Proof = async (client, server) => {
  const [ours, theirs] = [restOf(client), restOf(server)];
  const [endpoint] = ours.endpoints;
  if (endpoint === undefined) {
    throw new Error("There is no endpoint.");
  }
  const membersIn = (side: DynamicRestInterface, context: JsonValue | undefined) => {
    const initial = findMember(findMember(findMember(firstDefinition(side), "args"), "context"), "default");
    return declaredMembers(side, String(context ?? initial ?? "view")) ?? [];
  };
  const outcomes = [{ id: 1 }, { id: 1, context: "edit" }].map(async (input: JsonObject): Promise<Outcome> => {
    const transport = fetchTransport(
      serveRest(theirs, (received: JsonObject) =>
        Object.fromEntries(membersIn(theirs, input["context"] && received["context"]).map((name) => [name, 1])),
      ),
    );
    const api = new RestClient(ours.descriptor, { siteUrl: "http://site.example", transport });
    const present = Object.keys((await api.call(endpoint.descriptor, input, {})) as object);
    const promised = membersIn(ours, input["context"]);
    return promised.some((name) => !present.includes(name))
      ? "error"
      : present.length === promised.length
        ? "same"
        : "lost";
  });
  return observed(await Promise.all(outcomes));
};

/**
 * Calls without the argument `q`, whose handler expects the client's default, and with it if the client declares it.
 */
export const withAndWithoutArgument: Proof = async (client, server) => {
  const [ours, theirs] = [restOf(client), restOf(server)];
  const [endpoint] = ours.endpoints;
  if (endpoint === undefined) {
    throw new Error("There is no endpoint.");
  }
  const { q } = endpoint.descriptor.args;
  const declaredDefault = findMember(findMember(findMember(firstDefinition(ours), "args"), "q"), "default") ?? null;
  const inputs: readonly JsonObject[] = q === undefined ? [{}] : [{}, { q: q.type === "integer" ? 7 : "seven" }];
  const outcomes = inputs.map(async (input): Promise<Outcome> => {
    const transport = fetchTransport(serveRest(theirs, (received: JsonObject) => ({ q: received["q"] ?? null })));
    const api = new RestClient(ours.descriptor, { siteUrl: "http://site.example", transport });
    const wanted = { q: input["q"] ?? declaredDefault };
    return api.call(endpoint.descriptor, input, {}).then(
      (answer) => (shown(answer) === shown(wanted) ? "same" : "lost"),
      () => "error",
    );
  });
  return observed(await Promise.all(outcomes));
};

/** Calls without the option `method`. */
export const defaultMethods: Proof = async (client, server) => {
  const [ours, theirs] = [restOf(client), restOf(server)];
  const transport = fetchTransport(serveRest(theirs, {}));
  const api = new RestClient(ours.descriptor, { siteUrl: "http://site.example", transport });
  const outcomes = ours.endpoints.map(({ descriptor }) =>
    api.call(descriptor, { id: 1 }, {}).then(
      (): Outcome => "same",
      (): Outcome => "error",
    ),
  );
  return observed(await Promise.all(outcomes));
};

/** Calls with each value of the variable `lang` in the base path that the client knows, and without a value. */
export const valuesOfLanguage: Proof = async (client, server) => {
  const [ours, theirs] = [restOf(client), restOf(server)];
  const [endpoint] = ours.endpoints;
  if (endpoint === undefined) {
    throw new Error("There is no endpoint.");
  }
  const languagesOf = ({ interface: { base } }: DynamicRestInterface) =>
    base.values.find(({ variable }) => variable === "lang")?.values ?? [];
  const languages = languagesOf(ours);
  const outcomes = [undefined, ...languages].map(async (lang): Promise<Outcome> => {
    const handler = serveRest(theirs, null);
    let path = "";
    const transport = fetchTransport((request) => {
      ({ pathname: path } = new URL(request.url));
      return handler(request);
    });
    const options = { siteUrl: "http://site.example", transport, ...(lang !== undefined && { lang }) };
    return new RestClient(ours.descriptor, options).call(endpoint.descriptor, {}, {}).then(
      () => (path.startsWith(`/${lang ?? languages[0]}/`) ? "same" : "lost"),
      () => "error",
    );
  });
  return observed(await Promise.all(outcomes));
};

/** The language in the context of handlers, for each call with or without the option and arguments of a client. */
export async function findLanguagesOfHandlers(client: Side, server: Side): Promise<readonly JsonValue[]> {
  const [ours, theirs] = [restOf(client), restOf(server)];
  const [endpoint] = ours.endpoints;
  if (endpoint === undefined) {
    throw new Error("There is no endpoint.");
  }
  const transport = fetchTransport(serveRest(theirs, (_input, { language }) => language ?? null));
  const inputs: readonly JsonObject[] = [
    {},
    ...Object.keys(endpoint.descriptor.args).map((name) => ({ [name]: "fr" })),
  ];
  const options = [undefined, ...(ours.interface.base.values[0]?.values ?? [])].map((lang) => ({ lang }));
  const calls = options.flatMap((option) =>
    inputs.map((input) =>
      new RestClient(ours.descriptor, { siteUrl: "http://site.example", transport, ...option }).call(
        endpoint.descriptor,
        input,
        {},
      ),
    ),
  );
  return (await Promise.all(calls)) as readonly JsonValue[];
}

/** Handlers answer with the language of their context. It is lost if a server of the other version finds another. */
export const languageOfHandlers: Proof = async (client, server) => {
  const wanted = await findLanguagesOfHandlers(client, client);
  const found = await findLanguagesOfHandlers(client, server);
  return observed(found.map((language, index) => (language === wanted[index] ? "same" : "lost")));
};

/** A program of the client's state follows the links of its index by their names. */
export const linksOfIndex: Proof = async (client, server) => {
  const theirs = restOf(server);
  const response = await serveRest(theirs, null)(new Request("http://site.example/wp-json/"));
  const served: unknown = await response.json();
  const links = (index: JsonValue) => Object.keys(objectOf(findMember(index, "_links")));
  const present = links(served as JsonValue);
  return observed(links(restOf(client).index).map((name) => (present.includes(name) ? "same" : "lost")));
};
