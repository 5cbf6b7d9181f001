import { randomBytes } from 'node:crypto'
import { PICTURE_PATH, PUBLIC_PICTURE_PATH } from '@fairlot/contract'
import type { StoredFileTable } from '../database/file-schema.ts'
import type { Queries } from '../database/open.ts'
import { isRefusal, type Refusal } from '../http/refusal.ts'
import { createTurns } from '../http/turns.ts'
import type { FileStore } from './file-store.ts'
import { likenesses, type Likeness } from './likenesses.ts'
import { readPicture, type Picture, type PictureUse } from './picture.ts'
import { findFile, forgetFile, handOverFile, markUnused, tieFile, type StoredFile } from './stored-files.ts'

/** Pictures that people send as proof of something, and those that operators put up for everybody. */
export type Pictures = {
  /** Draws a picture anew and keeps it; answers its url, which is for this user and the desk. */
  keep(userId: number, original: Buffer): Promise<{ readonly url: string } | Refusal>
  /** Draws a picture of an operator anew and keeps it until it is handed over; answers its key, which tells nobody else anything. */
  keepToHandOver(operatorId: number, original: Buffer): Promise<{ readonly key: string } | Refusal>
  handOver: typeof handOverFile
  /** Draws a picture of an operator anew and keeps it for good; answers its url, at which everybody may see it. */
  keepPublic(operatorId: number, original: Buffer): Promise<{ readonly url: string } | Refusal>
  /** The public picture of a name such as `<key>.webp`; null for any other, whatever its key. */
  findPublic(name: string): Promise<StoredFile | null>
  /** The picture at a url that `keep` answered to this very user; null for anything else. */
  ownPictureOf(url: string, userId: number): Promise<StoredFile | null>
  /** The picture of a key, whoever's it is. */
  find(key: string): Promise<StoredFile | null>
  /** Null when they are gone. */
  bytesOf(file: StoredFile): Promise<Buffer | null>
  /** Ties a picture to a case such as `deposit:7`, in its transaction; false when it is gone or belongs to another one. */
  tie: typeof tieFile
  /** Of each of these pictures those of other cases that were sent as the same bytes, or look like it; by key. */
  like(keys: readonly string[]): Promise<ReadonlyMap<string, readonly Likeness[]>>
  /** Removes what no case has used within a day. */
  removeUnused(): Promise<void>
}

const UNUSED_MS = 86_400_000
const KEY_BYTES = 24
/** In `kind`, and in `used_by` too: texts and terms keep their old versions, so their pictures stay. */
const PUBLIC = 'public'
const PUBLIC_ENDING = '.webp'
const KEY = /^[\w-]{32}$/

type PictureOptions = { readonly queries: Queries; readonly store: FileStore; readonly now: () => number }

export function createPictures({ queries, store, now }: PictureOptions): Pictures {
  // One is decoded after the other: the largest that is taken needs some hundred megabytes while it is.
  const inTurn = createTurns()
  const find = async (key: string) => (KEY.test(key) ? findFile(queries, key) : null)
  const keep = async (original: Buffer, use: PictureUse, owner: OwnerColumns): Promise<string | Refusal> => {
    const picture = await inTurn(() => readPicture(original, use))
    if (isRefusal(picture)) return picture
    const key = randomBytes(KEY_BYTES).toString('base64url')
    // The row first: bytes without a row would never be removed.
    await queries
      .insertInto('stored_file')
      .values({ key, ...owner, ...pictureColumns(picture), created_at: BigInt(now()) })
      .execute()
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
    like: (keys) => likenesses(queries, keys),
    removeUnused: async () => {
      for (const key of await markUnused(queries, now() - UNUSED_MS)) {
        await store.remove(key)
        await forgetFile(queries, key)
      }
    },
  }
}

type OwnerColumns = Pick<StoredFileTable, 'user_id' | 'operator_id' | 'kind' | 'used_by'>

const pictureColumns = ({ bytes, type, width, height, sha256, originalSha256, look }: Picture) => ({
  ...{ content_type: type, bytes: BigInt(bytes.length), width: BigInt(width), height: BigInt(height) },
  ...{ sha256, original_sha256: originalSha256, look },
})
