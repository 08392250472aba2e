import { ContentClient } from "@bothends/client/content";
import type { Transport } from "@bothends/runtime/client";
import type { Call } from "../demo/call.js";
import type { ContentCall } from "./exact.js";

const language = "pt-pt";

/** A call of an endpoint, and the input that its handler must receive. */
export type SiteCall = Call & ContentCall;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Expected = Record<string, unknown> | string | ((answer: unknown) => boolean);

/** Lists calls of every method of every route. Objects are created before they are read, changed or deleted. */
export function listContentCalls(siteUrl: string, transport?: Transport): readonly SiteCall[] {
  const content = new ContentClient({ siteUrl, lang: language, transport });
  return [
    ...listOembedCalls(content),
    ...listTranslationCalls(content),
    ...listStringCalls(content),
    ...listFormCalls(content),
    ...listSeoCalls(content),
    ...listMediaCalls(content),
    ...listBlockCalls(content),
    ...listProjectCalls(content),
  ];
}

/** The calls that the handlers must receive, in order. */
export const expectedContentCalls: readonly ContentCall[] = listContentCalls("http://content.example");

function listOembedCalls({ oembed }: ContentClient): SiteCall[] {
  const url = "https://content.example/a";
  return [
    call("oembed.embed.list", "GET", { url }, (input) => oembed.embed.list(input), { url, format: "json", width: 600 }),
    call("oembed.proxy.list", "GET", { url, discover: false }, (input) => oembed.proxy.list(input), {
      url,
      width: 600,
      discover: false,
    }),
  ];
}

function listTranslationCalls({ translation }: ContentClient): SiteCall[] {
  return [
    call("translation.customXmlConfig.list", "GET", {}, () => translation.customXmlConfig.list(), {
      content: "<wpml-config/>",
    }),
    call("translation.customXmlConfig.create", "POST", {}, () => translation.customXmlConfig.create(), { saved: true }),
    call(
      "translation.customXmlConfig.validate.create",
      "POST",
      {},
      () => translation.customXmlConfig.validate.create(),
      {
        valid: true,
      },
    ),
    call("translation.updates.create", "POST", {}, () => translation.updates.create(), { updated: 2 }),
    call(
      "translation.itemSections.populated.list",
      "GET",
      {},
      () => translation.itemSections.populated.list(),
      (answer) => Array.isArray(answer) && answer[0] === "post",
    ),
    call(
      "translation.posts.list",
      "GET",
      {},
      () => translation.posts.list(),
      (answer) => Array.isArray(answer) && isObject(answer[0] ?? null) && JSON.stringify(answer).includes('"pt-pt"'),
    ),
    call("translation.posts.count.list", "GET", {}, () => translation.posts.count.list(), { count: 3 }),
    call("translation.posts.hierarchical.list", "GET", {}, () => translation.posts.hierarchical.list(), Array.isArray),
    call("translation.posts.taxonomies.list", "GET", {}, () => translation.posts.taxonomies.list(), Array.isArray),
    call("translation.posts.terms.list", "GET", {}, () => translation.posts.terms.list(), Array.isArray),
    call(
      "translation.sendToTranslation.validateTranslationOptions.create",
      "POST",
      {},
      () => translation.sendToTranslation.validateTranslationOptions.create(),
      { valid: true },
    ),
    call(
      "translation.sendToTranslation.defaultBatchName.list",
      "GET",
      {},
      () => translation.sendToTranslation.defaultBatchName.list(),
      "Site|1",
    ),
    call(
      "translation.sendToTranslation.validateBatchName.create",
      "POST",
      {},
      () => translation.sendToTranslation.validateBatchName.create(),
      { valid: true },
    ),
    call(
      "translation.setReviewTranslationOption.create",
      "POST",
      {},
      () => translation.setReviewTranslationOption.create(),
      { saved: true },
    ),
    call(
      "translation.translateEverything.enable.create",
      "POST",
      {},
      () => translation.translateEverything.enable.create(),
      { enabled: true },
    ),
    call(
      "translation.translateEverything.disable.create",
      "POST",
      {},
      () => translation.translateEverything.disable.create(),
      { enabled: false },
    ),
  ];
}

