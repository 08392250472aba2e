import type {
  EndpointDescriptor,
  OperationDescriptor,
  RecordDescriptor,
  RestInterfaceDescriptor,
  ServiceDescriptor,
} from "@bothends/runtime";
import { ServiceClient } from "@bothends/runtime/client";
import type { CallObserver } from "@bothends/runtime/observe";
import { type Routes, restRoutes, soapRoutes } from "@bothends/runtime/server";
import * as xs from "@bothends/runtime/xs";

const namespace = "urn:echo";

interface Text {
  Text: string;
}
const text: RecordDescriptor<Text> = {
  kind: "record",
  name: `{${namespace}}Text`,
  namespace,
  fields: { Text: { type: xs.string } },
};

const service: ServiceDescriptor = {
  descriptorFormat: 2,
  name: "Echo",
  namespace,
  ports: { soap11: { name: "EchoSoap", address: "http://echo.example/echo" } },
};

/** An operation that answers with a text. */
const echo: OperationDescriptor<Text, string> = {
  kind: "operation",
  service,
  name: "Echo",
  input: { body: { element: `{${namespace}}Echo`, type: () => text } },
  output: { body: { element: `{${namespace}}EchoResponse`, type: () => text }, result: "Text" },
  bindings: { soap11: { action: `${namespace}/Echo` } },
};

export function soapRoutesOf(handler: () => unknown): Routes {
  return soapRoutes({ service, operations: { echo }, handlers: { echo: handler } });
}

export function soapClientOf(
  baseUrl: string,
  observe: CallObserver,
  name: string = service.name,
): (text: string) => Promise<string> {
  const namedService = { ...service, name };
  const client = new ServiceClient(namedService, { baseUrl, observe });
  return (value) => client.call({ ...echo, service: namedService }, { Text: value });
}

export const shop: RestInterfaceDescriptor = { descriptorFormat: 2, name: "shop", base: "/wp-json" };
export const getItem: EndpointDescriptor<{ id: number }> = {
  kind: "endpoint",
  interface: shop,
  name: "items.get",
  route: "/v1/items/(?P<id>[\\d]+)",
  path: ["/v1/items/", { variable: "id", pattern: "[\\d]+" }],
  methods: ["GET"],
  args: { id: { type: "integer" } },
};

export function restRoutesOf(): Routes {
  const endpoints = [{ methods: ["GET"], args: { id: { type: "integer" } } }];
  return restRoutes({
    interface: shop,
    endpoints: [getItem],
    handlers: { items: { get: ({ id }: { readonly id: number }) => ({ id }) } },
    index: { namespaces: ["v1"], routes: { [getItem.route]: { namespace: "v1", methods: ["GET"], endpoints } } },
  });
}
