import type {
  BuiltinName,
  Endpoint,
  Fault,
  Operation,
  Service,
  SoapInterface,
  TypeDefinition,
  TypeReference,
} from "../model/index.js";
import { findEnumerationLiterals } from "./enumeration-literals.js";
import type { BranchPlan, InterfacePlan, RestPlan, SharedEnumeration, SoapPlan } from "./plan-model.js";

/** A name that generated packages export, and from which programs import it. */
export interface ExportedName {
  readonly name: string;
  /**
   * The entries that export the name: the main entries of the client and the server, and the client's entry with the
   * descriptors.
   */
  readonly entries: readonly ("client" | "operations" | "server")[];
  /** The declaration after which the name is chosen; undefined if it is the interface. */
  readonly declaration: NamedDeclaration | undefined;
}

/** A declaration of the sources from which an exported name is derived. */
export type NamedDeclaration =
  | { readonly kind: "type"; readonly type: TypeDefinition }
  | { readonly kind: "builtin"; readonly builtin: BuiltinName }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "service"; readonly service: Service }
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "endpoints"; readonly endpoints: readonly Endpoint[] }
  | { readonly kind: "answer"; readonly id: string }
  | { readonly kind: "enumeration"; readonly enumeration: SharedEnumeration };

const both = ["client", "server"] as const;

/** Lists the names of an interface that user code can import from the generated packages. */
export function listExportedNames(plan: InterfacePlan): readonly ExportedName[] {
  const names: readonly ExportedName[] = [
    { name: plan.client, entries: ["client"], declaration: undefined },
    { name: plan.clientOptions, entries: ["client"], declaration: undefined },
    { name: plan.handlers, entries: ["server"], declaration: undefined },
    { name: plan.routes, entries: ["server"], declaration: undefined },
    { name: plan.serverOptions, entries: ["server"], declaration: undefined },
    ...(plan.kind === "soap" ? listNamesOfSoap(plan) : listNamesOfRest(plan)),
  ];
  // With a single service, the interface and the service have the same names.
  return [...new Map(names.map((exported) => [`${exported.name} ${exported.entries.join()}`, exported])).values()];
}

function listNamesOfSoap(plan: SoapPlan): readonly ExportedName[] {
  return [
    { name: plan.settings, entries: ["operations"], declaration: undefined },
    ...plan.services.flatMap(({ service, client, handlers, routes, constant, operations }): readonly ExportedName[] => {
      const declaration = { kind: "service", service } as const;
      return [
        { name: client, entries: ["client"], declaration },
        { name: handlers, entries: ["server"], declaration },
        { name: routes, entries: ["server"], declaration },
        { name: constant, entries: ["operations"], declaration },
        ...operations.map(
          ({ constant: name, operation }): ExportedName => ({
            name,
            entries: ["operations"],
            declaration: { kind: "operation", operation },
          }),
        ),
      ];
    }),
    ...listNamesOfTypes(plan),
    ...plan.faults.map(
      ({ name, fault }): ExportedName => ({ name, entries: both, declaration: { kind: "fault", fault } }),
    ),
  ];
}

function listNamesOfTypes(plan: SoapPlan): readonly ExportedName[] {
  const definitions = new Map(plan.interface.types.map((type) => [type.id, type]));
  const planned = { plan, definitions };
  const names = plan.interface.types.flatMap((type): readonly ExportedName[] => {
    const typePlan = plan.types.get(type.id);
    if (typePlan === undefined || !typePlan.isDeclared || typePlan.isInline) {
      return [];
    }
    const declaration = { kind: "type", type } as const;
    const hasValues =
      type.kind === "enumeration" &&
      typePlan.mapping === undefined &&
      type.exact === undefined &&
      findEnumerationLiterals(type, planned) !== undefined;
    return [
      { name: typePlan.name, entries: both, declaration },
      ...(hasValues ? [{ name: typePlan.values, entries: both, declaration }] : []),
    ];
  });
  const aliases = [...listUsedBuiltins(plan)].flatMap((builtin): readonly ExportedName[] => {
    const alias = plan.builtins.get(builtin)?.alias;
    return alias === undefined ? [] : [{ name: alias, entries: both, declaration: { kind: "builtin", builtin } }];
  });
  return [...names, ...aliases];
}

