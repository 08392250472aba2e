import type { Service } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { fileWord } from "./file-word.js";
import { entryNames } from "./interface-names.js";
import type { Overrides } from "./overrides.js";
import type { OperationPlan, ServicePlan } from "./plan.js";
import { reservedMembers } from "./reserved.js";
import { Scope } from "./scope.js";
import { camel, pascal } from "./words.js";

type Names = Omit<ServicePlan, "operations">;

/** Files, classes and constants of each service. A service is called as its WSDL file, if that has no other. */
export function nameServices(services: readonly Service[], scope: Scope): readonly Names[] {
  const files = new Scope();
  const members = new Scope(reservedMembers);
  const perFile = new Map<string, number>();
  for (const { file } of services) perFile.set(file, (perFile.get(file) ?? 0) + 1);
  return services.map((service) => {
    const file = files.take(fileWord(perFile.get(service.file) === 1 ? service.file : service.name));
    const member = members.take(camel(file));
    const stem = scope.takeFor([pascal(file), `${pascal(file)}Service`], (word) => Object.values(namesOf(word)));
    return { service, file, member, ...namesOf(stem) };
  });
}

function namesOf(stem: string): Pick<Names, "constant" | "client" | "handlers" | "routes" | "wsdl"> {
  const word = camel(stem);
  return { constant: word, ...entryNames(stem), wsdl: `${word}Wsdl` };
}

export interface OperationNaming {
  readonly scope: Scope;
  readonly overrides: Overrides;
  readonly diagnostics: Diagnostics;
}

/** Methods and constants of a service's operations. */
export function nameOperations(service: Names, naming: OperationNaming): readonly OperationPlan[] {
  const methods = new Scope(reservedMembers);
  const owners = new Map<string, string>();
  return service.service.operations.map((operation) => {
    const chosen = naming.overrides.find(operation.name, methods);
    const wish = chosen ?? camel(operation.name);
    const overload = operation.overload > 1 ? `${wish}${operation.overload}` : wish;
    const owner = owners.get(wish);
    const method = owner === undefined ? methods.take(overload, `${overload}Operation`) : methods.take(overload);
    owners.set(wish, owner ?? operation.name);
    if (owner !== undefined && owner !== operation.name) {
      naming.diagnostics.warning("NAM002", operation.span, {
        message: `The operation ${JSON.stringify(operation.name)} is called ${method}, because ${JSON.stringify(owner)} is ${wish}.`,
        help: `Name it under "names" in bothends.json, by ${JSON.stringify(operation.name)}.`,
      });
    }
    const constant = naming.scope.take(method, `${service.constant}${pascal(method)}`);
    return { operation, method, constant };
  });
}
