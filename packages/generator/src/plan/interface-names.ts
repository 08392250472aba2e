import type { Scope } from "./scope.js";
import { camel, pascal } from "./words.js";

export interface InterfaceNames {
  /** `vehicle`: what constants begin with. */
  readonly word: string;
  readonly client: string;
  readonly clientOptions: string;
  readonly handlers: string;
  readonly routes: string;
  readonly serverOptions: string;
}

/** The names of an interface's facade; `others` are suffixes of further constants that go with it. */
export function interfaceNames(name: string, scope: Scope, others: readonly string[]): InterfaceNames {
  const namesFor = (stem: string): InterfaceNames => ({
    word: camel(stem),
    client: `${stem}Client`,
    clientOptions: `${stem}ClientOptions`,
    handlers: `${stem}Handlers`,
    routes: `${camel(stem)}Routes`,
    serverOptions: `${stem}ServerOptions`,
  });
  const stem = scope.takeFor([pascal(name), `${pascal(name)}Interface`], (each) => {
    const { word, ...names } = namesFor(each);
    return [...Object.values(names), ...others.map((other) => `${word}${other}`)];
  });
  return namesFor(stem);
}
