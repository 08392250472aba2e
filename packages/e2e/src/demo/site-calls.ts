import { ContentClient } from "@bothends/client/content";
import type { Call } from "./call.js";
import { listBlockCalls, listMediaCalls, listProjectCalls } from "./core-calls.js";
import { createShapedCall, findShapeProblem, updates } from "./shapes.js";

/**
 * Lists calls of every method of every route, for a content site with its original sample data. Later calls use the
 * results of earlier ones.
 */
export function listSiteCalls(siteUrl: string): readonly Call[] {
  const english = new ContentClient({ siteUrl, lang: "en" });
  const portuguese = new ContentClient({ siteUrl, lang: "pt-pt" });
  return [
    ...listOembedCalls(english, siteUrl),
    ...listTranslationCalls(english, portuguese),
    ...listStringCalls(english),
    ...listFormCalls(english),
    ...listSeoCalls(english),
    ...listBlockCalls(english),
    ...listProjectCalls(english),
    ...listMediaCalls(english),
  ];
}

function listOembedCalls({ oembed }: ContentClient, siteUrl: string): Call[] {
  const bridge = `${siteUrl}/?p=4`;
  const externalUrl = "https://other.example/a";
  return [
    createShapedCall(
      "oembed.embed.list",
      "GET",
      () => oembed.embed.list({ url: bridge, maxwidth: 480 }),
      () => ({
        version: "1.0",
        type: "rich",
        title: "Bridge",
        width: 480,
        height: 270,
        html: `<blockquote><a href="${bridge}">Bridge</a></blockquote>`,
      }),
    ),
    createShapedCall(
      "oembed.proxy.list",
      "GET",
      () => oembed.proxy.list({ url: externalUrl, maxwidth: 300 }),
      () => ({
        type: "link",
        url: externalUrl,
        width: 300,
      }),
    ),
  ];
}

function listTranslationCalls({ translation }: ContentClient, { translation: portuguese }: ContentClient): Call[] {
  const { customXmlConfig, posts, sendToTranslation, translateEverything } = translation;
  const content = "<wpml-config/>";
  return [
    createShapedCall(
      "translation.customXmlConfig.create",
      "POST",
      () => customXmlConfig.create({}, { extra: { content } }),
      () => ({
        saved: true,
      }),
    ),
    createShapedCall(
      "translation.customXmlConfig.list",
      "GET",
      () => customXmlConfig.list(),
      () => ({ content }),
    ),
    createShapedCall(
      "translation.customXmlConfig.validate.create",
      "POST",
      () => customXmlConfig.validate.create({}, { extra: { content: "<a><b></a>" } }),
      () => ({ valid: false }),
    ),
    createShapedCall(
      "translation.updates.create",
      "POST",
      () => translation.updates.create(),
      () => ({
        updated: (value) => Math.abs(Date.parse(String(value)) - Date.now()) < 60_000,
      }),
    ),
    createShapedCall(
      "translation.itemSections.populated.list",
      "GET",
      () => translation.itemSections.populated.list(),
      () => ["project", "wp_block"],
    ),
    createShapedCall(
      "translation.posts.list",
      "GET",
      () => portuguese.posts.list(),
      () => [
        { id: 3, title: "Horário", type: "wp_block", language: "pt-pt", status: "publish" },
        { id: 5, title: "Ponte", type: "project", language: "pt-pt", status: "publish" },
      ],
    ),
    createShapedCall(
      "translation.posts.count.list",
      "GET",
      () => portuguese.posts.count.list(),
      () => ({ count: 2 }),
    ),
    createShapedCall(
      "translation.posts.hierarchical.list",
      "GET",
      () => posts.hierarchical.list(),
      () => [
        { id: 1, title: "Opening hours", children: [] },
        { id: 2, title: "Address", children: [] },
        { id: 4, title: "Bridge", children: [] },
      ],
    ),
    createShapedCall(
      "translation.posts.taxonomies.list",
      "GET",
      () => posts.taxonomies.list(),
      () => [
        { name: "project_category", terms: 1 },
        { name: "project_tag", terms: 1 },
      ],
    ),
    createShapedCall(
      "translation.posts.terms.list",
      "GET",
      () => posts.terms.list(),
      () => [
        { id: 1, taxonomy: "project_category", name: "Steel", slug: "steel" },
        { id: 2, taxonomy: "project_tag", name: "River", slug: "river" },
      ],
    ),
    createShapedCall(
      "translation.sendToTranslation.validateTranslationOptions.create",
      "POST",
      () => sendToTranslation.validateTranslationOptions.create({}, { extra: { languages: ["en", "de"] } }),
      () => ({ valid: false }),
    ),
    createShapedCall(
      "translation.sendToTranslation.defaultBatchName.list",
      "GET",
      () => sendToTranslation.defaultBatchName.list(),
      () => "Site|1",
    ),
    createShapedCall(
      "translation.sendToTranslation.validateBatchName.create",
      "POST",
      () => sendToTranslation.validateBatchName.create({}, { extra: { name: "Site|1" } }),
      () => ({ valid: true }),
    ),
    createShapedCall(
      "translation.setReviewTranslationOption.create",
      "POST",
      () => translation.setReviewTranslationOption.create({}, { extra: { mode: "before-publish" } }),
      () => ({ saved: true, mode: "before-publish" }),
    ),
    createShapedCall(
      "translation.translateEverything.enable.create",
      "POST",
      () => translateEverything.enable.create(),
      () => ({
        enabled: true,
      }),
    ),
    createShapedCall(
      "translation.translateEverything.disable.create",
      "POST",
      () => translateEverything.disable.create(),
      () => ({
        enabled: false,
      }),
    ),
  ];
}

