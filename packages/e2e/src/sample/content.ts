import { type ContentHandlers, RestError, restAnswer } from "@bothends/server/content";
import { Collection } from "./collection.js";
import { createBlock, createMedia, createProject } from "./objects.js";

/** Handlers of every endpoint of the content site, with sample data in memory. Each call creates a new site. */
export function createContentSample(): ContentHandlers {
  return {
    oembed: oembedSample,
    translation: translationSample,
    translationSt: stringsSample,
    forms: createFormsSample(),
    seo: seoSample,
    seoAccount: { connect: { create: () => ({ connected: true }) } },
    core: { media: createMediaSample(), blocks: createBlocksSample(), project: createProjectSample() },
  };
}

function createMediaSample(): ContentHandlers["core"]["media"] {
  const items = new Collection(createMedia, 32, listFieldsWithTitles("sample.png"));
  return {
    list: () => items.list({}),
    create: (input) => createCreatedAnswer(items.create(input)),
    get: ({ id }) => items.get(id),
    update: ({ id, ...fields }) => items.update(id, fields),
    delete: ({ id, force }) => {
      if (force === true) {
        return items.remove(id);
      }
      throw new RestError({
        code: "rest_trash_not_supported",
        message: "The post does not support trashing. Set 'force=true' to delete.",
        status: 501,
      });
    },
    postProcess: { create: ({ id }) => items.get(id) },
  };
}

function createBlocksSample(): ContentHandlers["core"]["blocks"] {
  const items = new Collection(createBlock, 29, listFieldsWithTitles("Opening hours", "Call to action", "Address"));
  return {
    list: (input) => items.list(input),
    create: (input) => createCreatedAnswer(items.create(input)),
    get: ({ id }) => items.get(id),
    update: ({ id, ...fields }) => items.update(id, fields),
    delete: ({ id, force }) => (force === true ? items.remove(id) : items.store({ ...items.get(id), status: "trash" })),
    autosaves: {
      list: ({ id }) => [{ parent: items.get(id).id, id: 100 }],
      create: ({ id, slug }) => ({ slug, parent: id, id: 100 }),
      get: ({ parent, id }) => ({ parent, id }),
    },
  };
}

function createProjectSample(): ContentHandlers["core"]["project"] {
  const items = new Collection(createProject, 4, listFieldsWithTitles("Bridge", "Tower", "Harbour"));
  return {
    list: (input) => items.list(input),
    create: (input) => createCreatedAnswer(items.create(input)),
    get: ({ id }) => items.get(id),
    update: ({ id, ...fields }) => items.update(id, fields),
    delete: ({ id, force }) => (force === true ? items.remove(id) : items.store({ ...items.get(id), status: "trash" })),
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

interface Form {
  readonly title?: string;
  readonly savedBy?: string;
}

function createFormsSample(): ContentHandlers["forms"] {
  const make = (id: number, fields: Form, previousItem: (Form & { readonly id: number }) | undefined) => ({
    ...previousItem,
    ...fields,
    id,
  });
  const forms = new Collection(make, 1, [{ title: "Contact" }]);
  return {
    contactForms: {
      list: () => forms.list({}),
      create: () => createCreatedAnswer(forms.create({ title: "Untitled" })),
      get: ({ id }) => ({ ...forms.get(id) }),
      update: ({ id }, { method }) => ({ ...forms.update(id, { savedBy: method }) }),
      delete: ({ id }) => forms.remove(id),
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

function createCreatedAnswer<Item>(item: Item) {
  return restAnswer({ status: 201, headers: {}, body: item });
}

function listFieldsWithTitles(...titles: readonly string[]) {
  return titles.map((raw) => ({ title: { raw }, status: "publish" as const }));
}
