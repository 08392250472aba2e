import type { JsonType, Method } from "../../model/rest.js";
import type {
  AnswerDefinition,
  AnswerProperty,
  AnswerSchema,
  Endpoint as IndexEndpoint,
  Route,
} from "../../read/rest/documents.js";
import {
  type EndpointGroup,
  type EndpointPath,
  endsInVariable,
  listSegments,
  listStaticSegments,
  type Segment,
  toCamelWord,
} from "./endpoint-paths.js";

// Conventions of WordPress's REST API that an index does not contain. The comments refer to the functions and constants
// of WordPress.

/**
 * Members of the index that describe the site (`WP_REST_Server::get_index`). A generated server sets these members when
 * it answers.
 */
export const siteMembers: ReadonlySet<string> = new Set([
  "name",
  "description",
  "url",
  "home",
  "gmt_offset",
  "timezone_string",
]);

/** Arguments of collection endpoints (`WP_REST_Controller::get_collection_params`). */
const collectionArguments = ["page", "per_page", "offset"];

/**
 * The argument of `delete_item` that deletes an object instead of moving it to the trash (`WP_REST_Posts_Controller`).
 */
const forceArgument = "force";

const allMethods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Returns the verb for an endpoint, named after the methods of `WP_REST_Controller`: `list` for `get_items`, `get` for
 * `get_item`, `create`, `update`, `delete`, and `index` for the index of a namespace. An endpoint with several methods
 * gets the verb of its first method, and one with `WP_REST_Server::ALLMETHODS` gets `call`.
 */
export function chooseVerb(methods: readonly Method[], segments: readonly Segment[]): string {
  const isItem = endsInVariable(segments);
  if (allMethods.every((method) => methods.includes(method))) {
    return "call";
  }
  switch (methods[0]) {
    case "GET":
      if (segments.length === 0) {
        return "index";
      }
      return isItem ? "get" : "list";
    case "DELETE":
      return "delete";
    case "POST":
      return isItem || acceptsUpdates(methods) ? "update" : "create";
    default:
      return "update";
  }
}

/** Whether a route accepts PUT or PATCH: only routes for updates do (`WP_REST_Server::EDITABLE`, not `CREATABLE`). */
function acceptsUpdates(methods: Iterable<Method>): boolean {
  return [...methods].some((method) => method === "PUT" || method === "PATCH");
}

/** The argument that lists the ids of objects, at endpoints that change several objects. */
const idsArgument = "ids";

/** Whether an endpoint accepts an argument that only collections have, such as `page`. */
export function isCollection(endpoint: IndexEndpoint): boolean {
  return collectionArguments.some((name) => hasArgument(endpoint, name));
}

/**
 * Whether a route is for a single object, such as the settings or a cart, instead of a collection. A route with items,
 * or with the arguments of a collection, is for a collection. A route that accepts GET, PUT or PATCH is for a single
 * object if its last segment is not a plural. A route that accepts only POST is for a single object only if its last
 * segment is a word such as `settings`.
 */
export function isSingleObject(route: Route, collections: ReadonlySet<string>): boolean {
  const lastSegment = listStaticSegments(listSegments(route.path)).at(-1);
  if (lastSegment === undefined || collections.has(route.key) || route.endpoints.some(isCollection)) {
    return false;
  }
  const methods = route.endpoints.flatMap((endpoint) => endpoint.methods);
  return acceptsUpdates(methods) || (methods.includes("GET") ? !isPlural(lastSegment) : namesSingleObject(lastSegment));
}

/**
 * Returns the type of an endpoint's answer, given that `definition` describes the resource of its route: the resource,
 * a list of resources, or the answer to a deletion. Returns undefined if the type is not certain. For example, `GET
 * /wp/v2/types` answers with a map of resources.
 */
