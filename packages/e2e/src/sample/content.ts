import type { JsonObject } from "@bothends/runtime";
import { type ContentHandlers, RestError, restAnswer } from "@bothends/server/content";
import { Collection } from "./collection.js";

/** Handlers of every endpoint of the content site, with sample data in memory. Each call makes a fresh site. */
export function contentSample(): ContentHandlers {
  const media = new Collection("media", 32, ["sample.png"]);
  const blocks = new Collection("block", 29, ["Opening hours", "Call to action", "Address"]);
  const project = new Collection("project", 4, ["Bridge", "Tower", "Harbour"]);
  const forms = new Collection("form", 1, ["Contact"]);
  return {
    oembed: oembedSample,
    translation: translationSample,
    translationSt: stringsSample,
    forms: formsSample(forms),
    seo: seoSample,
    seoAccount: { connect: { create: () => ({ connected: true }) } },
    core: {
      media: {
        list: () => media.list({}),
        create: (input) => created(media.create(fieldsOf(input))),
        get: ({ id }) => media.get(id),
        update: ({ id, ...fields }) => media.update(id, fieldsOf(fields)),
        delete: ({ id, force }) => {
          if (force === true) return media.delete(id, true);
          throw new RestError({
            code: "rest_trash_not_supported",
            message: "The post does not support trashing. Set 'force=true' to delete.",
            status: 501,
          });
        },
        postProcess: { create: ({ id, action }) => ({ ...media.get(id), action }) },
      },
      blocks: {
        list: (input) => blocks.list(input),
        create: (input) => created(blocks.create(fieldsOf(input))),
        get: ({ id }) => blocks.get(id),
        update: ({ id, ...fields }) => blocks.update(id, fieldsOf(fields)),
        delete: ({ id, force }) => blocks.delete(id, force ?? false),
        autosaves: {
          list: ({ id }) => [{ parent: blocks.get(id)["id"] ?? null, id: 100 }],
          create: ({ id, parent, ...fields }) => ({ ...fieldsOf(fields), parent: id, id: 100 }),
          get: ({ parent, id }) => ({ parent, id }),
        },
      },
      project: {
        list: (input) => project.list(input),
        create: (input) => created(project.create(fieldsOf(input))),
        get: ({ id }) => project.get(id),
        update: ({ id, ...fields }) => project.update(id, fieldsOf(fields)),
        delete: ({ id, force }) => project.delete(id, force ?? false),
      },
    },
  };
}

const oembedSample: ContentHandlers["oembed"] = {
  embed: {
    list: ({ url, format, maxwidth }) => ({
      version: "1.0",
      type: "link",
      url: String(url),
      format: String(format),
      width: Number(maxwidth),
    }),
  },
  proxy: {
    list: ({ url, maxwidth, discover }) => ({
      version: "1.0",
      type: "rich",
      url,
      width: maxwidth ?? 0,
      discover: discover ?? true,
    }),
  },
};

const translationSample: ContentHandlers["translation"] = {
  customXmlConfig: {
    list: () => ({ content: "<wpml-config/>" }),
    create: () => ({ saved: true }),
    validate: { create: () => ({ valid: true }) },
  },
  updates: { create: () => ({ updated: 2 }) },
  itemSections: { populated: { list: () => ["post", "page"] } },
  posts: {
    list: (_, { language }) => [{ id: 4, language: language ?? "" }],
    count: { list: () => ({ count: 3 }) },
    hierarchical: { list: () => [{ id: 4, children: [] }] },
    taxonomies: { list: () => ["project_category", "project_tag"] },
    terms: { list: () => [{ id: 2, name: "Web" }] },
  },
  sendToTranslation: {
    validateTranslationOptions: { create: () => ({ valid: true }) },
    defaultBatchName: { list: () => "Site|1" },
    validateBatchName: { create: () => ({ valid: true }) },
  },
  setReviewTranslationOption: { create: () => ({ saved: true }) },
  translateEverything: {
    enable: { create: () => ({ enabled: true }) },
    disable: { create: () => ({ enabled: false }) },
  },
};

const stringsSample: ContentHandlers["translationSt"] = {
  strings: {
    list: ({ limit, offset }) => ({ strings: [], limit: limit ?? 0, offset: offset ?? 0 }),
    settings: {
      list: () => ({ autoregisterType: 0 }),
      create: ({ autoregisterType, shouldRegisterBackendStrings }) => ({
        autoregisterType: autoregisterType ?? 0,
        shouldRegisterBackendStrings: shouldRegisterBackendStrings ?? 0,
      }),
    },
    itemscount: { list: () => ({ count: 0 }) },
    filters: { list: () => ({ domains: ["default"] }) },
    processstringsqueue: { create: () => ({ processed: 0 }) },
  },
  stringPackages: {
    list: ({ translationStatuses }) => ({ packages: [], statuses: (translationStatuses ?? []).map(String) }),
  },
  importMoStrings: { create: ({ plugins }) => ({ imported: (plugins ?? []).length }) },
  preGenerateMoFiles: { create: () => ({ generated: 0 }) },
  settings: { create: ({ group, key }) => ({ group: String(group), key: String(key), saved: true }) },
};

function formsSample(forms: Collection): ContentHandlers["forms"] {
  return {
    contactForms: {
      list: () => forms.list({}),
      create: () => created(forms.create({ title: "Untitled" })),
      get: ({ id }) => forms.get(id),
      update: ({ id }, { method }) => forms.update(id, { savedBy: method }),
      delete: ({ id }) => forms.delete(id, true),
      feedback: { create: ({ id }) => ({ contact_form_id: id, status: "mail_sent" }) },
      refill: { list: ({ id }) => ({ contact_form_id: id }) },
    },
  };
}

const seoSample: ContentHandlers["seo"] = {
  configurator: { list: () => ({ step: 1 }), create: () => ({ step: 2 }) },
  reindexPosts: { list: () => ({ status: "ok" }) },
  siteAnalysis: { list: () => ({ score: 90 }) },
  indexables: {
    get: ({ object_type, object_id }) => ({ object_type, object_id }),
    update: ({ object_type, object_id }) => ({ object_type, object_id, updated: true }),
  },
  fileSize: { list: ({ url }) => ({ url, size_in_bytes: 1024 }) },
  statistics: { list: () => ({ posts: 3 }) },
};

function created(item: JsonObject) {
  return restAnswer({ status: 201, headers: {}, body: item });
}

/** The members of an input that were given, as a JSON object. */
function fieldsOf(input: object): JsonObject {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && name !== "translation_language"),
  );
}