/** Returns the built-in types that printed types contain, without those of types that `typeMap` maps. */
function listUsedBuiltins({ interface: soap, types }: SoapPlan): ReadonlySet<BuiltinName> {
  const references = [
    ...listReferencesOfMessages(soap),
    ...soap.types.flatMap((type) => {
      const typePlan = types.get(type.id);
      const isPrinted = typePlan?.mapping === undefined && typePlan?.represented === undefined;
      return isPrinted ? listPrintedReferences(type) : [];
    }),
  ];
  return new Set(references.flatMap((reference) => (reference.kind === "builtin" ? [reference.name] : [])));
}

function listReferencesOfMessages({ services }: SoapInterface): readonly TypeReference[] {
  return services.flatMap(({ operations }) =>
    operations.flatMap(({ input, output, faults }) => [
      ...[input.body, ...(output === undefined ? [] : [output.body])].flatMap((body) =>
        body.kind === "element" ? [body.type] : [],
      ),
      ...faults.map(({ type }) => type),
    ]),
  );
}

function listPrintedReferences(type: TypeDefinition): readonly TypeReference[] {
  switch (type.kind) {
    case "record":
      return type.fields.flatMap((field) => ("type" in field ? [field.type] : []));
    case "array":
    case "list":
      return [type.item];
    case "union":
      return type.members;
    case "restriction":
    case "enumeration":
      return [type.base];
    case "polymorphic":
      return [];
  }
}

function listNamesOfRest(plan: RestPlan): readonly ExportedName[] {
  const { interface: rest, answers, groups } = plan;
  const listOf = (endpoints: readonly { readonly endpoint: Endpoint }[]) =>
    ({ kind: "endpoints", endpoints: endpoints.map(({ endpoint }) => endpoint) }) as const;
  return [
    { name: plan.index, entries: ["server"], declaration: undefined },
    { name: plan.constant, entries: ["operations"], declaration: undefined },
    { name: plan.endpointsConstant, entries: ["operations"], declaration: undefined },
    ...(rest.answers.length === 0
      ? []
      : [{ name: plan.answerSchemas, entries: ["operations"], declaration: undefined } as const]),
    { name: plan.tree.name, entries: both, declaration: undefined },
    ...groups.flatMap(({ member, client, handlers, endpoints, endpointsConstant, tree }): readonly ExportedName[] => [
      ...(member === undefined
        ? []
        : ([
            { name: client, entries: ["client"], declaration: listOf(endpoints) },
            { name: handlers, entries: ["server"], declaration: listOf(endpoints) },
            { name: endpointsConstant, entries: ["operations"], declaration: listOf(endpoints) },
            ...listNamesOfBranch(tree),
          ] as const)),
      ...endpoints.flatMap((endpoint): readonly ExportedName[] => [
        { name: endpoint.input, entries: both, declaration: listOf([endpoint]) },
        { name: endpoint.constant, entries: ["operations"], declaration: listOf([endpoint]) },
      ]),
    ]),
    ...[...plan.enumerations.values()].map(
      (enumeration): ExportedName => ({
        name: enumeration.name,
        entries: both,
        declaration: { kind: "enumeration", enumeration },
      }),
    ),
    ...[...answers.objects].flatMap(([id, { types, contexts }]) =>
      [...types.map(({ name }) => name), ...(contexts === undefined ? [] : [contexts.name])].map(
        (name): ExportedName => ({ name, entries: both, declaration: { kind: "answer", id } }),
      ),
    ),
    ...(answers.embedded === undefined || rest.answers.length === 0
      ? []
      : [{ name: answers.embedded.name, entries: both, declaration: undefined }]),
  ];
}

function listNamesOfBranch({ name, endpoints, branches }: BranchPlan): readonly ExportedName[] {
  const listEndpoints = (branch: BranchPlan): readonly Endpoint[] => [
    ...branch.endpoints.map(({ endpoint }) => endpoint.endpoint),
    ...branch.branches.flatMap((child) => listEndpoints(child.branch)),
  ];
  const children = branches.flatMap(({ branch }) => listEndpoints(branch));
  const ownEndpoints = endpoints.map(({ endpoint }) => endpoint.endpoint);
  return [
    { name, entries: both, declaration: { kind: "endpoints", endpoints: [...ownEndpoints, ...children] } },
    ...branches.flatMap(({ branch }) => listNamesOfBranch(branch)),
  ];
}
