export { type IndexPageRequest, renderIndexPage, renderSitePage, type ServedEntry } from "./overview-pages.js";
export type { PageAnswer } from "./page.js";
export type { IndexLinks } from "./published-index.js";
export { renderServicePage, type ServicePageRequest } from "./service-page.js";