function listStringCalls({ translationSt }: ContentClient): SiteCall[] {
  return [
    call(
      "translationSt.strings.settings.create",
      "POST",
      { autoregisterType: 1 },
      (input) => translationSt.strings.settings.create(input),
      { autoregisterType: 1, shouldRegisterBackendStrings: 0 },
    ),
    call("translationSt.strings.settings.list", "GET", {}, () => translationSt.strings.settings.list(), {
      autoregisterType: 0,
    }),
    call(
      "translationSt.strings.itemscount.list",
      "GET",
      { domain: "default" },
      (input) => translationSt.strings.itemscount.list(input),
      { count: 0 },
    ),
    call("translationSt.strings.list", "GET", { offset: 5 }, (input) => translationSt.strings.list(input), {
      limit: 10,
      offset: 5,
    }),
    call("translationSt.strings.filters.list", "GET", {}, () => translationSt.strings.filters.list(), {
      domains: ["default"],
    }),
    call(
      "translationSt.stringPackages.list",
      "GET",
      { translationStatuses: ["a", "b"] },
      (input) => translationSt.stringPackages.list(input),
      { statuses: ["a", "b"] },
    ),
    call(
      "translationSt.strings.processstringsqueue.create",
      "POST",
      {},
      () => translationSt.strings.processstringsqueue.create(),
      { processed: 0 },
    ),
    call(
      "translationSt.importMoStrings.create",
      "POST",
      { plugins: ["a", "b"] },
      (input) => translationSt.importMoStrings.create(input),
      { imported: 2 },
    ),
    call("translationSt.preGenerateMoFiles.create", "POST", {}, () => translationSt.preGenerateMoFiles.create(), {
      generated: 0,
    }),
    call(
      "translationSt.settings.create",
      "POST",
      { group: "g", key: "k", data: [1] },
      (input) => translationSt.settings.create(input),
      { group: "g", key: "k", saved: true },
    ),
  ];
}

function listFormCalls({ forms }: ContentClient): SiteCall[] {
  const form = { id: 1 };
  return [
    call("forms.contactForms.list", "GET", {}, () => forms.contactForms.list(), Array.isArray),
    call("forms.contactForms.create", "POST", {}, () => forms.contactForms.create(), { id: 2 }),
    call("forms.contactForms.get", "GET", form, (input) => forms.contactForms.get(input), form),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("forms.contactForms.update", method, form, (input) => forms.contactForms.update(input, { method }), {
        ...form,
        savedBy: method,
      }),
    ),
    call("forms.contactForms.delete", "DELETE", { id: 2 }, (input) => forms.contactForms.delete(input), {
      deleted: true,
    }),
    call("forms.contactForms.feedback.create", "POST", form, (input) => forms.contactForms.feedback.create(input), {
      contact_form_id: 1,
    }),
    call("forms.contactForms.refill.list", "GET", form, (input) => forms.contactForms.refill.list(input), {
      contact_form_id: 1,
    }),
  ];
}

function listSeoCalls({ seo, seoAccount }: ContentClient): SiteCall[] {
  const indexable = { object_type: "post", object_id: 4 };
  return [
    call("seo.configurator.list", "GET", {}, () => seo.configurator.list(), { step: 1 }),
    call("seo.configurator.create", "POST", {}, () => seo.configurator.create(), { step: 2 }),
    call("seo.reindexPosts.list", "GET", {}, () => seo.reindexPosts.list(), { status: "ok" }),
    call("seo.siteAnalysis.list", "GET", {}, () => seo.siteAnalysis.list(), { score: 90 }),
    call("seo.indexables.get", "GET", indexable, (input) => seo.indexables.get(input), indexable),
    call("seo.indexables.update", "PATCH", indexable, (input) => seo.indexables.update(input), {
      ...indexable,
      updated: true,
    }),
    call("seo.fileSize.list", "GET", { url: "a?b=c&d" }, (input) => seo.fileSize.list(input), { url: "a?b=c&d" }),
    call("seo.statistics.list", "GET", {}, () => seo.statistics.list(), { posts: 3 }),
    call("seoAccount.connect.create", "POST", {}, () => seoAccount.connect.create(), { connected: true }),
  ];
}

