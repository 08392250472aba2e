import type { ContentHandlers } from "@bothends/server/content";

/** Describes an external address as a link. The site sends no request, because callers choose the address. */
export const proxy: ContentHandlers["oembed"]["proxy"] = {
  list: ({ url, maxwidth, maxheight }) => ({
    version: "1.0",
    type: "link",
    url,
    width: maxwidth ?? 600,
    height: maxheight ?? null,
  }),
};
