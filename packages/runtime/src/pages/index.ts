export { type IndexPageRequest, indexPage, type ServedEntry, sitePage } from "./overview-pages.js";
export type { PageAnswer } from "./page.js";
export type { IndexLinks } from "./published-index.js";
export { type ServicePageRequest, servicePage } from "./service-page.js";