function listMediaCalls({ core: { media } }: ContentClient): SiteCall[] {
  return [
    call("core.media.list", "GET", {}, () => media.list(), Array.isArray),
    call("core.media.create", "POST", { alt_text: "A bridge", post: 4 }, (input) => media.create(input), {
      id: 33,
      alt_text: "A bridge",
      post: 4,
    }),
    call("core.media.get", "GET", { id: 33 }, (input) => media.get(input), { id: 33, alt_text: "A bridge" }),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("core.media.update", method, { id: 33, alt_text: method }, (input) => media.update(input, { method }), {
        id: 33,
        alt_text: method,
      }),
    ),
    call(
      "core.media.postProcess.create",
      "POST",
      { id: 33, action: "create-image-subsizes" },
      (input) => media.postProcess.create(input),
      { id: 33 },
    ),
    call("core.media.delete", "DELETE", { id: 33, force: true }, (input) => media.delete(input), { deleted: true }),
  ];
}

function listBlockCalls({ core: { blocks } }: ContentClient): SiteCall[] {
  return [
    call(
      "core.blocks.list",
      "GET",
      { per_page: 2, status: ["publish", "draft"] },
      (input) => blocks.list(input),
      (answer) => Array.isArray(answer) && answer.length === 2,
    ),
    call("core.blocks.create", "POST", { title: { raw: "New" }, date: null }, (input) => blocks.create(input), {
      id: 32,
      title: { raw: "New" },
    }),
    call("core.blocks.get", "GET", { id: 32 }, (input) => blocks.get(input), { id: 32 }),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("core.blocks.update", method, { id: 32, slug: method }, (input) => blocks.update(input, { method }), {
        id: 32,
        slug: method,
      }),
    ),
    call(
      "core.blocks.autosaves.list",
      "GET",
      { id: 32, parent: 32 },
      (input) => blocks.autosaves.list(input),
      Array.isArray,
    ),
    call(
      "core.blocks.autosaves.create",
      "POST",
      { id: 32, parent: 32, slug: "s" },
      (input) => blocks.autosaves.create(input),
      {
        parent: 32,
        slug: "s",
      },
    ),
    call("core.blocks.autosaves.get", "GET", { parent: 32, id: 100 }, (input) => blocks.autosaves.get(input), {
      parent: 32,
      id: 100,
    }),
    call("core.blocks.delete", "DELETE", { id: 32 }, (input) => blocks.delete(input), { id: 32, status: "trash" }),
  ];
}

function listProjectCalls({ core: { project } }: ContentClient): SiteCall[] {
  return [
    call(
      "core.project.list",
      "GET",
      { project_tag: [6, 7], order: "asc" },
      (input) => project.list(input),
      Array.isArray,
    ),
    call(
      "core.project.create",
      "POST",
      { status: "private", project_category: [2, 3] },
      (input) => project.create(input),
      {
        id: 7,
        project_category: [2, 3],
      },
    ),
    call("core.project.get", "GET", { id: 7, context: "edit" }, (input) => project.get(input), {
      id: 7,
      status: "private",
    }),
    ...(["POST", "PUT", "PATCH"] as const).map((method) =>
      call("core.project.update", method, { id: 7, template: method }, (input) => project.update(input, { method }), {
        id: 7,
        template: method,
      }),
    ),
    call("core.project.delete", "DELETE", { id: 7, force: true }, (input) => project.delete(input), { deleted: true }),
  ];
}

/** Creates a call. `expected` contains the members that the answer must have, the complete answer, or a check. */
function call<const Input extends ContentCall["input"]>(
  operation: string,
  method: Method,
  ...[input, run, expected]: readonly [Input, (input: Input) => Promise<unknown>, Expected]
): SiteCall {
  return {
    operation,
    method,
    language,
    input,
    protocol: method,
    run: () => run(input),
    expected: { check: (answer) => findProblem(answer, expected) },
  };
}

function findProblem(answer: unknown, expected: Expected): string | undefined {
  if (typeof expected === "function") {
    return expected(answer) ? undefined : `unexpected ${JSON.stringify(answer)}`;
  }
  if (typeof expected === "string") {
    return answer === expected ? undefined : `expected "${expected}"`;
  }
  for (const [name, value] of Object.entries(expected)) {
    const actual = isObject(answer) ? answer[name] : undefined;
    if (JSON.stringify(actual) !== JSON.stringify(value)) {
      return `${name} is ${JSON.stringify(actual)}, expected ${JSON.stringify(value)}`;
    }
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
