import type { Contract, Endpoint, Operation, SoapInterface } from "@bothends/generator";
import type { JobProblem } from "./job.js";
import type { SourceBinding } from "./wsdl-source.js";

/** What the bindings of a source have, and the contract does not. */
export function droppedOperations(bindings: readonly SourceBinding[], contract: Contract): readonly JobProblem[] {
  const soap = contract.interfaces.filter((one): one is SoapInterface => one.kind === "soap");
  const operations = soap.flatMap(({ services }) => services.map((service) => service.operations));
  return bindings.flatMap((binding) => {
    const missing = [...binding.operations].filter(([name, count]) => mostOf(name, binding, operations) < count);
    return missing.map(([name]) => ({
      kind: "dropped.operation",
      text: `Operation "${name}" of binding "${binding.name}" (${binding.protocol}) was dropped.`,
    }));
  });
}

/** How many operations of a name one service has in the protocol of a binding. */
function mostOf(name: string, { protocol }: SourceBinding, services: readonly (readonly Operation[])[]): number {
  const counts = services.map(
    (operations) => operations.filter((one) => one.name === name && one.bindings[protocol] !== undefined).length,
  );
  return Math.max(0, ...counts);
}

/** What an index lists, and the contract cannot call. */
export function droppedEndpoints(index: unknown, contract: Contract): readonly JobProblem[] {
  const endpoints = contract.interfaces.flatMap((one) => (one.kind === "rest" ? one.endpoints : []));
  const callable = new Set(endpoints.flatMap(({ route, methods }) => methods.map((method) => `${method} ${route}`)));
  const dropped = endpointsOf(index).filter((endpoint) => !callable.has(endpoint));
  return [
    ...dropped.map((endpoint) => ({ kind: "dropped.endpoint", text: `Endpoint ${endpoint} was dropped.` })),
    ...sharedNames(endpoints),
  ];
}

function endpointsOf(index: unknown): readonly string[] {
  const routes = member(index, "routes") ?? index;
  if (typeof routes !== "object" || routes === null) return [];
  return Object.entries(routes).flatMap(([route, value]: [string, unknown]) => {
    const endpoints = member(value, "endpoints");
    const methods = Array.isArray(endpoints) ? endpoints.flatMap((one) => member(one, "methods")) : [];
    return methods.filter((method) => typeof method === "string").map((method) => `${method} ${route}`);
  });
}

function sharedNames(endpoints: readonly Endpoint[]): readonly JobProblem[] {
  const names = endpoints.map(({ operation }) => operation.join("."));
  return names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => ({ kind: "shared.name", text: `Two endpoints are called ${name}.` }));
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
