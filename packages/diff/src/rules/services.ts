import { type Rule, toReadingCode, unknownNamesText } from "./rule.js";

/**
 * Rules about interfaces and services: their names, protocols, addresses, policies and settings. `Verdict` in `rule.ts`
 * explains the letters of verdicts.
 */
export const serviceRules = [
  {
    id: "interface-added",
    kind: "call",
    title: "An interface was added.",
    verdict: "N S N N",
    reason: "An old server does not contain the interface.",
    oppositeRule: "interface-removed",
  },
  {
    id: "interface-removed",
    kind: "call",
    title: "An interface was removed.",
    verdict: "B N B B",
    reason: "The new server and the new packages no longer contain the interface.",
    oppositeRule: "interface-added",
  },
  {
    id: "service-added",
    kind: "call",
    title: "A service was added.",
    verdict: "N S N B",
    variants: {
      second: { when: "the interface had only one service", verdict: "N S N N" },
      binding: {
        when: "no port uses the binding",
        title: "A binding without a port became a service without an address.",
        verdict: "N S N B",
      },
      secondBinding: {
        when: "no port uses the binding, and the interface had only one service",
        title: "A binding without a port became a service without an address.",
        verdict: "N S N N",
      },
    },
    reason: [
      "An old server does not contain the service.",
      toReadingCode("Existing handler code does not compile until it implements the service."),
    ],
    oppositeRule: "service-removed",
  },
  {
    id: "service-removed",
    kind: "call",
    title: "A service was removed.",
    verdict: "B N B B",
    variants: {
      binding: {
        when: "the service was a binding without a port",
        title: "A service that was a binding without a port was removed.",
        verdict: "B N B B",
      },
    },
    reason: "The new server no longer contains the service.",
    oppositeRule: "service-added",
  },
  {
    id: "service-split",
    kind: "call",
    title: "The ports of a service now belong to several services in generated code.",
    verdict: "N N S B",
    reason:
      "The ports now have different operations, or the WSDL declares them in several services. In generated code, each group of ports has its own class and handlers.",
    oppositeRule: "services-joined",
  },
  {
    id: "services-joined",
    kind: "call",
    title: "The ports of several services now belong to one service in generated code.",
    verdict: "N N B B",
    reason:
      "The ports now have the same operations, or the WSDL declares them in one service. In generated code, the ports share one class and one group of handlers.",
    oppositeRule: "service-split",
  },
  {
    id: "service-renamed",
    kind: "call",
    title: "The name of a service changed.",
    verdict: "N N N N",
    variants: { key: { when: "the interface has several services", verdict: "N N S N" } },
    reason:
      "Messages do not contain the names of services. If an interface has several services, the options `address` and `port` can contain the names; code with the old name no longer compiles. Changed names of classes are reported separately.",
  },
  {
    id: "name-in-code-changed",
    kind: "call",
    title: "A name in generated code changed.",
    verdict: "N N B B",
    variants: {
      kept: {
        when: "the old name also still exists in generated code",
        title: "A name was added to generated code, and the old name still exists",
        verdict: "N N N N",
      },
      split: {
        when: "methods of a REST endpoint moved to another endpoint of its route, and the other methods keep the old name",
        title:
          "Methods of an endpoint have another name in generated code. The compiler does not find calls of the old name with the option `method`; they throw a `ConfigError`",
        verdict: "N N S B",
      },
      leftToOther: {
        when: "another enumeration has the old name now",
        title: "The name of an enumeration changed in generated code, and another enumeration has the old name now",
        verdict: "N N S S",
      },
      lostToOther: {
        when: "the enumeration has no name any more, and another enumeration has the old name now",
        title: "An enumeration no longer has a name in generated code, and another enumeration has the old name now",
        verdict: "N N S S",
      },
      service: {
        when: "the name is that of a service in an interface with several services",
        title: "The member of clients and handlers for a service has another name",
        verdict: "N N B B",
      },
      access: {
        when: "the interface has one service instead of several, or the reverse",
        title: "The form of calls changed in generated code",
        verdict: "N N B N",
      },
      accessKept: {
        when: "the interface has several services instead of one, and the old client class still exists",
        title: "The form of calls changed in generated code, but the old client class still exists",
        verdict: "N N N N",
      },
      removed: {
        when: "no other name replaces the old one",
        title: "A name is no longer in generated code",
        verdict: "N N B B",
      },
      client: { when: "only the client package exports the name, such as a client class", verdict: "N N B N" },
      server: {
        when: "only the server package exports the name, such as a handlers type or a route function",
        verdict: "N N N B",
      },
    },
    reason:
      "Messages do not contain names of generated code. Code that uses the old name no longer compiles, unless the name still exists.",
  },
  {
    id: "package-renamed",
    kind: "call",
    title: "The name of a package changed.",
    verdict: "N N B B",
    variants: {
      client: { when: "it is the package of the client", verdict: "N N B N" },
      server: { when: "it is the package of the server", verdict: "N N N B" },
      contract: { when: "it is the package of the contract", verdict: "N N S S" },
    },
    reason:
      "Imports contain the name of the package in `bothends.json`. Code needs to import the package of the contract only if it uses neither the client nor the server.",
  },
  {
    id: "package-added",
    kind: "call",
    title: "A package was added.",
    verdict: "N N N N",
    reason: "No code imports the package yet.",
    oppositeRule: "package-removed",
  },
  {
    id: "package-removed",
    kind: "call",
    title: "A package is no longer generated.",
    verdict: "N N B B",
    variants: {
      client: { when: "it is the package of the client", verdict: "N N B N" },
      server: { when: "it is the package of the server", verdict: "N N N B" },
    },
    reason: "Code that imports the package no longer compiles.",
    oppositeRule: "package-added",
  },
  {
    id: "protocol-added",
    kind: "call",
    title: "A protocol was added.",
    verdict: "N S N N",
    reason:
      "An old server does not understand the protocol. Clients that choose it are affected. If the default protocol changed as well, this is reported separately.",
    oppositeRule: "protocol-removed",
  },
  {
    id: "protocol-removed",
    kind: "call",
    title: "A protocol was removed.",
    verdict: "S N S N",
    variants: { last: { when: "the service keeps none of its protocols", verdict: "B N B N" } },
    reason:
      "The new server does not understand the protocol. Clients that choose it are affected. Code that chooses it with the option `protocol` compiles, but throws a `ConfigError` when it runs. If the default protocol changed as well, this is reported separately.",
    oppositeRule: "protocol-added",
  },
  {
    id: "default-protocol-changed",
    kind: "call",
    title: "The default protocol changed.",
    verdict: "N N S N",
    variants: {
      removed: {
        when: "the new version does not have the old default protocol",
        title: "The default protocol changed, and the new version does not have the old one.",
        verdict: "B N S N",
      },
      unknown: {
        when: "the old version does not have the new default protocol",
        title: "The default protocol changed, and the old version does not have the new one.",
        verdict: "N B S N",
      },
      replaced: {
        when: "each version has only its own default protocol",
        title: "The default protocol changed, and each version has only its own.",
        verdict: "B B S N",
      },
    },
    reason:
      "Clients without the option `protocol` call an operation in the protocol of the first port that has the operation. Clients that choose a protocol are not affected. Callers are affected only if HTTP replaces SOAP: calls with header blocks then throw a `ConfigError`, and errors are not SOAP faults.",
  },
  {
    id: "soap-version-changed",
    kind: "call",
    title: "The version of SOAP changed.",
    verdict: "B B S N",
    reason: "The versions have different envelopes and media types.",
  },
  {
    id: "address-path-changed",
    kind: "call",
    title: "The path of an address changed.",
    verdict: "B B N N",
    variants: {
      kept: { when: "the new service also has the old path, at another port", verdict: "N B N N" },
      known: { when: "the old service also had the new path, at another port", verdict: "B N N N" },
      exchanged: { when: "other ports have the old and the new path in the other version", verdict: "N N N N" },
      query: {
        when: "only the query of the address changed, which generated servers ignore",
        title: "The query of an address changed.",
        verdict: "T T N N",
      },
    },
    reason:
      "Clients that choose no port by name use the first port of their protocol. A generated server answers the calls of all its protocols at the path of each protocol's first port, and at no other path. Clients that use other ports are not affected.",
  },
  {
    id: "address-added",
    kind: "call",
    title: "A port now has an address.",
    verdict: "S B S N",
    variants: {
      other: { when: "another port of the service has the same address", verdict: "N N N N" },
      port: {
        when: "the service was a binding without a port",
        title: "A binding without a port now has a port with an address.",
        verdict: "S B S N",
      },
    },
    reason:
      "Without an address in the WSDL, the path of a service is the name of the service. Code that sets `baseUrl` now sets only the beginning of the address.",
    oppositeRule: "address-removed",
  },
  {
    id: "address-removed",
    kind: "call",
    title: "A port no longer has an address.",
    verdict: "B S B N",
    variants: {
      other: { when: "another port of the service has the same address", verdict: "N N N N" },
      port: {
        when: "the service is now a binding without a port",
        title: "A port was removed, so its binding became a service without an address.",
        verdict: "B S B N",
      },
    },
    reason:
      "Without an address in the WSDL, the path of a service is the name of the service. Clients must set `address` or `baseUrl`, or call the address of another port.",
    oppositeRule: "address-added",
  },
  {
    id: "address-host-changed",
    kind: "call",
    title: "The host of an address changed.",
    verdict: "T T N N",
    reason: "The host usually depends on the deployment. Clients that use the address in the WSDL call the new host.",
  },
  {
    id: "client-options-became-required",
    kind: "call",
    title: "Clients can no longer be created without options, because a service has no address.",
    verdict: "N N S N",
    reason:
      "Code that creates a client without options no longer compiles. This also applies to the clients of the other services of the interface.",
    oppositeRule: "client-options-became-optional",
  },
  {
    id: "client-options-became-optional",
    kind: "call",
    title: "Clients can now be created without options, because every service has an address.",
    verdict: "N N N N",
    reason: "Code that creates clients with options still compiles.",
    oppositeRule: "client-options-became-required",
  },
  {
    id: "service-namespace-changed",
    kind: "call",
    title: "The target namespace of a WSDL changed.",
    verdict: "N N N N",
    reason:
      "Messages do not contain the target namespace. Elements that move to the new namespace are reported separately.",
  },
  {
    id: "namespace-changed",
    kind: "call",
    title: "A namespace was replaced with another namespace.",
    verdict: "B B N N",
    variants: {
      qualified: {
        when: "the elements that a file declares now have their namespace",
        title: "The elements of a schema now have its namespace.",
        verdict: "B B N N",
      },
      unqualified: {
        when: "the elements that a file declares no longer have their namespace",
        title: "The elements of a schema no longer have its namespace.",
        verdict: "B B N N",
      },
    },
    reason:
      "The namespace is part of each name in messages, and a peer of the other version does not know the names. The consequences for clients are the worst among the changed names. Names inside an element whose name changed do not count.",
    strictPeers: unknownNamesText,
  },
  {
    id: "ambient-added",
    kind: "call",
    title: "An argument became an option of the client.",
    verdict: "N N N N",
    variants: {
      input: { when: "calls could omit the input, because all its members are optional", verdict: "N N S S" },
    },
    reason:
      "Calls may omit the argument, because the client then sends the value of the option. The type of the input then depends on the options of the client, so a call needs an input, even if it is `{}`.",
    oppositeRule: "ambient-removed",
  },
  {
    id: "ambient-removed",
    kind: "call",
    title: "An argument is no longer an option of the client.",
    verdict: "N N B S",
    reason:
      "Every call must pass the argument. Handlers find it in the input, but no longer in the member `ambient` of their second parameter: code that reads it there compiles, and gets undefined.",
    oppositeRule: "ambient-added",
  },
  {
    id: "conventions-changed",
    kind: "call",
    title: "The conventions that servers follow changed.",
    verdict: "T T N N",
    reason: "The conventions determine the statuses and messages of errors.",
  },
  {
    id: "documentation-changed",
    kind: "call",
    title: "The documentation changed.",
    verdict: "N N N N",
    reason: "Documentation affects neither messages nor code.",
  },
  {
    id: "address-scheme-changed",
    kind: "call",
    title: "The scheme of an address changed.",
    verdict: "S S N N",
    reason: "Clients that use the address in the WSDL send requests with the new scheme.",
    undecided: "whether a server still accepts the other scheme depends on its deployment",
  },
  {
    id: "port-added",
    kind: "call",
    title: "A service gained a port.",
    verdict: "N N N N",
    reason:
      "Existing clients do not know the name of the port. If the port is now the first one of its protocol and its address is different, the changed address is reported separately.",
    oppositeRule: "port-removed",
  },
  {
    id: "port-removed",
    kind: "call",
    title: "A service lost a port.",
    verdict: "N N S N",
    reason:
      "Code that chooses the port by its name throws a `ConfigError`. If the port was the first one of its protocol and the next one has a different address, the changed address is reported separately.",
    oppositeRule: "port-added",
  },
  {
    id: "port-renamed",
    kind: "call",
    title: "The name of a port changed.",
    verdict: "N N S N",
    reason: "Code that chooses the port by its old name throws a `ConfigError`.",
  },
  {
    id: "policy-added",
    kind: "call",
    title: "A port has additional policy assertions.",
    verdict: "S N N N",
    reason:
      "Generated code does not apply policies. A server that enforces a policy refuses requests that do not conform to it.",
    undecided: "the WSDL does not say whether the server enforces the policy",
    oppositeRule: "policy-removed",
  },
  {
    id: "policy-removed",
    kind: "call",
    title: "A port has fewer policy assertions.",
    verdict: "N S N N",
    reason:
      "Generated code does not apply policies. A server that enforces a policy refuses requests that do not conform to it.",
    undecided: "the WSDL does not say whether the old server enforces the policy",
    oppositeRule: "policy-added",
  },
  {
    id: "policy-changed",
    kind: "call",
    title: "The policy assertions of a port changed.",
    verdict: "S S N N",
    reason:
      "Generated code does not apply policies. A server that enforces a policy refuses requests that do not conform to it.",
    undecided: "the WSDL does not say whether the servers enforce the policies",
  },
  {
    id: "wire-name-added",
    kind: "call",
    title: "A name in messages can now be set with the option `wireNames`.",
    verdict: "N N N N",
    reason: "Clients and servers may set the name at run time.",
    oppositeRule: "wire-name-removed",
  },
  {
    id: "wire-name-removed",
    kind: "call",
    title: "A name in messages can no longer be set with the option `wireNames`.",
    verdict: "N N S S",
    reason: "Code that sets the name with the option `wireNames` no longer compiles.",
    oppositeRule: "wire-name-added",
  },
  {
    id: "tolerance-changed",
    kind: "call",
    title: "The setting `tolerate` changed: clients accept different deviations from the schema.",
    verdict: "N S S S",
    variants: {
      gained: { when: "clients accept additional deviations", verdict: "N N S S" },
      lost: { when: "clients no longer accept some deviations", verdict: "N S S S" },
    },
    reason:
      "Only clients use the setting: a client refuses an answer with a deviation that it does not accept. With `enumeration`, `nil` and `empty`, the generated types of answers include the accepted values: callers must expect values that were added, handlers may no longer return values that were removed, and code of handlers that lists every value of an enumeration, such as a `switch`, no longer lists those that were added.",
    undecided: "only answers that deviate from the schema are affected",
  },
] as const satisfies readonly Rule[];