export function findAnswerType(
  object: JsonType,
  {
    endpoint,
    route,
    ...context
  }: {
    readonly definition: AnswerDefinition;
    readonly endpoint: IndexEndpoint;
    readonly route: Route;
    readonly collections: ReadonlySet<string>;
  },
): JsonType | undefined {
  const { methods } = endpoint;
  const { types } = context.definition.schema;
  const isRead = methods.every((method) => method === "GET");
  if (types !== undefined && !types.includes("object")) {
    return isRead ? object : undefined;
  }
  if (isRead) {
    return readAnswer(object, { endpoint, route, collections: context.collections });
  }
  if (methods.every((method) => method === "DELETE")) {
    return hasArgument(endpoint, forceArgument)
      ? { kind: "union", members: [object, createDeletedObject(object)] }
      : undefined;
  }
  return methods.every((method) => method === "POST" || method === "PUT" || method === "PATCH") ? object : undefined;
}

function readAnswer(
  object: JsonType,
  {
    endpoint,
    route,
    collections,
  }: { readonly endpoint: IndexEndpoint; readonly route: Route; readonly collections: ReadonlySet<string> },
): JsonType | undefined {
  const list: JsonType = { kind: "array", items: object };
  if (isCollection(endpoint)) {
    return list;
  }
  const methods = new Set(route.endpoints.flatMap((other) => other.methods));
  const isUpdatable = acceptsUpdates(methods);
  if (endsInVariable(listSegments(route.path))) {
    return isUpdatable || !collections.has(route.key) ? object : undefined;
  }
  if (isUpdatable) {
    return object;
  }
  return methods.has("POST") ? list : undefined;
}

function hasArgument({ args }: IndexEndpoint, name: string): boolean {
  return args.some((arg) => arg.name === name);
}

/**
 * Creates the type of the answer to `delete_item` with the argument `force`. The answer's member `previous` contains
 * the deleted object.
 */
export function createDeletedObject(object: JsonType): JsonType {
  const createProperty = (name: string, type: JsonType) => ({ name, required: true, type, documentation: undefined });
  return {
    kind: "object",
    properties: [createProperty("deleted", { kind: "boolean" }), createProperty("previous", object)],
  };
}

/**
 * Returns the keys of the routes that are collections. A route is a collection if another route has the same segments
 * followed by a variable. A route that accepts updates and whose name is not a plural is an object, not a collection:
 * `/checkout`, although there is also `/checkout/<id>`.
 */
export function listCollectionRoutes(routes: readonly Route[]): ReadonlySet<string> {
  const objectRoutes = new Set(routes.filter(isUpdatedObject).map(({ key }) => key));
  const collections = new Set<string>();
  for (const { key, path } of routes) {
    const lastPiece = path.at(-1);
    if (lastPiece === undefined || typeof lastPiece === "string" || !("variable" in lastPiece)) {
      continue;
    }
    const nameStart = Math.max(key.lastIndexOf(`<${lastPiece.variable}>`), key.lastIndexOf(`'${lastPiece.variable}'`));
    const prefix = key.slice(0, key.lastIndexOf("(", nameStart));
    if (prefix.endsWith("/") && !objectRoutes.has(prefix.slice(0, -1))) {
      collections.add(prefix.slice(0, -1));
    }
  }
  return collections;
}

function isUpdatedObject({ path, endpoints }: Route): boolean {
  const lastSegment = listStaticSegments(listSegments(path)).at(-1);
  const methods = endpoints.flatMap((endpoint) => endpoint.methods);
  return (
    lastSegment !== undefined && !isPlural(lastSegment) && acceptsUpdates(methods) && !endpoints.some(isCollection)
  );
}

/**
 * Whether requests can set a property that no answer contains, such as a password. The schema of such a property has an
 * empty list of contexts.
 */
export function isWriteOnly({ schema }: AnswerProperty): boolean {
  return schema.contexts?.length === 0;
}

/**
 * Returns the values of `context` for which answers contain an object: the values in the object's schema or, if it has
 * none, those of the enclosing object.
 */
export function findContexts(
  { contexts, properties }: AnswerSchema,
  enclosingContexts: readonly string[] | undefined,
): readonly string[] | undefined {
  // If neither schema lists contexts, the contexts of the object's properties are used.
  const propertyContexts = properties.flatMap(({ schema }) => schema.contexts ?? []);
  return contexts ?? enclosingContexts ?? (propertyContexts.length === 0 ? undefined : [...new Set(propertyContexts)]);
}

