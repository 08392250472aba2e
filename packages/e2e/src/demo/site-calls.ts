import { ContentClient } from "@bothends/client/content";
import type { Call } from "./call.js";
import { blockCalls, mediaCalls, projectCalls } from "./core-calls.js";
import { findShapeProblem, shapedCall, updates } from "./shapes.js";

/**
 * Lists calls of every method of every route, for a content site with its original sample data. Later calls use the
 * results of earlier ones.
 */
export function siteCalls(siteUrl: string): readonly Call[] {
  const english = new ContentClient({ siteUrl, lang: "en" });
  const portuguese = new ContentClient({ siteUrl, lang: "pt-pt" });
  return [
    ...oembedCalls(english, siteUrl),
    ...translationCalls(english, portuguese),
    ...stringCalls(english),
    ...formCalls(english),
    ...seoCalls(english),
    ...blockCalls(english),
    ...projectCalls(english),
    ...mediaCalls(english),
  ];
}

function oembedCalls({ oembed }: ContentClient, siteUrl: string): Call[] {
  const bridge = `${siteUrl}/?p=4`;
  const externalUrl = "https://other.example/a";
  return [
    shapedCall(
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
    shapedCall(
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

function translationCalls({ translation }: ContentClient, { translation: portuguese }: ContentClient): Call[] {
  const { customXmlConfig, posts, sendToTranslation, translateEverything } = translation;
  const content = "<wpml-config/>";
  return [
    shapedCall(
      "translation.customXmlConfig.create",
      "POST",
      () => customXmlConfig.create({}, { extra: { content } }),
      () => ({
        saved: true,
      }),
    ),
    shapedCall(
      "translation.customXmlConfig.list",
      "GET",
      () => customXmlConfig.list(),
      () => ({ content }),
    ),
    shapedCall(
      "translation.customXmlConfig.validate.create",
      "POST",
      () => customXmlConfig.validate.create({}, { extra: { content: "<a><b></a>" } }),
      () => ({ valid: false }),
    ),
    shapedCall(
      "translation.updates.create",
      "POST",
      () => translation.updates.create(),
      () => ({
        updated: (value) => Math.abs(Date.parse(String(value)) - Date.now()) < 60_000,
      }),
    ),
    shapedCall(
      "translation.itemSections.populated.list",
      "GET",
      () => translation.itemSections.populated.list(),
      () => ["project", "wp_block"],
    ),
    shapedCall(
      "translation.posts.list",
      "GET",
      () => portuguese.posts.list(),
      () => [
        { id: 3, title: "Horário", type: "wp_block", language: "pt-pt", status: "publish" },
        { id: 5, title: "Ponte", type: "project", language: "pt-pt", status: "publish" },
      ],
    ),
    shapedCall(
      "translation.posts.count.list",
      "GET",
      () => portuguese.posts.count.list(),
      () => ({ count: 2 }),
    ),
    shapedCall(
      "translation.posts.hierarchical.list",
      "GET",
      () => posts.hierarchical.list(),
      () => [
        { id: 1, title: "Opening hours", children: [] },
        { id: 2, title: "Address", children: [] },
        { id: 4, title: "Bridge", children: [] },
      ],
    ),
    shapedCall(
      "translation.posts.taxonomies.list",
      "GET",
      () => posts.taxonomies.list(),
      () => [
        { name: "project_category", terms: 1 },
        { name: "project_tag", terms: 1 },
      ],
    ),
    shapedCall(
      "translation.posts.terms.list",
      "GET",
      () => posts.terms.list(),
      () => [
        { id: 1, taxonomy: "project_category", name: "Steel", slug: "steel" },
        { id: 2, taxonomy: "project_tag", name: "River", slug: "river" },
      ],
    ),
    shapedCall(
      "translation.sendToTranslation.validateTranslationOptions.create",
      "POST",
      () => sendToTranslation.validateTranslationOptions.create({}, { extra: { languages: ["en", "de"] } }),
      () => ({ valid: false }),
    ),
    shapedCall(
      "translation.sendToTranslation.defaultBatchName.list",
      "GET",
      () => sendToTranslation.defaultBatchName.list(),
      () => "Site|1",
    ),
    shapedCall(
      "translation.sendToTranslation.validateBatchName.create",
      "POST",
      () => sendToTranslation.validateBatchName.create({}, { extra: { name: "Site|1" } }),
      () => ({ valid: true }),
    ),
    shapedCall(
      "translation.setReviewTranslationOption.create",
      "POST",
      () => translation.setReviewTranslationOption.create({}, { extra: { mode: "before-publish" } }),
      () => ({ saved: true, mode: "before-publish" }),
    ),
    shapedCall(
      "translation.translateEverything.enable.create",
      "POST",
      () => translateEverything.enable.create(),
      () => ({
        enabled: true,
      }),
    ),
    shapedCall(
      "translation.translateEverything.disable.create",
      "POST",
      () => translateEverything.disable.create(),
      () => ({
        enabled: false,
      }),
    ),
  ];
}

function stringCalls({ translationSt }: ContentClient): Call[] {
  const { strings } = translationSt;
  const settings = { autoregisterType: 1, shouldRegisterBackendStrings: 0 };
  return [
    shapedCall(
      "translationSt.strings.settings.create",
      "POST",
      () => strings.settings.create({ autoregisterType: 1 }),
      () => settings,
    ),
    shapedCall(
      "translationSt.strings.settings.list",
      "GET",
      () => strings.settings.list(),
      () => settings,
    ),
    shapedCall(
      "translationSt.strings.itemscount.list",
      "GET",
      () => strings.itemscount.list({ domain: "default" }),
      () => ({
        count: 1,
      }),
    ),
    shapedCall(
      "translationSt.strings.list",
      "GET",
      () => strings.list({ title: "read" }),
      () => ({
        strings: [{ domain: "default", title: "Read more", value: "Read more", language: "en", status: 1 }],
        total: 1,
      }),
    ),
    shapedCall(
      "translationSt.strings.filters.list",
      "GET",
      () => strings.filters.list(),
      () => ({
        domains: ["default"],
        languages: ["en", "pt-pt"],
      }),
    ),
    shapedCall(
      "translationSt.stringPackages.list",
      "GET",
      () => translationSt.stringPackages.list(),
      () => ({
        packages: [{ title: "default", strings: 1 }],
      }),
    ),
    shapedCall(
      "translationSt.strings.processstringsqueue.create",
      "POST",
      () => strings.processstringsqueue.create(),
      () => ({
        processed: 1,
      }),
    ),
    shapedCall(
      "translationSt.importMoStrings.create",
      "POST",
      () => translationSt.importMoStrings.create({ plugins: ["a", "b"] }),
      () => ({ imported: 2 }),
    ),
    shapedCall(
      "translationSt.preGenerateMoFiles.create",
      "POST",
      () => translationSt.preGenerateMoFiles.create(),
      () => ({
        generated: 1,
      }),
    ),
    shapedCall(
      "translationSt.settings.create",
      "POST",
      () => translationSt.settings.create({ group: "g", key: "k", data: [1] }),
      () => ({ group: "g", key: "k", saved: true }),
    ),
  ];
}

function formCalls({ forms: { contactForms } }: ContentClient): Call[] {
  const form = { id: 2 };
  return [
    shapedCall(
      "forms.contactForms.list",
      "GET",
      () => contactForms.list(),
      () => [{ id: 1, title: "Contact", locale: "en", email: "required" }],
    ),
    shapedCall(
      "forms.contactForms.create",
      "POST",
      () => contactForms.create({}, { extra: { title: "Ask us", email: "required" } }),
      () => ({ ...form, title: "Ask us", email: "required" }),
    ),
    shapedCall(
      "forms.contactForms.get",
      "GET",
      () => contactForms.get(form),
      () => ({ ...form, title: "Ask us" }),
    ),
    ...updates.map((method) =>
      shapedCall(
        "forms.contactForms.update",
        method,
        () => contactForms.update(form, { method, extra: { phone: method } }),
        () => ({ ...form, title: "Ask us", email: "required", phone: method }),
      ),
    ),
    shapedCall(
      "forms.contactForms.feedback.create",
      "POST",
      () => contactForms.feedback.create(form, { extra: { email: "a@b.example" } }),
      () => ({ contact_form_id: 2, status: "mail_sent", feedback_id: 1 }),
    ),
    shapedCall(
      "forms.contactForms.refill.list",
      "GET",
      () => contactForms.refill.list(form),
      () => ({
        contact_form_id: 2,
        captcha: null,
      }),
    ),
    shapedCall(
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

function seoCalls({ seo, seoAccount }: ContentClient): Call[] {
  const indexable = { object_type: "project", object_id: 4 };
  return [
    shapedCall(
      "seo.reindexPosts.list",
      "GET",
      () => seo.reindexPosts.list(),
      () => ({ status: "ok", indexed: 5 }),
    ),
    shapedCall(
      "seo.siteAnalysis.list",
      "GET",
      () => seo.siteAnalysis.list(),
      () => ({ score: 100, projects: 2 }),
    ),
    shapedCall(
      "seo.indexables.update",
      "PATCH",
      () => seo.indexables.update(indexable, { extra: { title: "A bridge of steel" } }),
      () => ({ ...indexable, title: "A bridge of steel" }),
    ),
    shapedCall(
      "seo.indexables.get",
      "GET",
      () => seo.indexables.get(indexable),
      () => ({
        ...indexable,
        title: "A bridge of steel",
      }),
    ),
    shapedCall(
      "seo.configurator.create",
      "POST",
      () => seo.configurator.create({}, { extra: { step: 2 } }),
      () => ({
        step: 2,
      }),
    ),
    shapedCall(
      "seo.configurator.list",
      "GET",
      () => seo.configurator.list(),
      () => ({ step: 2 }),
    ),
    shapedCall(
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
    shapedCall(
      "seoAccount.connect.create",
      "POST",
      () => seoAccount.connect.create(),
      () => ({ connected: true }),
    ),
  ];
}
