import { expect, test } from "vitest";
import { indexOf, lowered, namesOf } from "./lower-index.js";

const namespaces = ["core/v2", "seo/v1", "seo/v1/account", "translation/st/v1", "wc/v1", "wc/v2", "x/1.0"];

const cases = [
  { given: "GET /", want: "index" },
  { given: "POST /batch/v1", want: "batch" },
  { given: "GET /core/v2", want: "core.index" },
  { given: "GET /core/v2/blocks", want: "core.blocks.list" },
  { given: "POST /core/v2/blocks", want: "core.blocks.create" },
  { given: "GET /core/v2/blocks/(?P<id>[\\d]+)", want: "core.blocks.get" },
  { given: "POST,PUT,PATCH /core/v2/blocks/(?P<id>[\\d]+)", want: "core.blocks.update" },
  { given: "PATCH /core/v2/blocks/(?P<id>[\\d]+)", want: "core.blocks.update" },
  { given: "POST /core/v2/blocks/(?P<id>[\\d]+)", want: "core.blocks.update" },
  { given: "DELETE /core/v2/blocks/(?P<id>[\\d]+)", want: "core.blocks.delete" },
  { given: "POST /core/v2/media/(?P<id>[\\d]+)/post-process", want: "core.media.postProcess" },
  { given: "GET /core/v2/blocks/(?P<id>[\\d]+)/autosaves", want: "core.blocks.autosaves.list" },
  { given: "GET /core/v2/blocks/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)", want: "core.blocks.autosaves.get" },
  { given: "GET /seo/v1/reindex_posts", want: "seo.reindexPosts" },
  { given: "POST /seo/v1/account/connect", want: "seoAccount.connect" },
  { given: "POST /seo/v1/checklist/uncomplete", want: "seo.checklist.uncomplete" },
  { given: "POST /seo/v1/do_task", want: "seo.doTask" },
  { given: "POST /seo/v1/podcast_update", want: "seo.podcastUpdate" },
  { given: "GET /seo/v1/last-update", want: "seo.lastUpdate.get" },
  { given: "POST,PUT,PATCH /seo/v1/last-update", want: "seo.lastUpdate.update" },
  { given: "POST /seo/v1/updates", want: "seo.updates.create" },
  { given: "GET /seo/v1/admin/commonsettings", want: "seo.admin.commonsettings.get" },
  { given: "GET /seo/v1/accounts", want: "seo.accounts.list" },
  { given: "POST /translation/st/v1/settings", want: "translationSt.settings.update" },
  { given: "POST,PUT,PATCH /core/v2/settings", want: "core.settings.update" },
  { given: "GET /seo/v1/indexables/(?P<object_type>\\w+)/(?P<object_id>\\d+)", want: "seo.indexables.get" },
  { given: "GET,POST /core/v2/renderer/(?P<name>[a-z]+)", want: "core.renderer.get" },
  { given: "GET /core/v2/renderer/(?P<name>core/archives)", want: "core.renderer.core.archives.get" },
  { given: "GET /seo/v1/subscribers/list", want: "seo.subscribers.list" },
  { given: "GET /seo/v1/profile/experimental_get_email", want: "seo.profile.experimentalGetEmail" },
  { given: "POST /seo/v1/listing/recreate-post", want: "seo.listing.recreatePost" },
  { given: "GET /seo/v1/gutenberg-get-folders", want: "seo.gutenbergGetFolders" },
  { given: "POST /seo/v1/links/bulk", want: "seo.links.bulk" },
  { given: "POST /seo/v1/remote_register", want: "seo.remoteRegister" },
  { given: "POST /seo/v1/qr-login-approve", want: "seo.qrLoginApprove" },
  { given: "GET /x/1.0/2fa", want: "x._2fa.get" },
  { given: "GET /x/1.0/OAuth-URL/ÖL", want: "x.oAuthURL.öl.get" },
  { given: "GET /x/1.0/constructor", want: "x.constructor_.get" },
  { given: "GET /x/1.0/then", want: "x.then_.get" },
  { given: "GET /x/1.0/toJSON", want: "x.toJSON_.get" },
  { given: "GET /x/1.0/---", want: "x._.get" },
  { given: "GET /x/1.0/m²-per-½", want: "x.mPer.get" },
];

test.each(cases)("$given is named $want", ({ given, want }) => {
  expect(namesOf(indexOf([given], namespaces))).toEqual({ [given]: want });
});

const versions = indexOf(["GET /wc/v1/orders", "GET /wc/v2/orders", "GET /wc/v3/orders"], ["wc/v1", "wc/v2", "wc/v3"]);

test("a namespace with several versions is named with its version throughout", () => {
  expect(Object.values(namesOf(versions))).toEqual(["wcV1.orders.list", "wcV2.orders.list", "wcV3.orders.list"]);
});

