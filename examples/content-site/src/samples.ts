import { sql } from "drizzle-orm";
import type { Database } from "./database.js";
import { forms, posts, postTerms, strings, terms, users } from "./tables.js";

/** Fills an empty database with a user, some content in both languages, a form and strings. */
export async function insertSamples(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    // Of several processes that start together, only one inserts the samples.
    await transaction.execute(sql`lock table ${users} in exclusive mode`);
    const [firstUser] = await transaction.select().from(users).limit(1);
    if (firstUser !== undefined) {
      return;
    }
    const [user] = await transaction.insert(users).values({ login: "admin", name: "Administrator" }).returning();
    const author = user?.id ?? 1;
    const publishedPost = { author, status: "publish", date: new Date("2026-03-31T10:00:00Z") } as const;
    const created = await transaction
      .insert(posts)
      .values([
        {
          ...publishedPost,
          type: "wp_block",
          language: "en",
          slug: "opening-hours",
          title: "Opening hours",
          content: "<p>9 to 5</p>",
        },
        {
          ...publishedPost,
          type: "wp_block",
          language: "en",
          slug: "address",
          title: "Address",
          content: "<p>1 High Street</p>",
        },
        {
          ...publishedPost,
          type: "wp_block",
          language: "pt-pt",
          slug: "horario",
          title: "Horário",
          content: "<p>9 às 17</p>",
        },
        {
          ...publishedPost,
          type: "project",
          language: "en",
          slug: "bridge",
          title: "Bridge",
          content: "<p>A bridge</p>",
          excerpt: "A bridge",
        },
        {
          ...publishedPost,
          type: "project",
          language: "pt-pt",
          slug: "ponte",
          title: "Ponte",
          content: "<p>Uma ponte</p>",
          excerpt: "Uma ponte",
        },
      ])
      .returning();
    const [category] = await transaction
      .insert(terms)
      .values([
        { taxonomy: "project_category", name: "Steel", slug: "steel" },
        { taxonomy: "project_tag", name: "River", slug: "river" },
      ])
      .returning();
    const projects = created.filter(({ type }) => type === "project");
    if (category !== undefined) {
      await transaction.insert(postTerms).values(projects.map(({ id }) => ({ postId: id, termId: category.id })));
    }
    await transaction.insert(forms).values({ title: "Contact", language: "en", fields: { email: "required" } });
    await transaction
      .insert(strings)
      .values({ domain: "default", title: "Read more", value: "Read more", language: "en", status: 1 });
  });
}

/** Adds published blocks with the slugs `seed-0`, `seed-1` and so on. Existing blocks are not changed. */
export async function insertSeed(database: Database, count: number, progress: (done: number) => void): Promise<void> {
  const step = 20_000;
  for (let from = 0; from < count; from += step) {
    const to = Math.min(from + step, count) - 1;
    await database.execute(sql`
      insert into ${posts} (type, language, status, slug, author, date, title, content)
      select 'wp_block', (array['en', 'pt-pt'])[1 + i % 2], 'publish', 'seed-' || i, 1,
        timestamptz '2020-01-01' + i * interval '20 minutes', 'Block ' || i,
        '<p>' || (array['Opening', 'Closing', 'Visiting'])[1 + i % 3] || ' hours of office ' || i || '</p>'
      from generate_series(${from}::int, ${to}::int) as i
      on conflict do nothing`);
    progress(to + 1);
  }
  // Updates the statistics of the table, by which PostgreSQL plans queries.
  await database.execute(sql`vacuum (analyze) ${posts}`);
}
