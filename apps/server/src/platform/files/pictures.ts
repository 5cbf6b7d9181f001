import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PICTURE_PATH, PUBLIC_PICTURE_PATH } from '@fairlot/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { PictureTextTable, StoredFileTable } from '../database/file-schema.ts'
import type { Queries } from '../database/open.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { createMutex } from '../concurrency.ts'
import { createBucketStore, createFolderStore, type FileStore } from './file-store.ts'
import { similarPictures, type SimilarPicture } from './similar-pictures.ts'
import { readPicture, type Picture, type PictureUse } from './picture.ts'
import { findFile, forgetFile, handOverFile, markUnused, tieFile, type StoredFile } from './stored-files.ts'

/** Pictures that users and operators upload. */
export type Pictures = {
  /** Stores a picture of a user; returns its url, for this user and the desk. */
  keep(userId: number, original: Buffer): Promise<{ readonly url: string } | Refusal>
  /** Stores a picture of an operator until it is passed to a user; returns its key. */
  keepToHandOver(operatorId: number, original: Buffer): Promise<{ readonly key: string } | Refusal>
  handOver: typeof handOverFile
  /** Stores a picture of an operator permanently; returns its public url. */
  keepPublic(operatorId: number, original: Buffer): Promise<{ readonly url: string } | Refusal>
  /** The public picture of a name such as `<key>.webp`; null for any other picture. */
  findPublic(name: string): Promise<StoredFile | null>
  /** The picture at a url that `keep` returned for this user; null for anything else. */
  ownPictureOf(url: string, userId: number): Promise<StoredFile | null>
  /** The picture of a key, of any owner. */
  find(key: string): Promise<StoredFile | null>
  /** Null when they are missing. */
  bytesOf(file: StoredFile): Promise<Buffer | null>
  /** Assigns a picture to a case such as `deposit:7`, in its transaction; false when it is gone or belongs to another case. */
  tie: typeof tieFile
  /** For each picture the same or similar ones of other cases, by key. */
  like(keys: readonly string[]): Promise<ReadonlyMap<string, readonly SimilarPicture[]>>
  /** Removes pictures that no case has used within a day. */
  removeUnused(): Promise<void>
}

const UNUSED_MS = 86_400_000
const KEY_BYTES = 24
/** The `kind` of a public picture. It is also its `used_by`, so that it is never removed: old versions of texts refer to it. */
const PUBLIC = 'public'
const PUBLIC_ENDING = '.webp'
const KEY = /^[\w-]{32}$/

/** Inside the data folder. */
const FILES_FOLDER = 'files'
const REMOVE_UNUSED_MS = 3_600_000

type OpenPictureOptions = {
  readonly config: Pick<Config, 's3Url' | 'dataDir'>
  readonly queries: Queries
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

/** Pictures in the configured bucket, else in the data folder. Unused ones are removed every hour while the server runs. */
export function openPictures(
  server: FastifyInstance,
  { config: { s3Url, dataDir }, queries, now, onError }: OpenPictureOptions,
): Pictures {
  const store = s3Url === null ? createFolderStore(join(dataDir, FILES_FOLDER)) : createBucketStore(s3Url)
  const pictures = createPictures({ queries, store, now })
  const removing = setInterval(() => {
    pictures.removeUnused().catch((error: unknown) => onError(error, 'removing unused pictures'))
  }, REMOVE_UNUSED_MS)
  server.addHook('onClose', async () => clearInterval(removing))
  return pictures
}

type PictureOptions = { readonly queries: Queries; readonly store: FileStore; readonly now: () => number }

export function createPictures({ queries, store, now }: PictureOptions): Pictures {
  // One at a time: decoding the largest accepted picture needs some hundred megabytes.
  const decoding = createMutex()
  const find = async (key: string) => (KEY.test(key) ? findFile(queries, key) : null)
  const keep = async (original: Buffer, use: PictureUse, owner: OwnerColumns): Promise<string | Refusal> => {
    const picture = await decoding(() => readPicture(original, use))
    if (isRefusal(picture)) return picture
    const key = randomBytes(KEY_BYTES).toString('base64url')
    // The row first: bytes without a row would never be removed.
    await queries.transaction().execute(async (within) => {
      await within
        .insertInto('stored_file')
        .values({ key, ...owner, ...pictureColumns(picture), created_at: BigInt(now()) })
        .execute()
      if (picture.text.length > 0)
        await within.insertInto('picture_text').values(textRows(key, picture.text)).execute()
    })
    await store.put(key, picture.bytes, picture.type)
    return key
  }
  return {
    find,
    keep: async (userId, original) => {
      const owner = { user_id: BigInt(userId), operator_id: null, kind: 'proof', used_by: null }
      const key = await keep(original, 'proof', owner)
      return isRefusal(key) ? key : { url: `${PICTURE_PATH}${key}` }
    },
    keepToHandOver: async (operatorId, original) => {
      const owner = { user_id: null, operator_id: BigInt(operatorId), kind: 'proof', used_by: null }
      const key = await keep(original, 'proof', owner)
      return isRefusal(key) ? key : { key }
    },
    handOver: handOverFile,
    keepPublic: async (operatorId, original) => {
      const owner = { user_id: null, operator_id: BigInt(operatorId), kind: PUBLIC, used_by: PUBLIC }
      const key = await keep(original, 'public', owner)
      return isRefusal(key) ? key : { url: `${PUBLIC_PICTURE_PATH}${key}${PUBLIC_ENDING}` }
    },
    findPublic: async (name) => {
      if (!name.endsWith(PUBLIC_ENDING)) return null
      const file = await find(name.slice(0, -PUBLIC_ENDING.length))
      return file?.kind === PUBLIC ? file : null
    },
    ownPictureOf: async (url, userId) => {
      if (!url.startsWith(PICTURE_PATH)) return null
      const file = await find(url.slice(PICTURE_PATH.length))
      return file?.userId === userId ? file : null
    },
    bytesOf: ({ key }) => store.get(key),
    tie: tieFile,
    like: (keys) => similarPictures(queries, keys),
    removeUnused: async () => {
      for (const key of await markUnused(queries, now() - UNUSED_MS)) {
        await store.remove(key)
        await forgetFile(queries, key)
      }
    },
  }
}

const textRows = (key: string, text: Picture['text']): PictureTextTable[] =>
  text.map(({ ratio, shape, mark }, place) => ({
    key,
    place: BigInt(place),
    ratio: BigInt(Math.round(ratio * 1_000)),
    shape,
    mark,
  }))

type OwnerColumns = Pick<StoredFileTable, 'user_id' | 'operator_id' | 'kind' | 'used_by'>

const pictureColumns = ({ bytes, type, width, height, sha256, originalSha256, look }: Picture) => ({
  content_type: type,
  bytes: BigInt(bytes.length),
  width: BigInt(width),
  height: BigInt(height),
  sha256,
  original_sha256: originalSha256,
  look,
})
