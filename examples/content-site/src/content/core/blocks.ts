import { type ContentHandlers, RestError } from "@bothends/server/content";
import { findAutosave, listAutosaves, saveAutosave } from "../../posts/autosaves.js";
import { createPost, removePost, trashPost, updatePost } from "../../posts/change-posts.js";
import { languageOf, listPosts, pageAnswer } from "../../posts/list-posts.js";
import { autosaveOf, blockOf } from "../../posts/objects.js";
import { findPost } from "../../posts/post.js";
import { expectedVersionOf, objectAnswer, readerOf } from "../../posts/request.js";
import { database } from "../../store.js";
import { userOf } from "../../users.js";

const type = "wp_block";

export const blocks: ContentHandlers["core"]["blocks"] = {
  list: async (input, context) => {
    const page = await listPosts(type, languageOf(context), input);
    const reader = readerOf(input, context);
    return pageAnswer(
      page,
      page.posts.map((post) => blockOf(post, reader)),
    );
  },
  create: async (input, context) => {
    const author = await userOf(context.headers);
    const post = await createPost({ type, language: languageOf(context), author }, input);
    return objectAnswer(post, blockOf(post, readerOf({ context: "edit" }, context)), 201);
  },
  get: async (input, context) => {
    const post = await findPost(database, type, input.id);
    if (post.password !== "" && input.password !== undefined && input.password !== post.password) {
      throw new RestError({ code: "rest_post_incorrect_password", message: "Incorrect post password.", status: 403 });
    }
    return objectAnswer(post, blockOf(post, readerOf(input, context)));
  },
  update: async ({ id, ...fields }, context) => {
    await userOf(context.headers);
    const post = await updatePost(type, id, fields, expectedVersionOf(context));
    return objectAnswer(post, blockOf(post, readerOf({ context: "edit" }, context)));
  },
  delete: async ({ id, force }, context) => {
    await userOf(context.headers);
    const reader = readerOf({ context: "edit" }, context);
    if (force === true) {
      return { deleted: true, previous: blockOf(await removePost(type, id, expectedVersionOf(context)), reader) };
    }
    const post = await trashPost(type, id, expectedVersionOf(context));
    return objectAnswer(post, blockOf(post, reader));
  },
  autosaves: {
    list: async ({ id }, context) => {
      const autosaves = await listAutosaves((await findPost(database, type, id)).id);
      return autosaves.map((each) => autosaveOf(each, readerOf({}, context)));
    },
    create: async ({ id, ...fields }, context) => {
      const author = await userOf(context.headers);
      const saved = await saveAutosave(type, id, author, fields);
      return autosaveOf(saved, readerOf({}, context));
    },
    get: async ({ parent, id }, context) => {
      const post = await findPost(database, type, parent);
      return autosaveOf(await findAutosave(post.id, id), readerOf({}, context));
    },
  },
};
