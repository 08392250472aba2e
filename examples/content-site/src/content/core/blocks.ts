import { type ContentHandlers, RestError } from "@bothends/server/content";
import { findAutosave, listAutosaves, saveAutosave } from "../../posts/autosaves.js";
import { createPost, removePost, trashPost, updatePost } from "../../posts/change-posts.js";
import { createPageAnswer, getLanguage, listPosts } from "../../posts/list-posts.js";
import { createAutosave, createBlock } from "../../posts/objects.js";
import { findPost } from "../../posts/post.js";
import { createObjectAnswer, getReader, readExpectedVersion } from "../../posts/request.js";
import { database } from "../../store.js";
import { requireUser } from "../../users.js";

const type = "wp_block";

export const blocks: ContentHandlers["core"]["blocks"] = {
  list: async (input, context) => {
    const page = await listPosts(type, getLanguage(context), input);
    const reader = getReader(input, context);
    return createPageAnswer(
      page,
      page.posts.map((post) => createBlock(post, reader)),
    );
  },
  create: async (input, context) => {
    const author = await requireUser(context.headers);
    const post = await createPost({ type, language: getLanguage(context), author }, input);
    return createObjectAnswer(post, createBlock(post, getReader({ context: "edit" }, context)), 201);
  },
  get: async (input, context) => {
    const post = await findPost(database, type, input.id);
    if (post.password !== "" && input.password !== undefined && input.password !== post.password) {
      throw new RestError({ code: "rest_post_incorrect_password", message: "Incorrect post password.", status: 403 });
    }
    return createObjectAnswer(post, createBlock(post, getReader(input, context)));
  },
  update: async ({ id, ...fields }, context) => {
    await requireUser(context.headers);
    const post = await updatePost(type, id, fields, readExpectedVersion(context));
    return createObjectAnswer(post, createBlock(post, getReader({ context: "edit" }, context)));
  },
  delete: async ({ id, force }, context) => {
    await requireUser(context.headers);
    const reader = getReader({ context: "edit" }, context);
    if (force === true) {
      return { deleted: true, previous: createBlock(await removePost(type, id, readExpectedVersion(context)), reader) };
    }
    const post = await trashPost(type, id, readExpectedVersion(context));
    return createObjectAnswer(post, createBlock(post, reader));
  },
  autosaves: {
    list: async ({ id }, context) => {
      const autosaves = await listAutosaves((await findPost(database, type, id)).id);
      return autosaves.map((each) => createAutosave(each, getReader({}, context)));
    },
    create: async ({ id, ...fields }, context) => {
      const author = await requireUser(context.headers);
      const saved = await saveAutosave(type, id, author, fields);
      return createAutosave(saved, getReader({}, context));
    },
    get: async ({ parent, id }, context) => {
      const post = await findPost(database, type, parent);
      return createAutosave(await findAutosave(post.id, id), getReader({}, context));
    },
  },
};
