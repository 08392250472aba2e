import { contentRoutes } from "@bothends/server/content";
import { answerOutages } from "./answer-outages.js";
import { contentHandlers } from "./content/handlers.js";
import { uploadRoutes } from "./upload-routes.js";

/** All routes of this server. */
export const routes = [
  uploadRoutes,
  contentRoutes(contentHandlers, {
    name: "Content site",
    description: "A site in English and Portuguese",
    gmt_offset: "0",
    timezone_string: "UTC",
    use: answerOutages,
  }),
];
