import { type ContentHandlers, type RestContext, RestError } from "@bothends/server/content";
import { createPost, removePost, updatePost } from "../../posts/change-posts.js";
import { createPageAnswer, getLanguage, listPosts } from "../../posts/list-posts.js";
import { createMedia } from "../../posts/objects.js";
import { findPost } from "../../posts/post.js";
import { createObjectAnswer, getReader, readExpectedVersion } from "../../posts/request.js";
import { database } from "../../store.js";
import { deleteUpload, readDimensions, storeUpload, type Upload } from "../../uploads.js";
import { requireUser } from "../../users.js";

const type = "attachment";

export const media: ContentHandlers["core"]["media"] = {
  list: async (_input, context) => {
    const page = await listPosts(type, getLanguage(context), { status: ["inherit", "publish"] });
    const reader = getReader({}, context);
    return createPageAnswer(
      page,
      page.posts.map((post) => createMedia(post, reader)),
    );
  },
  create: async (input, context) => {
    const author = await requireUser(context.headers);
    const upload = uploadOf(context);
    const file = upload === undefined ? "" : await storeUpload(upload);
    try {
      const start = { type, language: getLanguage(context), author, status: "inherit", file } as const;
      const title = upload?.name.replace(/\.[^.]*$/, "") ?? "";
      const details =
        upload === undefined ? {} : { ...readDimensions(upload.bytes), filesize: upload.bytes.length, file };
      const post = await createPost(
        { ...start, title, mimeType: upload?.mimeType ?? "application/octet-stream", mediaDetails: details },
        input,
      );
      return createObjectAnswer(post, createMedia(post, getReader({ context: "edit" }, context)), 201);
    } catch (error) {
      await deleteUpload(file);
      throw error;
    }
  },
  get: async (input, context) => {
    const post = await findPost(database, type, input.id);
    return createObjectAnswer(post, createMedia(post, getReader(input, context)));
  },
  update: async ({ id, ...fields }, context) => {
    await requireUser(context.headers);
    const post = await updatePost(type, id, fields, readExpectedVersion(context));
    return createObjectAnswer(post, createMedia(post, getReader({ context: "edit" }, context)));
  },
  delete: async ({ id, force }, context) => {
    await requireUser(context.headers);
    if (force !== true) {
      throw new RestError({
        code: "rest_trash_not_supported",
        message: "The post does not support trashing. Set 'force=true' to delete.",
        status: 501,
      });
    }
    const post = await removePost(type, id, readExpectedVersion(context));
    await deleteUpload(post.file);
    return { deleted: true, previous: createMedia(post, getReader({ context: "edit" }, context)) };
  },
  postProcess: {
    // The site creates no smaller sizes of pictures, so there is nothing to do.
    create: async ({ id }, context) => {
      const post = await findPost(database, type, id);
      return createObjectAnswer(post, createMedia(post, getReader({ context: "edit" }, context)));
    },
  },
};

/** Returns the file in a request: a file of a form or, as in WordPress, the body with the name in its Content-Disposition. */
function uploadOf({ files, body, headers }: RestContext): Upload | undefined {
  const [file] = files;
  if (file !== undefined) {
    return { name: file.filename || "file", mimeType: file.type || "application/octet-stream", bytes: file.content };
  }
  const [, name] = /filename="?([^";]+)"?/i.exec(headers.get("content-disposition") ?? "") ?? [];
  if (name === undefined || body.length === 0) {
    return undefined;
  }
  return { name, mimeType: headers.get("content-type") ?? "application/octet-stream", bytes: body };
}
