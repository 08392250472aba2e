import type { Generated } from "@bothends/generator";

type Plan = NonNullable<Generated["plan"]>;
type InterfacePlan = Plan["interfaces"][number];
type SoapPlan = Extract<InterfacePlan, { kind: "soap" }>;
type RestPlan = Extract<InterfacePlan, { kind: "rest" }>;

/** A call to show, as code. */
interface Call {
  readonly path: readonly string[];
  /** An object literal, or undefined if the input is too large for an example. */
  readonly input: string | undefined;
}

/** The lines of a first program that calls an interface: import, client, call, output. */
export function firstCall(plan: Plan, address: string | undefined): readonly string[] {
  const [target] = plan.interfaces;
  const call = target === undefined ? undefined : target.kind === "soap" ? soapCall(target) : restCall(target);
  if (target === undefined || call === undefined) {
    return [];
  }
  const { client, folder } = target;
  const variable = client.charAt(0).toLowerCase() + client.slice(1);
  const option = target.kind === "soap" ? "baseUrl" : "siteUrl";
  const shown = address ?? (target.kind === "soap" ? serviceOrigin(target) : "https://site.example");
  const options = `{ ${option}: ${JSON.stringify(shown)} }`;
  return [
    `import { ${client} } from "${plan.packages.client.name}/${folder}";`,
    "",
    `const ${variable} = new ${client}(${options});`,
    `const answer = await ${variable}.${call.path.join(".")}(${call.input ?? "{ /* its members */ }"});`,
    "console.log(answer);",
  ];
}

/** The origin of the first address in the WSDL. */
function serviceOrigin({ services }: SoapPlan): string {
  const addresses = services.flatMap(({ service }) => service.ports.flatMap(({ address }) => address ?? []));
  const absolute = addresses.find((address) => URL.canParse(address));
  return absolute === undefined ? "http://127.0.0.1:8080" : new URL(absolute).origin;
}

/** The first operation whose input is small, otherwise the first one. */
function soapCall(plan: SoapPlan): Call | undefined {
  const calls = plan.services.flatMap(({ member, operations }) =>
    operations.map(({ operation, method }): Call => {
      const { body } = operation.input;
      const id = body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : undefined;
      return {
        path: plan.hasFacade ? [member, method] : [method],
        input: id === undefined ? "{}" : recordText(plan, id),
      };
    }),
  );
  return (
    calls.find(({ input }) => input !== undefined && input !== "{}") ??
    calls.find(({ input }) => input !== undefined) ??
    calls[0]
  );
}

type TypeDefinition = SoapPlan["interface"]["types"][number];
type RecordField = Extract<TypeDefinition, { kind: "record" }>["fields"][number];
type TypeReference = Extract<RecordField, { kind: "element" }>["type"];

const maxFields = 6;

function recordText(plan: SoapPlan, id: string): string | undefined {
  const type = plan.interface.types.find((each) => each.id === id);
  if (type?.kind !== "record" || type.abstract) {
    return undefined;
  }
  const members = type.fields.filter(isRequired).map((field) => {
    const value = "type" in field ? valueText(plan, field.type) : undefined;
    const isList = field.kind === "element" && field.max !== 1;
    return value === undefined ? undefined : `${keyText(field.key)}: ${isList ? `[${value}]` : value}`;
  });
  const known = members.filter((member) => member !== undefined);
  if (known.length !== members.length || known.length > maxFields) {
    return undefined;
  }
  return known.length === 0 ? "{}" : `{ ${known.join(", ")} }`;
}

function isRequired(field: RecordField): boolean {
  switch (field.kind) {
    case "element":
    case "group":
    case "any":
      return field.min > 0;
    case "attribute":
      return field.required;
    case "anyAttribute":
      return false;
    default:
      return true;
  }
}

/** An example of a simple value; undefined for all others. */
function valueText(plan: SoapPlan, reference: TypeReference): string | undefined {
  if (reference.kind === "builtin") {
    const examples: Readonly<Record<string, string>> = { string: '"…"', number: "1", bigint: "1n", boolean: "true" };
    return examples[plan.builtins.get(reference.name)?.value ?? ""];
  }
  const type = plan.interface.types.find((each) => each.id === reference.id);
  switch (type?.kind) {
    case "restriction":
      return valueText(plan, type.base);
    case "enumeration":
      return valueText(plan, type.base) === '"…"' ? JSON.stringify(type.values[0]?.text ?? "") : undefined;
    default:
      return undefined;
  }
}

/** The first list that needs no argument, otherwise the first endpoint. */
function restCall(plan: RestPlan): Call | undefined {
  const calls = plan.groups.flatMap(({ member, endpoints }) =>
    endpoints.map(({ endpoint, path }) => ({
      path: member === undefined ? path : [member, ...path],
      input: endpoint.args.some(({ required }) => required) ? undefined : "{}",
      isList: path.at(-1) === "list",
    })),
  );
  return (
    calls.find(({ input, isList }) => isList && input !== undefined) ??
    calls.find(({ input }) => input !== undefined) ??
    calls[0]
  );
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
