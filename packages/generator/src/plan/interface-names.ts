import type { Scope } from "./scope.js";
import { camel, pascal } from "./words.js";

/** The names of the class, the handlers and the routes of an interface or a service. */
export interface EntryNames {
  readonly client: string;
  readonly handlers: string;
  readonly routes: string;
}

/** The names of what an interface has once, however many services it has. */
export interface SharedNames {
  /** What its constants begin with: `vehicle`. */
  readonly word: string;
  readonly clientOptions: string;
  readonly serverOptions: string;
}

export function entryNames(stem: string): EntryNames {
  return { client: `${stem}Client`, handlers: `${stem}Handlers`, routes: `${camel(stem)}Routes` };
}

/** The names of a facade over several services. A service that is called as the interface keeps its names. */
export function facadeNames(interfaceName: string, scope: Scope): EntryNames {
  const stem = pascal(interfaceName);
  return entryNames(
    scope.takeFor([stem, `${stem}Services`, `${stem}Interface`], (wish) => Object.values(entryNames(wish))),
  );
}

/** The names of the options and of the constants whose suffixes are given: `Facts` for `vehicleFacts`. */
export function sharedNames(interfaceName: string, scope: Scope, suffixes: readonly string[]): SharedNames {
  const stem = pascal(interfaceName);
  const chosen = scope.takeFor([stem, `${stem}Interface`], (wish) => {
    const { word, ...names } = sharedNamesOf(wish);
    return [...Object.values(names), ...suffixes.map((suffix) => `${word}${suffix}`)];
  });
  return sharedNamesOf(chosen);
}

function sharedNamesOf(stem: string): SharedNames {
  return { word: camel(stem), clientOptions: `${stem}ClientOptions`, serverOptions: `${stem}ServerOptions` };
}