test("bothends.json chooses the version of the plain name", () => {
  const names = Object.values(namesOf(versions, { unversioned: ["wc/v3"] }));
  expect(names).toEqual(["wcV1.orders.list", "wcV2.orders.list", "wc.orders.list"]);
});

test("an unknown namespace in bothends.json is refused", () => {
  expect(lowered(versions, { unversioned: ["wc/v4"] }).diagnostics).toMatchObject([
    { severity: "error", code: "IDX044", help: expect.stringContaining("wc/v") },
  ]);
});

const singles = [
  { given: ["GET /core/v2/settings", "POST,PUT,PATCH /core/v2/settings"], want: "core.settings.get" },
  { given: ["GET /core/v2/users/me", "GET /core/v2/users"], want: "core.users.me.get" },
  { given: ["GET /core/v2/types", "GET /core/v2/types/(?P<type>[\\w-]+)"], want: "core.types.list" },
  { given: ["GET /core/v2/posts", "POST /core/v2/posts"], want: "core.posts.list" },
];

test.each(singles)("the first of $given is named $want", ({ given, want }) => {
  expect(Object.values(namesOf(indexOf(given, namespaces)))[0]).toBe(want);
});

const shop = [
  { given: ["GET /wc/store/v1/cart"], want: ["wcStore.cart.get"] },
  { given: ["POST /wc/store/v1/cart/add-item"], want: ["wcStore.cart.addItem"] },
  { given: ["POST /wc/store/v1/cart/items/(?P<key>\\w+)/restore"], want: ["wcStore.cart.items.restore"] },
  {
    given: ["GET /wc/store/v1/checkout", "POST /wc/store/v1/checkout"],
    want: ["wcStore.checkout.get", "wcStore.checkout.update"],
  },
  { given: ["POST /wc/store/v1/verify-site/(?P<service>[a-z]+)"], want: ["wcStore.verifySite"] },
  { given: ["GET /wc/store/v1/is_user_logged_in"], want: ["wcStore.isUserLoggedIn"] },
  {
    given: ["GET /wc/store/v1/settings", "POST /wc/store/v1/settings"],
    want: ["wcStore.settings.get", "wcStore.settings.update"],
  },
  { given: ["GET /wc/store/v1/statistics"], want: ["wcStore.statistics.get"] },
  {
    given: ["GET /wc/store/v1/export", "GET /wc/store/v1/export/status"],
    want: ["wcStore.export", "wcStore.exportStatus"],
  },
  {
    given: [
      "GET /wc/store/v1/checkout/(?P<id>\\d+)",
      "PUT /wc/store/v1/checkout/(?P<id>\\d+)",
      "GET /wc/store/v1/checkout",
      "PUT /wc/store/v1/checkout",
    ],
    want: [
      "wcStore.checkout.getById",
      "wcStore.checkout.updateById",
      "wcStore.checkout.get",
      "wcStore.checkout.update",
    ],
  },
  {
    given: ["POST /wc/store/v1/settings/batch", "POST /wc/store/v1/settings/(?P<group_id>[\\w-]+)/batch"],
    want: ["wcStore.settings.batch", "wcStore.settings.batchByGroupId"],
  },
  {
    given: ["GET /wc/store/v1/import", "GET /wc/store/v1/import/(?P<id>\\d+)"],
    want: ["wcStore.import.list", "wcStore.import.get"],
  },
  { given: ["DELETE /wc/store/v1/keyphrases/untrack"], want: ["wcStore.keyphrases.untrack"] },
  {
    given: ["GET /wc/store/v1/import", "POST /wc/store/v1/import"],
    want: ["wcStore.import.get", "wcStore.import.update"],
  },
  {
    given: ["GET /wc/store/v1/updates", "POST /wc/store/v1/updates"],
    want: ["wcStore.updates.list", "wcStore.updates.create"],
  },
  { given: ["POST /wc/store/v1/orders/(?P<id>\\d+)/feedback"], want: ["wcStore.orders.feedback.create"] },
];

test.each(shop)("$given are named $want", ({ given, want }) => {
  expect(Object.values(namesOf(indexOf(given, ["wc/store/v1"])))).toEqual(want);
});

test("the routes of WordPress are named after their answers", () => {
  const types = [
    "GET /wp/v2/block-types/(?P<namespace>\\w+)",
    "GET /wp/v2/block-types/(?P<namespace>\\w+)/(?P<name>\\w+)",
  ];
  const others = ["GET /wp/v2/block-types", "GET /wp/v2/users/me", "GET /wp/v2/templates/lookup"];
  expect(Object.values(namesOf(indexOf([...others, ...types], ["wp/v2"])))).toEqual([
    "wp.blockTypes.list",
    "wp.users.me.get",
    "wp.templates.lookup",
    "wp.blockTypes.listByNamespace",
    "wp.blockTypes.get",
  ]);
});

