/** What a listing of the REST interface answers. */
export const items = Array.from({ length: 10 }, (_, index) => ({
  id: index + 1,
  date: "2026-03-31T10:00:00",
  slug: `block-${index}`,
  status: "publish",
  type: "core_block",
  title: { raw: `Block ${index}`, rendered: `Block ${index}` },
  content: { raw: "<p>Opening hours</p>", protected: false },
  link: `https://site.example/blocks/${index}`,
}));

/** A listing with 13 arguments. */
export const listingTarget =
  "/en/api/core/v2/blocks?context=view&page=1&per_page=10&search=hours&after=2020-01-01T00:00:00&before=2027-01-01T00:00:00" +
  "&exclude[]=4&exclude[]=5&include=1,2,3&offset=0&order=asc&orderby=title&slug[]=a&slug[]=b&status=publish,draft";