/**
 * Returns the `context` of an endpoint's answers for requests without the argument `context`; undefined if the endpoint
 * has no such argument.
 */
export function findInitialContext({ args }: IndexEndpoint): string | undefined {
  const argument = args.find(({ name }) => name === "context");
  if (argument === undefined) {
    return undefined;
  }
  const node = argument.schema.default;
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : "view";
}

/**
 * Whether an object always contains a property. WordPress removes properties that do not belong to the requested
 * context (`rest_filter_response_by_context`), so a property is always present if it belongs to every context of the
 * object.
 */
export function isAlwaysPresent(
  { isListed, isMarked, schema: { contexts } }: AnswerProperty,
  objectContexts: readonly string[] | undefined,
): boolean {
  if (isListed || contexts === undefined) {
    return isListed || isMarked;
  }
  return objectContexts?.every((context) => contexts.includes(context)) === true;
}

/**
 * Returns the endpoints of a group if its segment names an action; otherwise none. For example, `POST /cart/add-item`
 * becomes `cart.addItem`. If there are several endpoints, they must have different routes. Their routes may end in a
 * variable only if no endpoint accepts GET: `POST /restore` is `restore`, and `POST /restore/ID` is `restoreById`.
 */
export function listActions(segment: string, { endpoints }: EndpointGroup): readonly EndpointPath[] {
  const routes = new Set(endpoints.map(({ route }) => route));
  const methods = endpoints.flatMap(({ endpoint }) => endpoint.methods);
  const areDistinctRoutes =
    endpoints.length === 1 ||
    (routes.size === endpoints.length && (!endpoints.some(isItem) || !methods.includes("GET")));
  const listsItems = segment !== "list" && endpoints.some(isList);
  if (!areDistinctRoutes || !isAction(segment, methods) || listsItems) {
    return [];
  }
  return [...endpoints.filter((endpoint) => !isItem(endpoint)), ...endpoints.filter(isItem)];
}

function isList({ endpoint }: EndpointPath): boolean {
  return endpoint.methods.includes("GET") && isCollection(endpoint);
}

/** Whether the path of an endpoint ends with a variable, and so leads to one item of a collection. */
export function isItem({ segments }: EndpointPath): boolean {
  return endsInVariable(segments);
}

/**
 * Returns the verb of a collection's endpoint if single items have the same verb: `delete` and `update` become
 * `deleteAll` and `updateAll`. A POST to a collection creates an item even if the endpoint also accepts PUT and PATCH,
 * unless it has the argument `ids`.
 */
export function chooseVerbBesideItems(path: EndpointPath, verb: string, itemVerbs: ReadonlySet<string>): string {
  const isForAll = (verb === "update" || verb === "delete") && !isItem(path) && itemVerbs.has(verb);
  if (!isForAll) {
    return verb;
  }
  const isCreation = verb === "update" && path.endpoint.methods[0] === "POST" && !changesListedObjects(path.endpoint);
  const isOnlyWriter = path.route.endpoints.every(
    ({ methods }) => path.endpoint.methods === methods || methods[0] === "GET",
  );
  return isCreation && isOnlyWriter ? "create" : `${verb}All`;
}

/** Whether an endpoint changes the objects that its argument `ids` lists. */
function changesListedObjects(endpoint: IndexEndpoint): boolean {
  return hasArgument(endpoint, idsArgument);
}

// Interprets the English words in routes.

