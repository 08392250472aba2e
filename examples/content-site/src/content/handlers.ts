import type { ContentHandlers } from "@bothends/server/content";
import { blocks } from "./core/blocks.js";
import { media } from "./core/media.js";
import { project } from "./core/project.js";
import { contactForms } from "./forms/contact-forms.js";
import { embed } from "./oembed/embed.js";
import { proxy } from "./oembed/proxy.js";
import { configurator } from "./seo/configurator.js";
import { fileSize } from "./seo/file-size.js";
import { indexables } from "./seo/indexables.js";
import { reindexPosts } from "./seo/reindex-posts.js";
import { siteAnalysis } from "./seo/site-analysis.js";
import { statistics } from "./seo/statistics.js";
import { connect } from "./seo-account/connect.js";
import { customXmlConfig } from "./translation/custom-xml-config.js";
import { itemSections } from "./translation/item-sections.js";
import { posts } from "./translation/posts.js";
import { sendToTranslation } from "./translation/send-to-translation.js";
import { setReviewTranslationOption } from "./translation/set-review-translation-option.js";
import { translateEverything } from "./translation/translate-everything.js";
import { updates } from "./translation/updates.js";
import { importMoStrings } from "./translation-st/import-mo-strings.js";
import { preGenerateMoFiles } from "./translation-st/pre-generate-mo-files.js";
import { settings } from "./translation-st/settings.js";
import { stringPackages } from "./translation-st/string-packages.js";
import { strings } from "./translation-st/strings.js";

/** The handlers of all operations. TypeScript reports missing handlers. */
export const contentHandlers: ContentHandlers = {
  oembed: {
    embed,
    proxy,
  },
  translation: {
    customXmlConfig,
    updates,
    itemSections,
    posts,
    sendToTranslation,
    setReviewTranslationOption,
    translateEverything,
  },
  translationSt: {
    strings,
    stringPackages,
    importMoStrings,
    preGenerateMoFiles,
    settings,
  },
  forms: {
    contactForms,
  },
  seo: {
    configurator,
    reindexPosts,
    siteAnalysis,
    indexables,
    fileSize,
    statistics,
  },
  seoAccount: {
    connect,
  },
  core: {
    media,
    blocks,
    project,
  },
};
