// Finds options that have no effect where they are set, because they belong to another function. With
// `listen(routes, { authorize })`, for example, a server answers everybody.

/** The names of options, by the functions in whose options they have an effect. */
const optionGroups = {
  routes: [
    ...["wireNames", "limits", "validate", "authenticate", "authorize", "use", "allowOrigin", "cors", "onError"],
    ...["page", "missing"],
  ],
  soapRoutes: ["path", "publicUrl", "understands", "illegalCharacters"],
  restRoutes: [
    ...["name", "description", "url", "home", "gmt_offset", "timezone_string", "base", "plainPermalinks"],
    ...["verifyNonce", "jsonp", "conventions", "invalidAnswers"],
  ],
  server: ["limits", "onError", "onCall", "observe", "requestIds", "compressedRequests", "trustedProxies", "page"],
  listen: ["port", "host", "path", "writableAll", "tls", "http2", "drainDelay"],
  web: ["compress", "remoteAddress"],
  framework: ["handleOptions"],
} as const satisfies Record<string, readonly string[]>;

type OptionGroup = keyof typeof optionGroups;

/** Completes the sentence "It is an option of …". */
const placesInMessages: Readonly<Record<OptionGroup, string>> = {
  routes: "routes: pass it to the function that creates them",
  soapRoutes: "SOAP routes: pass it to the function that creates them",
  restRoutes: "REST routes: pass it to the function that creates them",
  server: "the server: pass it to listen, or to the adapter",
  listen: "listen",
  web: "webHandler, webMiddleware and lambdaHandler",
  framework: "fastifyPlugin and webMiddleware",
};

/** The options with which routes or a server were created. */
export interface PlacedOptions {
  readonly owner: "SOAP routes" | "REST routes" | "the server";
  readonly groups: readonly OptionGroup[];
  readonly options: object;
}

/** The names of all server options. */
export const optionNames: readonly string[] = [...new Set(Object.values(optionGroups).flat())];

/**
 * Describes options of a server or of its routes that have no effect there. Programs may pass one object to the server
 * and to its routes: an option is omitted if it is also set where it has an effect.
 */
export function describeMisplacedOptions(places: readonly PlacedOptions[]): string[] {
  const effectiveNames = new Set(
    places.flatMap(({ groups, options }) =>
      listSetNames(options).filter((name) => groups.some((group) => isInGroup(name, group))),
    ),
  );
  const messages = places.flatMap(({ owner, options }) =>
    listSetNames(options)
      .filter((name) => optionNames.includes(name) && !effectiveNames.has(name))
      .map(
        (name) =>
          `The option "${name}" has no effect in the options of ${owner}. It is an option of ${findPlace(name)}.`,
      ),
  );
  return [...new Set(messages)];
}

function listSetNames(options: object): string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function isInGroup(name: string, group: OptionGroup): boolean {
  return optionGroups[group].some((member) => member === name);
}

function findPlace(name: string): string {
  const groups = (Object.keys(optionGroups) as OptionGroup[]).filter((group) => isInGroup(name, group));
  return groups.map((group) => placesInMessages[group]).join(", and of ");
}