test("a second endpoint with the same verb is named after its path variables", () => {
  const single = "GET,POST /types/(?P<namespace>[a-z]+)";
  const two = "GET /types/(?P<namespace>[a-z]+)/(?P<object_name>[a-z]+)";
  expect(namesOf(indexOf([single, two]))).toEqual({
    [single]: "types.get",
    [two]: "types.getByNamespaceAndObjectName",
  });
});

test("a route that only reads lists the objects of the routes that extend it by a variable", () => {
  const group = "GET /settings/(?P<group_id>\\w+)";
  const item = "GET /settings/(?P<group_id>\\w+)/(?P<id>\\w+)";
  expect(Object.values(namesOf(indexOf([group, item])))).toEqual(["settings.list", "settings.get"]);
  expect(Object.values(namesOf(indexOf(["GET /settings", group, item])))).toEqual([
    "settings.list",
    "settings.listByGroupId",
    "settings.get",
  ]);
});

test("a route without a variable gets the plain verb, at any position in the index", () => {
  const routes = [
    "GET /seo/v1/stats/(?P<resource>\\w+)/(?P<id>\\d+)",
    "GET /seo/v1/stats/(?P<resource>\\w+)",
    "GET /seo/v1/stats",
  ];
  expect(Object.values(namesOf(indexOf(routes, namespaces)))).toEqual([
    "seo.stats.get",
    "seo.stats.listByResource",
    "seo.stats.list",
  ]);
});

test("a POST to a collection creates an item, unless it has the argument `ids`", () => {
  const item = "POST,PUT,PATCH /redirects/(?P<id>\\d+)";
  const index = indexOf(["POST,PUT,PATCH /redirects", item]) as {
    readonly routes: Readonly<Record<string, { endpoints: { args: object }[] }>>;
  };
  expect(Object.values(namesOf(index))).toEqual(["redirects.create", "redirects.update"]);
  const [endpoint] = index.routes["/redirects"]?.endpoints ?? [];
  Object.assign(endpoint?.args ?? {}, { ids: {} });
  expect(Object.values(namesOf(index))).toEqual(["redirects.updateAll", "redirects.update"]);
  expect(Object.values(namesOf(indexOf(["PUT,PATCH /redirects", item])))).toEqual([
    "redirects.updateAll",
    "redirects.update",
  ]);
});

test("an endpoint with all methods has the verb `call`", () => {
  expect(Object.values(namesOf(indexOf(["GET,POST,PUT,PATCH,DELETE /menu/(?P<action>\\w+)"])))).toEqual(["menu.call"]);
});

test("an action has the same name with and without an item", () => {
  const index = indexOf(["POST /entries/restore/(?P<id>\\d+)", "POST /entries/restore"]);
  expect(Object.values(namesOf(index))).toEqual(["entries.restoreById", "entries.restore"]);
});

test("an action with the verb of items changes several items", () => {
  const index = indexOf(["POST,PUT,PATCH /notes/update", "POST,PUT,PATCH /notes/(?P<id>\\d+)"]);
  expect(Object.values(namesOf(index))).toEqual(["notes.updateAll", "notes.update"]);
});

test("routes below an action are named after the action and their own segments", () => {
  const routes = ["POST /import", "POST /import/cancel", "GET /import/status", "GET /import/log/(?P<id>\\d+)"];
  expect(Object.values(namesOf(indexOf(routes)))).toEqual(["import", "importCancel", "importStatus", "importLog"]);
});

test("endpoints of one route with the same verb are named after their methods", () => {
  const index = indexOf(["POST /a/(?P<id>\\d+)", "PUT /a/(?P<id>\\d+)", "PATCH /a/(?P<id>\\d+)"]);
  expect(Object.values(namesOf(index))).toEqual(["a.update", "a.put", "a.patch"]);
});

test("deleting a collection and deleting an item have different names", () => {
  expect(Object.values(namesOf(indexOf(["DELETE /a", "DELETE /a/(?P<id>\\d+)"])))).toEqual(["a.deleteAll", "a.delete"]);
});

test("a segment with the name of a verb in the same group gets an underscore", () => {
  const index = indexOf(["GET /cars", "GET /cars/list", "POST /y/list"]);
  expect(Object.values(namesOf(index))).toEqual(["cars.list", "cars.list_.get", "y.list"]);
});

test("names that are still equal are numbered, with a warning", () => {
  const index = indexOf([
    "GET /a-b",
    "GET /a_b",
    "GET /c/(?P<id>\\d+)",
    "GET /c/(?P<id>[a-z]+)",
    "GET /c/x(?P<id>\\d)",
  ]);
  expect(Object.values(namesOf(index))).toEqual(["aB.get", "aB2.get", "c.get", "c.getById", "c.x.get"]);
  expect(lowered(index).diagnostics).toMatchObject([{ code: "IDX040", severity: "warning" }]);
});

