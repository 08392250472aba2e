import type { ContentHandlers, RestContext } from "@bothends/server/content";
import { createPost, removePost, trashPost, updatePost } from "../../posts/change-posts.js";
import { createPageAnswer, getLanguage, listPosts } from "../../posts/list-posts.js";
import { type Context, createProject } from "../../posts/objects.js";
import { findPost, type Post, readTerms } from "../../posts/post.js";
import { createObjectAnswer, getReader, readExpectedVersion } from "../../posts/request.js";
import { database } from "../../store.js";
import { requireUser } from "../../users.js";

const type = "project";

export const project: ContentHandlers["core"]["project"] = {
  list: async (input, context) => {
    const page = await listPosts(type, getLanguage(context), input);
    const terms = await readTerms(
      database,
      page.posts.map(({ id }) => id),
    );
    const reader = getReader(input, context);
    return createPageAnswer(
      page,
      page.posts.map((post) => createProject(post, terms.get(post.id), reader)),
    );
  },
  create: async (input, context) => {
    const author = await requireUser(context.headers);
    const post = await createPost({ type, language: getLanguage(context), author }, input);
    return createObjectAnswer(post, await createProjectAnswer(post, "edit", context), 201);
  },
  get: async (input, context) => {
    const post = await findPost(database, type, input.id);
    return createObjectAnswer(post, await createProjectAnswer(post, input.context, context));
  },
  update: async ({ id, ...fields }, context) => {
    await requireUser(context.headers);
    const post = await updatePost(type, id, fields, readExpectedVersion(context));
    return createObjectAnswer(post, await createProjectAnswer(post, "edit", context));
  },
  delete: async ({ id, force }, context) => {
    await requireUser(context.headers);
    if (force === true) {
      const previousAnswer = await createProjectAnswer(await findPost(database, type, id), "edit", context);
      await removePost(type, id, readExpectedVersion(context));
      return { deleted: true, previous: previousAnswer };
    }
    const post = await trashPost(type, id, readExpectedVersion(context));
    return createObjectAnswer(post, await createProjectAnswer(post, "edit", context));
  },
};

async function createProjectAnswer(post: Post, answerContext: Context, context: RestContext) {
  const terms = await readTerms(database, [post.id]);
  return createProject(post, terms.get(post.id), getReader({ context: answerContext }, context));
}
