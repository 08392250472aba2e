import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { uploadFolder } from "./site.js";

/** A file in a request. */
export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/**
 * Stores a file below the folder of uploads, and returns its path there. The file is complete or absent, also after a crash:
 * it is written under another name, flushed and renamed.
 */
export async function storeUpload({ name, bytes }: Upload): Promise<string> {
  const extension = extname(basename(name))
    .replaceAll(/[^.\w]/g, "")
    .toLowerCase();
  const file = `${new Date().toISOString().slice(0, 7).replace("-", "/")}/${randomUUID()}${extension}`;
  const path = join(uploadFolder, file);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.part`;
  try {
    const handle = await open(temporary, "w");
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return file;
}

/** Deletes a stored file if it exists. */
export async function deleteUpload(file: string): Promise<void> {
  if (file !== "") {
    await rm(join(uploadFolder, file), { force: true });
  }
}

/** Reads the width and the height of a PNG, GIF or JPEG in pixels; undefined for other files. */
export function readDimensions(bytes: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && view.getUint32(0) === 0x89504e47) {
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (bytes.length >= 10 && view.getUint32(0) === 0x47494638) {
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  return bytes.length >= 4 && view.getUint16(0) === 0xffd8 ? readJpegDimensions(view) : undefined;
}

/** Reads the size from the first start-of-frame segment (ITU-T T.81, B.2.2). */
function readJpegDimensions(view: DataView): { readonly width: number; readonly height: number } | undefined {
  for (let offset = 2; offset + 9 < view.byteLength; ) {
    const marker = view.getUint16(offset);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) {
      return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    }
    offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}
