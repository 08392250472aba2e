import { ContentClient } from "@bothends/client/content";
import type { Call } from "./call.js";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Expected = Record<string, unknown> | string | ((answer: unknown) => boolean);

/** Every method of every route, in an order in which what is created is there to be read, changed and deleted. */
export function contentCalls(siteUrl: string): readonly Call[] {
  const content = new ContentClient({ siteUrl, lang: "pt-pt" });
  return [
    ...oembedCalls(content),
    ...translationCalls(content),
    ...stringCalls(content),
    ...formCalls(content),
    ...seoCalls(content),
    ...mediaCalls(content),
    ...blockCalls(content),
    ...projectCalls(content),
  ];
}

/** The index and the index of every namespace. */
export function indexCalls(siteUrl: string): readonly Call[] {
  const content = new ContentClient({ siteUrl });
  const lists = (namespace: string) => (answer: unknown) =>
    isObject(answer) && answer["namespace"] === namespace && isObject(answer["routes"] ?? null);
  return [
    call(
      "index",
      "GET",
      () => content.index(),
      (answer) => isObject(answer) && isObject(answer["routes"] ?? null) && answer["name"] === "Sample site",
    ),
    call("oembed.index", "GET", () => content.oembed.index(), lists("oembed/1.0")),
    call("translation.index", "GET", () => content.translation.index(), lists("translation/v1")),
    call("translationSt.index", "GET", () => content.translationSt.index(), lists("translation/st/v1")),
    call("forms.index", "GET", () => content.forms.index(), lists("forms/v1")),
    call("seo.index", "GET", () => content.seo.index(), lists("seo/v1")),
    call("seoAccount.index", "GET", () => content.seoAccount.index(), lists("seo/v1/account")),
    call("core.index", "GET", () => content.core.index(), lists("core/v2")),
  ];
}

function oembedCalls({ oembed }: ContentClient): Call[] {
  const url = "https://content.example/a";
  return [
    call("oembed.embed.list", "GET", () => oembed.embed.list({ url }), { url, format: "json", width: 600 }),
    call("oembed.proxy.list", "GET", () => oembed.proxy.list({ url, discover: false }), {
      url,
      width: 600,
      discover: false,
    }),
  ];
}

function translationCalls({ translation }: ContentClient): Call[] {
  return [
    call("translation.customXmlConfig.list", "GET", () => translation.customXmlConfig.list(), {
      content: "<wpml-config/>",
    }),
    call("translation.customXmlConfig.create", "POST", () => translation.customXmlConfig.create(), { saved: true }),
    call("translation.customXmlConfig.validate.create", "POST", () => translation.customXmlConfig.validate.create(), {
      valid: true,
    }),
    call("translation.updates.create", "POST", () => translation.updates.create(), { updated: 2 }),
    call(
      "translation.itemSections.populated.list",
      "GET",
      () => translation.itemSections.populated.list(),
      (answer) => Array.isArray(answer) && answer[0] === "post",
    ),
    call(
      "translation.posts.list",
      "GET",
      () => translation.posts.list(),
      (answer) => Array.isArray(answer) && isObject(answer[0] ?? null) && JSON.stringify(answer).includes('"pt-pt"'),
    ),
    call("translation.posts.count.list", "GET", () => translation.posts.count.list(), { count: 3 }),
    call("translation.posts.hierarchical.list", "GET", () => translation.posts.hierarchical.list(), Array.isArray),
    call("translation.posts.taxonomies.list", "GET", () => translation.posts.taxonomies.list(), Array.isArray),
    call("translation.posts.terms.list", "GET", () => translation.posts.terms.list(), Array.isArray),
    call(
      "translation.sendToTranslation.validateTranslationOptions.create",
      "POST",
      () => translation.sendToTranslation.validateTranslationOptions.create(),
      { valid: true },
    ),
    call(
      "translation.sendToTranslation.defaultBatchName.list",
      "GET",
      () => translation.sendToTranslation.defaultBatchName.list(),
      "Site|1",
    ),
    call(
      "translation.sendToTranslation.validateBatchName.create",
      "POST",
      () => translation.sendToTranslation.validateBatchName.create(),
      { valid: true },
    ),
    call(
      "translation.setReviewTranslationOption.create",
      "POST",
      () => translation.setReviewTranslationOption.create(),
      { saved: true },
    ),
    call(
      "translation.translateEverything.enable.create",
      "POST",
      () => translation.translateEverything.enable.create(),
      { enabled: true },
    ),
    call(
      "translation.translateEverything.disable.create",
      "POST",
      () => translation.translateEverything.disable.create(),
      { enabled: false },
    ),
  ];
}