function listStringCalls({ translationSt }: ContentClient): Call[] {
  const { strings } = translationSt;
  const settings = { autoregisterType: 1, shouldRegisterBackendStrings: 0 };
  return [
    createShapedCall(
      "translationSt.strings.settings.create",
      "POST",
      () => strings.settings.create({ autoregisterType: 1 }),
      () => settings,
    ),
    createShapedCall(
      "translationSt.strings.settings.list",
      "GET",
      () => strings.settings.list(),
      () => settings,
    ),
    createShapedCall(
      "translationSt.strings.itemscount.list",
      "GET",
      () => strings.itemscount.list({ domain: "default" }),
      () => ({
        count: 1,
      }),
    ),
    createShapedCall(
      "translationSt.strings.list",
      "GET",
      () => strings.list({ title: "read" }),
      () => ({
        strings: [{ domain: "default", title: "Read more", value: "Read more", language: "en", status: 1 }],
        total: 1,
      }),
    ),
    createShapedCall(
      "translationSt.strings.filters.list",
      "GET",
      () => strings.filters.list(),
      () => ({
        domains: ["default"],
        languages: ["en", "pt-pt"],
      }),
    ),
    createShapedCall(
      "translationSt.stringPackages.list",
      "GET",
      () => translationSt.stringPackages.list(),
      () => ({
        packages: [{ title: "default", strings: 1 }],
      }),
    ),
    createShapedCall(
      "translationSt.strings.processstringsqueue.create",
      "POST",
      () => strings.processstringsqueue.create(),
      () => ({
        processed: 1,
      }),
    ),
    createShapedCall(
      "translationSt.importMoStrings.create",
      "POST",
      () => translationSt.importMoStrings.create({ plugins: ["a", "b"] }),
      () => ({ imported: 2 }),
    ),
    createShapedCall(
      "translationSt.preGenerateMoFiles.create",
      "POST",
      () => translationSt.preGenerateMoFiles.create(),
      () => ({
        generated: 1,
      }),
    ),
    createShapedCall(
      "translationSt.settings.create",
      "POST",
      () => translationSt.settings.create({ group: "g", key: "k", data: [1] }),
      () => ({ group: "g", key: "k", saved: true }),
    ),
  ];
}

function listFormCalls({ forms: { contactForms } }: ContentClient): Call[] {
  const form = { id: 2 };
  return [
    createShapedCall(
      "forms.contactForms.list",
      "GET",
      () => contactForms.list(),
      () => [{ id: 1, title: "Contact", locale: "en", email: "required" }],
    ),
    createShapedCall(
      "forms.contactForms.create",
      "POST",
      () => contactForms.create({}, { extra: { title: "Ask us", email: "required" } }),
      () => ({ ...form, title: "Ask us", email: "required" }),
    ),
    createShapedCall(
      "forms.contactForms.get",
      "GET",
      () => contactForms.get(form),
      () => ({ ...form, title: "Ask us" }),
    ),
    ...updates.map((method) =>
      createShapedCall(
        "forms.contactForms.update",
        method,
        () => contactForms.update(form, { method, extra: { phone: method } }),
        () => ({ ...form, title: "Ask us", email: "required", phone: method }),
      ),
    ),
    createShapedCall(
      "forms.contactForms.feedback.create",
      "POST",
      () => contactForms.feedback.create(form, { extra: { email: "a@b.example" } }),
      () => ({ contact_form_id: 2, status: "mail_sent", feedback_id: 1 }),
    ),
    createShapedCall(
      "forms.contactForms.refill.list",
      "GET",
      () => contactForms.refill.list(form),
      () => ({
        contact_form_id: 2,
        captcha: null,
      }),
    ),
    createShapedCall(
      "forms.contactForms.delete",
      "DELETE",
      () => contactForms.delete(form),
      () => ({
        deleted: true,
        previous: { ...form, phone: "PATCH" },
      }),
    ),
  ];
}

function listSeoCalls({ seo, seoAccount }: ContentClient): Call[] {
  const indexable = { object_type: "project", object_id: 4 };
  return [
    createShapedCall(
      "seo.reindexPosts.list",
      "GET",
      () => seo.reindexPosts.list(),
      () => ({ status: "ok", indexed: 5 }),
    ),
    createShapedCall(
      "seo.siteAnalysis.list",
      "GET",
      () => seo.siteAnalysis.list(),
      () => ({ score: 100, projects: 2 }),
    ),
    createShapedCall(
      "seo.indexables.update",
      "PATCH",
      () => seo.indexables.update(indexable, { extra: { title: "A bridge of steel" } }),
      () => ({ ...indexable, title: "A bridge of steel" }),
    ),
    createShapedCall(
      "seo.indexables.get",
      "GET",
      () => seo.indexables.get(indexable),
      () => ({
        ...indexable,
        title: "A bridge of steel",
      }),
    ),
    createShapedCall(
      "seo.configurator.create",
      "POST",
      () => seo.configurator.create({}, { extra: { step: 2 } }),
      () => ({
        step: 2,
      }),
    ),
    createShapedCall(
      "seo.configurator.list",
      "GET",
      () => seo.configurator.list(),
      () => ({ step: 2 }),
    ),
    createShapedCall(
      "seo.statistics.list",
      "GET",
      () => seo.statistics.list(),
      () => (value) =>
        Array.isArray(value) &&
        value.length === 2 &&
        [
          { type: "wp_block", status: "publish", count: 3 },
          { type: "project", status: "publish", count: 2 },
        ].every((row) => value.some((item: unknown) => findShapeProblem(item, row) === undefined)),
    ),
    createShapedCall(
      "seoAccount.connect.create",
      "POST",
      () => seoAccount.connect.create(),
      () => ({ connected: true }),
    ),
  ];
}
