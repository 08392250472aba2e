import type { ArgDescriptor, JsonValue, Method, RestInterfaceDescriptor } from "../../src/descriptor.js";
import { segmentNames } from "../../src/rest/segment-names.js";
import { type RestServerOptions, type Routes, restRoutes, type ServerAnswer } from "../../src/server/index.js";

export const content: RestInterfaceDescriptor = {
  descriptorFormat: 2,
  name: "content",
  base: "/{lang}/api",
  baseValues: { lang: ["en", "pt-pt"] },
  language: { variable: "lang", argument: "translation_language" },
  by: segmentNames,
  segments: ["core", "parts", "items", "core/v2", "core/v2/items"],
};

type Path = readonly (string | { readonly variable: string; readonly pattern: string })[];

export function endpoint(
  name: string,
  methods: readonly [Method, ...Method[]],
  path: Path,
  args: Record<string, ArgDescriptor> = {},
) {
  const route = path
    .map((piece) => (typeof piece === "string" ? piece : `(?P<${piece.variable}>${piece.pattern})`))
    .join("");
  return { kind: "endpoint", interface: content, name, route, path, methods, args } as const;
}

const language = { required: false, enum: ["en", "pt-pt"], type: "string" };
const item = { variable: "id", pattern: "[\\d]+" };

export const listArgs = {
  context: { required: false, default: "view", enum: ["view", "edit"], type: "string" },
  page: { required: false, default: 1, type: "integer" },
  per_page: { required: false, default: 10, type: "integer" },
  search: { required: false, type: "string" },
  after: { required: false, type: "string" },
  before: { required: false, type: "string" },
  include: { required: false, default: [], type: "array", items: { type: "integer" } },
  order: { required: false, default: "desc", enum: ["asc", "desc"], type: "string" },
  status: { required: false, default: "publish", type: "array", items: { enum: ["publish", "draft"], type: "string" } },
  translation_language: language,
};

const writeArgs = {
  date: { required: false, type: ["string", "null"] },
  status: { required: false, enum: ["publish", "draft"], type: "string" },
  title: { required: false, type: "object" },
  author: { required: false, type: "integer" },
  tags: { required: false, type: "array", items: { type: "integer" } },
  meta: { required: false, type: "object" },
};
const force = { required: false, default: false, type: "boolean" };

/** An index as generated code keeps it. */
export const index: JsonValue = {
  namespaces: ["core/v2"],
  authentication: [],
  routes: {
    "/": {
      namespace: "",
      methods: ["GET"],
      endpoints: [{ methods: ["GET"], args: { context: { required: false, default: "view" } } }],
      _links: { self: "" },
    },
    "/core/v2": {
      namespace: "core/v2",
      methods: ["GET"],
      endpoints: [{ methods: ["GET"], args: { namespace: { required: false, default: "core/v2" } } }],
      _links: { self: [{ href: "" }] },
    },
    "/core/v2/items": {
      namespace: "core/v2",
      methods: ["GET", "POST"],
      endpoints: [
        { methods: ["GET"], args: listArgs },
        { methods: ["POST"], args: writeArgs },
      ],
      _links: { self: "" },
    },
    "/core/v2/items/(?P<id>[\\d]+)": {
      namespace: "core/v2",
      methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      endpoints: [
        { methods: ["GET"], args: { id: { required: false, type: "integer" } } },
        { methods: ["POST", "PUT", "PATCH"], args: { id: { required: false, type: "integer" }, ...writeArgs } },
        { methods: ["DELETE"], args: { id: { required: false, type: "integer" }, force } },
      ],
    },
    "/core/v2/items/(?P<id>[\\d]+)/parts": {
      namespace: "core/v2",
      methods: ["POST"],
      endpoints: [
        {
          methods: ["POST"],
          args: { action: { required: true, enum: ["cut"], type: "string" }, data: { required: true } },
        },
      ],
    },
    "/core/v2/items/(?P<id>[\\d]+)/parts/(?P<part>[a-z]+)": {
      namespace: "core/v2",
      methods: ["GET"],
      endpoints: [{ methods: ["GET"], args: [] }],
    },
  },
};

const root = endpoint("index", ["GET"], ["/"]);
const list = endpoint("core.items.list", ["GET"], ["/core/v2/items"]);

export const endpoints = [
  root,
  endpoint("core.index", ["GET"], ["/core/v2"]),
  list,
  endpoint("core.items.create", ["POST"], ["/core/v2/items"]),
  endpoint("core.items.get", ["GET"], ["/core/v2/items/", item]),
  endpoint("core.items.update", ["POST", "PUT", "PATCH"], ["/core/v2/items/", item]),
  endpoint("core.items.delete", ["DELETE"], ["/core/v2/items/", item]),
  endpoint("core.items.parts.create", ["POST"], ["/core/v2/items/", item, "/parts"], { id: { type: "integer" } }),
  endpoint(
    "core.items.parts.get",
    ["GET"],
    ["/core/v2/items/", item, "/parts/", { variable: "part", pattern: "[a-z]+" }],
    { id: { type: "integer" }, part: { type: "string" } },
  ),
];

/** Single endpoints of the site. */
export const only = { index: [root], list: [list] };

type Handler = (input: Record<string, JsonValue>, context: import("../../src/server/index.js").RestContext) => unknown;

const echo: Handler = (input, { operation, method, language }) => ({
  operation,
  method,
  language: language ?? null,
  input,
});

/** Routes whose handlers return what they receive; `listHandler` replaces the handler of `core.items.list`. */
export function site(
  options: RestServerOptions = {},
  listHandler: Handler = echo,
  document: JsonValue = index,
): Routes {
  const parts = { create: echo, get: echo };
  const items = { list: listHandler, create: echo, get: echo, update: echo, delete: echo, parts };
  return restRoutes(
    { interface: content, endpoints, handlers: { core: { items } }, index: document },
    { onError: () => {}, ...options },
  );
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged; any other value is sent as JSON with its media type. */
  readonly json?: JsonValue;
  readonly body?: string | Uint8Array;
  readonly secure?: boolean;
}

export interface Received extends ServerAnswer {
  readonly json: never;
  header(name: string): string | undefined;
}

/** Sends `METHOD target` below `/en/api`. A target with two slashes at its start is sent as it is, with one of them. */
export async function send(routes: Routes, request: string, sent: Sent = {}): Promise<Received> {
  const [method = "", target = ""] = request.split(" ");
  const text = sent.json === undefined ? (sent.body ?? "") : JSON.stringify(sent.json);
  const json = sent.json === undefined ? {} : { "Content-Type": "application/json" };
  const answer = await routes.answer({
    method,
    target: target.startsWith("//") ? target.slice(1) : `/en/api${target}`,
    headers: Object.entries({ Host: "site.example", ...json, ...sent.headers }),
    body: typeof text === "string" ? new TextEncoder().encode(text) : text,
    signal: new AbortController().signal,
    secure: sent.secure ?? false,
  });
  if (answer === undefined) {
    throw new Error("The request is for others.");
  }
  const body =
    typeof answer.body === "string" && answer.body !== "" ? (JSON.parse(answer.body) as never) : (undefined as never);
  return {
    ...answer,
    json: body,
    header: (name) => answer.headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1],
  };
}