/** First words of action names, without words that are just as often nouns (`log`, `order`, `search`, `test`). */
const verbs: ReadonlySet<string> = new Set(
  (
    "accept activate add analyse analyze apply approve archive assign attach authenticate authorize backup ban batch build " +
    "calculate cancel change check clean cleanup clear clone close collect complete compress compute configure confirm " +
    "connect convert copy count create deactivate decline decode decrypt delete deny dequeue destroy detach detect disable " +
    "disconnect discover dismiss dispatch do download duplicate edit empty enable encode encrypt enqueue execute expire " +
    "export extract fetch finalize find finish fix flush follow force generate get grant hide ignore import increment init " +
    "initialize insert install introspect invalidate invite join leave list load lock login logout lookup mark merge migrate move " +
    "mute notify open optimize parse pause ping populate preload prepare preview process publish pull purge push put queue " +
    "quit read rebuild recalculate receive recheck reconnect recreate refresh regenerate register reindex reject reload remove rename render " +
    "renew reopen reorder repair replace request rescan reschedule resend reset resize resolve restart restore resume resync " +
    "retrieve retry revert revoke rollback rotate run sanitize save scan schedule select send set show skip snooze split " +
    "spawn start stop submit subscribe suspend switch sync synchronize toggle track translate trash trigger unarchive unassign " +
    "unban unblock uncomplete undismiss undo unfollow unhide uninstall unlink unlock unmute unpin unpublish unregister " +
    "unsnooze unsubscribe unsuspend untrack untrash update upgrade upload validate verify write"
  ).split(" "),
);

/** Last words of action names: `podcast_update`, `email-reports-enable`. */
const verbsInLastPlace: ReadonlySet<string> = new Set(
  (
    "activate add approve authorize clear complete connect create deactivate delete disable disconnect dismiss enable install " +
    "provision refresh register reject remove reset restore revoke save submit sync uninstall update validate verify"
  ).split(" "),
);

/** Verbs that may be the second word of an action name, because they are never nouns: `gutenberg-get-folders`. */
const verbsInSecondPlace: ReadonlySet<string> = new Set("delete fetch get insert remove save send".split(" "));

/** Words that may precede the verb of an action name: `bulk-edit`, `post-process`. */
const adverbs: ReadonlySet<string> = new Set("auto bulk experimental mass post pre quick re".split(" "));
const questionWords: ReadonlySet<string> = new Set("can has is should".split(" "));

/** Matches plural words that name a single object. The word may be at the end of a longer word: `commonsettings`. */
const singleObjectPlural =
  /(?:analytics|credentials|details|insights|metrics|options|permissions|preferences|settings|statistics|stats|totals)$/;

/** Matches an action name without separators between its words: `gettranslationstatus`. */
const unseparatedAction = /^get[a-z]{7,}$/;

/**
 * Whether a segment names an action: `add-item`, `reindex_posts`, `bulkEdit`. A name that ends with a verb is an action
 * only if all its methods change data, because `GET /last-update` reads an object.
 */
function isAction(segment: string, methods: readonly Method[]): boolean {
  const words = listWords(segment);
  const [firstWord = "", secondWord = ""] = words;
  const lastWord = words.at(-1) ?? "";
  // `update` is also a noun, so in a route such as `POST,PUT,PATCH /last-update`, it does not name an action.
  const isChange = methods.every((method) => method === "POST" || (method !== "GET" && lastWord !== "update"));
  if (words.length > 1 && verbsInLastPlace.has(lastWord) && isChange) {
    return true;
  }
  return (
    verbs.has(firstWord) ||
    (segment === "bulk" && methods.every((method) => method === "POST")) ||
    unseparatedAction.test(segment) ||
    (words.length > 2 && verbsInSecondPlace.has(secondWord)) ||
    (adverbs.has(firstWord) && verbs.has(secondWord)) ||
    (questionWords.has(firstWord) && secondWord !== "")
  );
}

/** Whether a segment is a plural: `blocks`, but not `status` or `settings`. */
function isPlural(segment: string): boolean {
  const lastWord = listWords(segment).at(-1) ?? "";
  return (/[^ius]s$/.test(lastWord) && !singleObjectPlural.test(lastWord)) || irregularPlurals.has(lastWord);
}

/** Whether a segment names a single object, such as `settings`. */
function namesSingleObject(segment: string): boolean {
  return singleObjectPlural.test(listWords(segment).at(-1) ?? "");
}

const irregularPlurals: ReadonlySet<string> = new Set("children media people taxa".split(" "));

function listWords(segment: string): readonly string[] {
  const spacedText = toCamelWord(segment).replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2");
  return spacedText.toLowerCase().split(" ");
}