function stringCalls({ translationSt }: ContentClient): Call[] {
  return [
    call(
      "translationSt.strings.settings.create",
      "POST",
      () => translationSt.strings.settings.create({ autoregisterType: 1 }),
      { autoregisterType: 1, shouldRegisterBackendStrings: 0 },
    ),
    call("translationSt.strings.settings.list", "GET", () => translationSt.strings.settings.list(), {
      autoregisterType: 0,
    }),
    call(
      "translationSt.strings.itemscount.list",
      "GET",
      () => translationSt.strings.itemscount.list({ domain: "default" }),
      { count: 0 },
    ),
    call("translationSt.strings.list", "GET", () => translationSt.strings.list({ offset: 5 }), {
      limit: 10,
      offset: 5,
    }),
    call("translationSt.strings.filters.list", "GET", () => translationSt.strings.filters.list(), {
      domains: ["default"],
    }),
    call(
      "translationSt.stringPackages.list",
      "GET",
      () => translationSt.stringPackages.list({ translationStatuses: ["a", "b"] }),
      { statuses: ["a", "b"] },
    ),
    call(
      "translationSt.strings.processstringsqueue.create",
      "POST",
      () => translationSt.strings.processstringsqueue.create(),
      { processed: 0 },
    ),
    call(
      "translationSt.importMoStrings.create",
      "POST",
      () => translationSt.importMoStrings.create({ plugins: ["a", "b"] }),
      { imported: 2 },
    ),
    call("translationSt.preGenerateMoFiles.create", "POST", () => translationSt.preGenerateMoFiles.create(), {
      generated: 0,
    }),
    call(
      "translationSt.settings.create",
      "POST",
      () => translationSt.settings.create({ group: "g", key: "k", data: [1] }),
      { group: "g", key: "k", saved: true },
    ),
  ];
}

function formCalls({ forms }: ContentClient): Call[] {
  const one = { id: 1 };
  return [
    call("forms.contactForms.list", "GET", () => forms.contactForms.list(), Array.isArray),
    call("forms.contactForms.create", "POST", () => forms.contactForms.create(), { id: 2 }),
    call("forms.contactForms.get", "GET", () => forms.contactForms.get(one), one),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("forms.contactForms.update", method, () => forms.contactForms.update(one, { method }), {
        ...one,
        savedBy: method,
      }),
    ),
    call("forms.contactForms.delete", "DELETE", () => forms.contactForms.delete({ id: 2 }), { deleted: true }),
    call("forms.contactForms.feedback.create", "POST", () => forms.contactForms.feedback.create(one), {
      contact_form_id: 1,
    }),
    call("forms.contactForms.refill.list", "GET", () => forms.contactForms.refill.list(one), { contact_form_id: 1 }),
  ];
}

function seoCalls({ seo, seoAccount }: ContentClient): Call[] {
  const indexable = { object_type: "post", object_id: 4 };
  return [
    call("seo.configurator.list", "GET", () => seo.configurator.list(), { step: 1 }),
    call("seo.configurator.create", "POST", () => seo.configurator.create(), { step: 2 }),
    call("seo.reindexPosts.list", "GET", () => seo.reindexPosts.list(), { status: "ok" }),
    call("seo.siteAnalysis.list", "GET", () => seo.siteAnalysis.list(), { score: 90 }),
    call("seo.indexables.get", "GET", () => seo.indexables.get(indexable), indexable),
    call("seo.indexables.update", "PATCH", () => seo.indexables.update(indexable), { ...indexable, updated: true }),
    call("seo.fileSize.list", "GET", () => seo.fileSize.list({ url: "a?b=c&d" }), { url: "a?b=c&d" }),
    call("seo.statistics.list", "GET", () => seo.statistics.list(), { posts: 3 }),
    call("seoAccount.connect.create", "POST", () => seoAccount.connect.create(), { connected: true }),
  ];
}

