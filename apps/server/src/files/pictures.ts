import { randomBytes } from 'node:crypto'
import { PICTURE_PATH } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import { isRefusal, type Refusal } from '../http/refusal.ts'
import type { FileStore } from './file-store.ts'
import { readPicture, type Picture } from './picture.ts'
import { likenesses, type Likeness } from './likenesses.ts'
import { findFile, forgetFile, markUnused, tieFile, type StoredFile } from './stored-files.ts'

/** Pictures that people send as proof of something. */
export type Pictures = {
  /** Draws a picture anew and keeps it; answers its url, which is for this user and the desk. */
  keep(userId: number, original: Buffer): Promise<{ readonly url: string } | Refusal>
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
const KEY = /^[\w-]{32}$/

type PictureOptions = { readonly queries: Queries; readonly store: FileStore; readonly now: () => number }

export function createPictures({ queries, store, now }: PictureOptions): Pictures {
  // One is decoded after the other: the largest that is taken needs some hundred megabytes while it is.
  const inTurn = createTurns()
  const find = async (key: string) => (KEY.test(key) ? findFile(queries, key) : null)
  return {
    find,
    keep: async (userId, original) => {
      const picture = await inTurn(() => readPicture(original))
      if (isRefusal(picture)) return picture
      const key = randomBytes(KEY_BYTES).toString('base64url')
      // The row first: bytes without a row would never be removed.
      await queries
        .insertInto('stored_file')
        .values({ key, ...ownerColumns(userId), ...pictureColumns(picture), created_at: BigInt(now()) })
        .execute()
      await store.put(key, picture.bytes, picture.type)
      return { url: `${PICTURE_PATH}${key}` }
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

const ownerColumns = (userId: number) => ({ user_id: BigInt(userId), operator_id: null, kind: 'proof' })

const pictureColumns = ({ bytes, type, width, height, sha256, originalSha256, look }: Picture) => ({
  ...{ content_type: type, bytes: BigInt(bytes.length), width: BigInt(width), height: BigInt(height) },
  ...{ sha256, original_sha256: originalSha256, look, used_by: null },
})

function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => null)
    return turn
  }
}
