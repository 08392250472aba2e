import type { ContentHandlers, RestContext } from "@bothends/server/content";
import { createPost, removePost, trashPost, updatePost } from "../../posts/change-posts.js";
import { languageOf, listPosts, pageAnswer } from "../../posts/list-posts.js";
import { type Context, projectOf } from "../../posts/objects.js";
import { findPost, type Post, termsOf } from "../../posts/post.js";
import { expectedVersionOf, objectAnswer, readerOf } from "../../posts/request.js";
import { database } from "../../store.js";
import { userOf } from "../../users.js";

const type = "project";

export const project: ContentHandlers["core"]["project"] = {
  list: async (input, context) => {
    const page = await listPosts(type, languageOf(context), input);
    const terms = await termsOf(
      database,
      page.posts.map(({ id }) => id),
    );
    const reader = readerOf(input, context);
    return pageAnswer(
      page,
      page.posts.map((post) => projectOf(post, terms.get(post.id), reader)),
    );
  },
  create: async (input, context) => {
    const author = await userOf(context.headers);
    const post = await createPost({ type, language: languageOf(context), author }, input);
    return objectAnswer(post, await projectAnswer(post, "edit", context), 201);
  },
  get: async (input, context) => {
    const post = await findPost(database, type, input.id);
    return objectAnswer(post, await projectAnswer(post, input.context, context));
  },
  update: async ({ id, ...fields }, context) => {
    await userOf(context.headers);
    const post = await updatePost(type, id, fields, expectedVersionOf(context));
    return objectAnswer(post, await projectAnswer(post, "edit", context));
  },
  delete: async ({ id, force }, context) => {
    await userOf(context.headers);
    if (force === true) {
      const previousAnswer = await projectAnswer(await findPost(database, type, id), "edit", context);
      await removePost(type, id, expectedVersionOf(context));
      return { deleted: true, previous: previousAnswer };
    }
    const post = await trashPost(type, id, expectedVersionOf(context));
    return objectAnswer(post, await projectAnswer(post, "edit", context));
  },
};

async function projectAnswer(post: Post, answerContext: Context, context: RestContext) {
  const terms = await termsOf(database, [post.id]);
  return projectOf(post, terms.get(post.id), readerOf({ context: answerContext }, context));
}