function mediaCalls({ core: { media } }: ContentClient): Call[] {
  return [
    call("core.media.list", "GET", () => media.list(), Array.isArray),
    call("core.media.create", "POST", () => media.create({ alt_text: "A bridge", post: 4 }), {
      id: 33,
      alt_text: "A bridge",
      post: 4,
    }),
    call("core.media.get", "GET", () => media.get({ id: 33 }), { id: 33, alt_text: "A bridge" }),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("core.media.update", method, () => media.update({ id: 33, alt_text: method }, { method }), {
        id: 33,
        alt_text: method,
      }),
    ),
    call(
      "core.media.postProcess.create",
      "POST",
      () => media.postProcess.create({ id: 33, action: "create-image-subsizes" }),
      { id: 33 },
    ),
    call("core.media.delete", "DELETE", () => media.delete({ id: 33, force: true }), { deleted: true }),
  ];
}

function blockCalls({ core: { blocks } }: ContentClient): Call[] {
  return [
    call(
      "core.blocks.list",
      "GET",
      () => blocks.list({ per_page: 2, status: ["publish", "draft"] }),
      (answer) => Array.isArray(answer) && answer.length === 2,
    ),
    call("core.blocks.create", "POST", () => blocks.create({ title: { raw: "New" }, date: null }), {
      id: 32,
      title: { raw: "New" },
    }),
    call("core.blocks.get", "GET", () => blocks.get({ id: 32 }), { id: 32 }),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("core.blocks.update", method, () => blocks.update({ id: 32, slug: method }, { method }), {
        id: 32,
        slug: method,
      }),
    ),
    call("core.blocks.autosaves.list", "GET", () => blocks.autosaves.list({ id: 32, parent: 32 }), Array.isArray),
    call("core.blocks.autosaves.create", "POST", () => blocks.autosaves.create({ id: 32, parent: 32, slug: "s" }), {
      parent: 32,
      slug: "s",
    }),
    call("core.blocks.autosaves.get", "GET", () => blocks.autosaves.get({ parent: 32, id: 100 }), {
      parent: 32,
      id: 100,
    }),
    call("core.blocks.delete", "DELETE", () => blocks.delete({ id: 32 }), { id: 32, status: "trash" }),
  ];
}

function projectCalls({ core: { project } }: ContentClient): Call[] {
  return [
    call("core.project.list", "GET", () => project.list({ project_tag: [6, 7], order: "asc" }), Array.isArray),
    call("core.project.create", "POST", () => project.create({ status: "private", project_category: [2, 3] }), {
      id: 7,
      project_category: [2, 3],
    }),
    call("core.project.get", "GET", () => project.get({ id: 7, context: "edit" }), { id: 7, status: "private" }),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("core.project.update", method, () => project.update({ id: 7, template: method }, { method }), {
        id: 7,
        template: method,
      }),
    ),
    call("core.project.delete", "DELETE", () => project.delete({ id: 7, force: true }), { deleted: true }),
  ];
}

/** `expected` names members that the answer must have, or is the whole answer, or a check. */
function call(operation: string, method: Method, run: () => Promise<unknown>, expected: Expected): Call {
  return {
    operation,
    protocol: method,
    run,
    expected: { check: (answer) => problemOf(answer, expected) },
  };
}

function problemOf(answer: unknown, expected: Expected): string | undefined {
  if (typeof expected === "function") return expected(answer) ? undefined : `unexpected ${JSON.stringify(answer)}`;
  if (typeof expected === "string") return answer === expected ? undefined : `expected "${expected}"`;
  for (const [name, value] of Object.entries(expected)) {
    const got = isObject(answer) ? answer[name] : undefined;
    if (JSON.stringify(got) !== JSON.stringify(value))
      return `${name} is ${JSON.stringify(got)}, expected ${JSON.stringify(value)}`;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
