import { ContentClient } from "@bothends/client/content";
import type { Call } from "./call.js";
import { type Shape, shapeProblem } from "./shapes.js";

/** Every method of every route of the content site, on a site that has only its samples. Later calls use what earlier ones made. */
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

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
const updates = ["POST", "PUT", "PATCH"] as const;

/** A call with the shape of its answer, which is made after the call, as it may depend on earlier answers. */
function call(operation: string, protocol: Method, run: () => Promise<unknown>, shape: () => Shape): Call {
  return { operation, protocol, run, expected: { check: (answer) => shapeProblem(answer, shape()) } };
}

function oembedCalls({ oembed }: ContentClient, siteUrl: string): Call[] {
  const bridge = `${siteUrl}/?p=4`;
  const elsewhere = "https://other.example/a";
  return [
    call(
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
    call(
      "oembed.proxy.list",
      "GET",
      () => oembed.proxy.list({ url: elsewhere, maxwidth: 300 }),
      () => ({
        type: "link",
        url: elsewhere,
        width: 300,
      }),
    ),
  ];
}

function translationCalls({ translation }: ContentClient, { translation: portuguese }: ContentClient): Call[] {
  const { customXmlConfig, posts, sendToTranslation, translateEverything } = translation;
  const content = "<wpml-config/>";
  return [
    call(
      "translation.customXmlConfig.create",
      "POST",
      () => customXmlConfig.create({}, { extra: { content } }),
      () => ({
        saved: true,
      }),
    ),
    call(
      "translation.customXmlConfig.list",
      "GET",
      () => customXmlConfig.list(),
      () => ({ content }),
    ),
    call(
      "translation.customXmlConfig.validate.create",
      "POST",
      () => customXmlConfig.validate.create({}, { extra: { content: "<a><b></a>" } }),
      () => ({ valid: false }),
    ),
    call(
      "translation.updates.create",
      "POST",
      () => translation.updates.create(),
      () => ({
        updated: (value) => Math.abs(Date.parse(String(value)) - Date.now()) < 60_000,
      }),
    ),
    call(
      "translation.itemSections.populated.list",
      "GET",
      () => translation.itemSections.populated.list(),
      () => ["project", "wp_block"],
    ),
    call(
      "translation.posts.list",
      "GET",
      () => portuguese.posts.list(),
      () => [
        { id: 3, title: "Horário", type: "wp_block", language: "pt-pt", status: "publish" },
        { id: 5, title: "Ponte", type: "project", language: "pt-pt", status: "publish" },
      ],
    ),
    call(
      "translation.posts.count.list",
      "GET",
      () => portuguese.posts.count.list(),
      () => ({ count: 2 }),
    ),
    call(
      "translation.posts.hierarchical.list",
      "GET",
      () => posts.hierarchical.list(),
      () => [
        { id: 1, title: "Opening hours", children: [] },
        { id: 2, title: "Address", children: [] },
        { id: 4, title: "Bridge", children: [] },
      ],
    ),
    call(
      "translation.posts.taxonomies.list",
      "GET",
      () => posts.taxonomies.list(),
      () => [
        { name: "project_category", terms: 1 },
        { name: "project_tag", terms: 1 },
      ],
    ),
    call(
      "translation.posts.terms.list",
      "GET",
      () => posts.terms.list(),
      () => [
        { id: 1, taxonomy: "project_category", name: "Steel", slug: "steel" },
        { id: 2, taxonomy: "project_tag", name: "River", slug: "river" },
      ],
    ),
    call(
      "translation.sendToTranslation.validateTranslationOptions.create",
      "POST",
      () => sendToTranslation.validateTranslationOptions.create({}, { extra: { languages: ["en", "de"] } }),
      () => ({ valid: false }),
    ),
    call(
      "translation.sendToTranslation.defaultBatchName.list",
      "GET",
      () => sendToTranslation.defaultBatchName.list(),
      () => "Site|1",
    ),
    call(
      "translation.sendToTranslation.validateBatchName.create",
      "POST",
      () => sendToTranslation.validateBatchName.create({}, { extra: { name: "Site|1" } }),
      () => ({ valid: true }),
    ),
    call(
      "translation.setReviewTranslationOption.create",
      "POST",
      () => translation.setReviewTranslationOption.create({}, { extra: { mode: "before-publish" } }),
      () => ({ saved: true, mode: "before-publish" }),
    ),
    call(
      "translation.translateEverything.enable.create",
      "POST",
      () => translateEverything.enable.create(),
      () => ({
        enabled: true,
      }),
    ),
    call(
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
    call(
      "translationSt.strings.settings.create",
      "POST",
      () => strings.settings.create({ autoregisterType: 1 }),
      () => settings,
    ),
    call(
      "translationSt.strings.settings.list",
      "GET",
      () => strings.settings.list(),
      () => settings,
    ),
    call(
      "translationSt.strings.itemscount.list",
      "GET",
      () => strings.itemscount.list({ domain: "default" }),
      () => ({
        count: 1,
      }),
    ),
    call(
      "translationSt.strings.list",
      "GET",
      () => strings.list({ title: "read" }),
      () => ({
        strings: [{ domain: "default", title: "Read more", value: "Read more", language: "en", status: 1 }],
        total: 1,
      }),
    ),
    call(
      "translationSt.strings.filters.list",
      "GET",
      () => strings.filters.list(),
      () => ({
        domains: ["default"],
        languages: ["en", "pt-pt"],
      }),
    ),
    call(
      "translationSt.stringPackages.list",
      "GET",
      () => translationSt.stringPackages.list(),
      () => ({
        packages: [{ title: "default", strings: 1 }],
      }),
    ),
    call(
      "translationSt.strings.processstringsqueue.create",
      "POST",
      () => strings.processstringsqueue.create(),
      () => ({
        processed: 1,
      }),
    ),
    call(
      "translationSt.importMoStrings.create",
      "POST",
      () => translationSt.importMoStrings.create({ plugins: ["a", "b"] }),
      () => ({ imported: 2 }),
    ),
    call(
      "translationSt.preGenerateMoFiles.create",
      "POST",
      () => translationSt.preGenerateMoFiles.create(),
      () => ({
        generated: 1,
      }),
    ),
    call(
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
    call(
      "forms.contactForms.list",
      "GET",
      () => contactForms.list(),
      () => [{ id: 1, title: "Contact", locale: "en", email: "required" }],
    ),
    call(
      "forms.contactForms.create",
      "POST",
      () => contactForms.create({}, { extra: { title: "Ask us", email: "required" } }),
      () => ({ ...form, title: "Ask us", email: "required" }),
    ),
    call(
      "forms.contactForms.get",
      "GET",
      () => contactForms.get(form),
      () => ({ ...form, title: "Ask us" }),
    ),
    ...updates.map((method) =>
      call(
        "forms.contactForms.update",
        method,
        () => contactForms.update(form, { method, extra: { phone: method } }),
        () => ({ ...form, title: "Ask us", email: "required", phone: method }),
      ),
    ),
    call(
      "forms.contactForms.feedback.create",
      "POST",
      () => contactForms.feedback.create(form, { extra: { email: "a@b.example" } }),
      () => ({ contact_form_id: 2, status: "mail_sent", feedback_id: 1 }),
    ),
    call(
      "forms.contactForms.refill.list",
      "GET",
      () => contactForms.refill.list(form),
      () => ({
        contact_form_id: 2,
        captcha: null,
      }),
    ),
    call(
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
    call(
      "seo.reindexPosts.list",
      "GET",
      () => seo.reindexPosts.list(),
      () => ({ status: "ok", indexed: 5 }),
    ),
    call(
      "seo.siteAnalysis.list",
      "GET",
      () => seo.siteAnalysis.list(),
      () => ({ score: 100, projects: 2 }),
    ),
    call(
      "seo.indexables.update",
      "PATCH",
      () => seo.indexables.update(indexable, { extra: { title: "A bridge of steel" } }),
      () => ({ ...indexable, title: "A bridge of steel" }),
    ),
    call(
      "seo.indexables.get",
      "GET",
      () => seo.indexables.get(indexable),
      () => ({
        ...indexable,
        title: "A bridge of steel",
      }),
    ),
    call(
      "seo.configurator.create",
      "POST",
      () => seo.configurator.create({}, { extra: { step: 2 } }),
      () => ({
        step: 2,
      }),
    ),
    call(
      "seo.configurator.list",
      "GET",
      () => seo.configurator.list(),
      () => ({ step: 2 }),
    ),
    call(
      "seo.statistics.list",
      "GET",
      () => seo.statistics.list(),
      () => (value) =>
        Array.isArray(value) &&
        value.length === 2 &&
        [
          { type: "wp_block", status: "publish", count: 3 },
          { type: "project", status: "publish", count: 2 },
        ].every((row) => value.some((each: unknown) => shapeProblem(each, row) === undefined)),
    ),
    call(
      "seoAccount.connect.create",
      "POST",
      () => seoAccount.connect.create(),
      () => ({ connected: true }),
    ),
  ];
}

function blockCalls({ core: { blocks } }: ContentClient): Call[] {
  const block = { id: 0 };
  const autosave = { id: 0 };
  return [
    call(
      "core.blocks.create",
      "POST",
      async () => {
        const content = { raw: "<p>10 to 4</p>" };
        const created = await blocks.create({ title: { raw: "New hours" }, content, status: "publish", date: null });
        block.id = created.id;
        return created;
      },
      () => ({ title: { raw: "New hours" }, slug: "new-hours", status: "publish", type: "wp_block" }),
    ),
    call(
      "core.blocks.list",
      "GET",
      () => blocks.list({ search: "hours", per_page: 2, orderby: "title", order: "asc" }),
      () => [{ ...block, slug: "new-hours" }, { slug: "opening-hours" }],
    ),
    call(
      "core.blocks.get",
      "GET",
      () => blocks.get(block),
      () => ({
        ...block,
        content: { raw: "<p>10 to 4</p>", protected: false },
      }),
    ),
    ...updates.map((method) =>
      call(
        "core.blocks.update",
        method,
        () => blocks.update({ ...block, slug: method }, { method }),
        () => ({
          ...block,
          slug: method.toLowerCase(),
          title: { raw: "New hours" },
        }),
      ),
    ),
    call(
      "core.blocks.autosaves.create",
      "POST",
      async () => {
        const saved = await blocks.autosaves.create({ ...block, content: { raw: "Closed" } });
        autosave.id = saved.id;
        return saved;
      },
      () => ({ parent: block.id, title: { raw: "New hours" }, content: { raw: "Closed" } }),
    ),
    call(
      "core.blocks.autosaves.list",
      "GET",
      () => blocks.autosaves.list(block),
      () => [{ ...autosave, parent: block.id }],
    ),
    call(
      "core.blocks.autosaves.get",
      "GET",
      () => blocks.autosaves.get({ ...autosave, parent: block.id }),
      () => ({ ...autosave, content: { raw: "Closed" } }),
    ),
    call(
      "core.blocks.delete",
      "DELETE",
      () => blocks.delete(block),
      () => ({ ...block, status: "trash" }),
    ),
  ];
}

function projectCalls({ core: { project } }: ContentClient): Call[] {
  const dam = { id: 0 };
  return [
    call(
      "core.project.create",
      "POST",
      async () => {
        const created = await project.create({ title: { raw: "Dam" }, status: "private", project_category: [1] });
        dam.id = created.id;
        return created;
      },
      () => ({ title: { raw: "Dam", rendered: "Dam" }, status: "private", project_category: [1], project_tag: [] }),
    ),
    call(
      "core.project.list",
      "GET",
      () => project.list({ project_category: [1], status: ["publish", "private"], orderby: "title", order: "desc" }),
      () => [
        { ...dam, status: "private" },
        { id: 4, slug: "bridge", title: { rendered: "Bridge" } },
      ],
    ),
    call(
      "core.project.get",
      "GET",
      () => project.get({ ...dam, context: "edit" }),
      () => ({
        ...dam,
        title: { raw: "Dam" },
      }),
    ),
    ...updates.map((method) =>
      call(
        "core.project.update",
        method,
        () => project.update({ ...dam, template: method }, { method }),
        () => ({
          ...dam,
          template: method,
          project_category: [1],
        }),
      ),
    ),
    call(
      "core.project.delete",
      "DELETE",
      () => project.delete({ ...dam, force: true }),
      () => ({
        deleted: true,
        previous: { ...dam, template: "PATCH" },
      }),
    ),
  ];
}

/** The beginning of a PNG of 16 by 8 pixels. */
const picture = Uint8Array.from(Buffer.from("89504e470d0a1a0a0000000d4948445200000010000000080806000000", "hex"));

function mediaCalls({ core: { media }, seo }: ContentClient): Call[] {
  const item = { id: 0 };
  let source = "";
  return [
    call(
      "core.media.create",
      "POST",
      async () => {
        const upload = { content: picture, type: "image/png", name: "river.png" };
        const created = await media.create({ alt_text: "A river" }, { upload });
        item.id = created.id;
        source = created.source_url ?? "";
        return created;
      },
      () => ({
        title: { raw: "river" },
        alt_text: "A river",
        mime_type: "image/png",
        media_details: { width: 16, height: 8, filesize: picture.length },
      }),
    ),
    call(
      "core.media.list",
      "GET",
      () => media.list(),
      () => [{ ...item, source_url: source }],
    ),
    call(
      "core.media.get",
      "GET",
      () => media.get(item),
      () => ({ ...item, alt_text: "A river" }),
    ),
    ...updates.map((method) =>
      call(
        "core.media.update",
        method,
        () => media.update({ ...item, alt_text: method }, { method }),
        () => ({
          ...item,
          alt_text: method,
        }),
      ),
    ),
    call(
      "core.media.postProcess.create",
      "POST",
      () => media.postProcess.create({ ...item, action: "create-image-subsizes" }),
      () => item,
    ),
    call(
      "seo.fileSize.list",
      "GET",
      () => seo.fileSize.list({ url: source }),
      () => ({
        url: source,
        size_in_bytes: picture.length,
      }),
    ),
    call(
      "core.media.delete",
      "DELETE",
      () => media.delete({ ...item, force: true }),
      () => ({
        deleted: true,
        previous: item,
      }),
    ),
  ];
}
