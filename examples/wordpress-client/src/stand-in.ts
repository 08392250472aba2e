import { RestError } from "@bothends/runtime";
import type { Transport } from "@bothends/runtime/client";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { restAnswer } from "@bothends/runtime/rest-server";
import { webHandler } from "@bothends/runtime/server/web";
import { type PostForEdit, siteRoutes } from "#server/site";

/** Returns a transport to a site in memory: the generated server with a few posts. */
export function createStandIn(): Transport {
  const posts = new Map<number, PostForEdit>();
  const addPost = (text: string, status: PostForEdit["status"] = "publish"): PostForEdit => {
    const title = { raw: text, rendered: text };
    const post: PostForEdit = { id: posts.size + 1, date: "2026-11-22T10:00:00", status, title, _links: {} };
    posts.set(post.id, post);
    return post;
  };
  for (const title of ["One", "Two", "Three"]) {
    addPost(title);
  }
  const requirePost = (id: number): PostForEdit => {
    const post = posts.get(id);
    if (post === undefined) {
      throw new RestError({ code: "rest_post_invalid_id", message: "Invalid post ID.", status: 404 });
    }
    return post;
  };

  const routes = siteRoutes({
    wp: {
      posts: {
        list({ page = 1, per_page: size = 10 }) {
          const all = [...posts.values()];
          const pages = Math.ceil(all.length / size);
          return restAnswer({
            body: all.slice((page - 1) * size, page * size),
            headers: { "x-wp-total": String(all.length), "x-wp-totalpages": String(pages) },
          });
        },
        create: ({ title, status }) => restAnswer({ status: 201, body: addPost(title?.raw ?? "", status) }),
        get: ({ id }) => requirePost(id),
        update({ id, title }) {
          const text = title?.raw ?? requirePost(id).title.raw;
          const post = { ...requirePost(id), title: { raw: text, rendered: text } };
          posts.set(id, post);
          return post;
        },
        delete({ id }) {
          const previous = requirePost(id);
          posts.delete(id);
          return { deleted: true, previous };
        },
      },
    },
  });
  return fetchTransport(webHandler([routes]));
}