test("names of operations are unique, and none is the name of a group", () => {
  const index = indexOf(
    ["GET /index/v1/list", "GET /", "GET /list", "GET /list/list", "GET /list/list/list", "GET /a_/x", "GET /a/x"],
    ["index/v1"],
  );
  const names = Object.values(namesOf(index));
  expect(new Set(names).size).toBe(7);
  expect(names.filter((name) => names.some((other) => other.startsWith(`${name}.`)))).toEqual([]);
});

test("bothends.json can name an endpoint by any of its methods", () => {
  const item = "POST,PUT,PATCH /core/v2/things/(?P<id>\\d+)";
  const index = indexOf(["GET /core/v2/things", item], ["core/v2"]);
  const names = { "PATCH /core/v2/things/(?P<id>\\d+)": "core.things.change.one" };
  expect(namesOf(index, { names })[item]).toBe("core.things.change.one");
});

const wrongNames = [
  { names: { "GET /core/v2/things": "core.a-b" }, code: "IDX042" },
  { names: { "GET /core/v2/things": "core..a" }, code: "IDX042" },
  { names: { "GET /core/v2/things": "core" }, code: "IDX042" },
  { names: { "GET /core/v2/things": "seo.things.list" }, code: "IDX042" },
  { names: { "GET /": "core.root" }, code: "IDX042" },
  { names: { "GET /core/v2/things": "core.a", "POST /core/v2/things": "core.a" }, code: "IDX042" },
  { names: { "GET /core/v2/things": "core.a", "POST /core/v2/things": "core.a.b" }, code: "IDX042" },
  { names: { "GET /core/v2/things": "core.a.b", "POST /core/v2/things": "core.a" }, code: "IDX042" },
  { names: { "GET /core/v2/things": "core.__proto__" }, code: "IDX042" },
];

test.each(wrongNames)("$names is refused with $code", ({ names, code }) => {
  const index = indexOf(["GET /", "GET /core/v2/things", "POST /core/v2/things", "GET /seo/v1"], ["core/v2", "seo/v1"]);
  expect(lowered(index, { names: names as Record<string, string> }).diagnostics).toMatchObject([
    { severity: "error", code },
  ]);
});

test.each([
  { word: "then", reason: "JavaScript calls a method of this name, for example when a program awaits the object" },
  {
    word: "toJSON",
    reason: "JavaScript calls a method of this name, for example when a program converts the object to JSON",
  },
  { word: "constructor", reason: "every object or class has a member of this name" },
  { word: "toString", reason: "every object or class has a member of this name" },
])("the configured name $word is refused with the reason, and with a name that is possible", ({ word, reason }) => {
  for (const name of [`core.${word}`, `core.${word}.list`]) {
    const index = indexOf(["GET /core/v2/things"], ["core/v2"]);
    expect(lowered(index, { names: { "GET /core/v2/things": name } }).diagnostics).toMatchObject([
      {
        code: "IDX042",
        message: `The word "${word}" in the name "${name}" is reserved, because ${reason}.`,
        help: `Choose another word, such as "${word}_".`,
      },
    ]);
    expect(namesOf(index, { names: { "GET /core/v2/things": name.replace(word, `${word}_`) } })).toEqual({
      "GET /core/v2/things": name.replace(word, `${word}_`),
    });
  }
});

test.each(["catch", "finally", "default", "inspect"])("the configured name %s is allowed", (word) => {
  const names = { "GET /core/v2/things": `core.${word}` };
  expect(namesOf(indexOf(["GET /core/v2/things"], ["core/v2"]), { names })).toEqual(names);
});

test.each(["GET /nothing", "PUT /core/v2/things"])("a name for %s, which is not listed, has no effect", (key) => {
  const index = indexOf(["GET /core/v2/things", "POST /core/v2/things"], ["core/v2"]);
  expect(lowered(index, { names: { [key]: "core.a" } }).diagnostics).toMatchObject([
    { severity: "warning", code: "IDX041" },
  ]);
});

test("a configured name is not used for another endpoint", () => {
  const index = indexOf(["GET /cars", "POST /cars", "GET /cars/b"]);
  expect(namesOf(index, { names: { "POST /cars": "cars.list" } })["GET /cars"]).toBe("cars.list2");
  expect(namesOf(index, { names: { "POST /cars": "cars.b" } })["GET /cars/b"]).toBe("cars.b_.get");
  expect(namesOf(index, { names: { "POST /cars": "cars.list.all" } })["GET /cars"]).toBe("cars.list2");
});
