import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.ts'
import { createBucketStore } from './files/bucket-store.ts'
import { createFolderStore } from './files/folder-store.ts'
import { createPictures, type Pictures } from './files/pictures.ts'
import { createDrafts } from './funds/drafts.ts'

/** Of the data folder. */
const FILES_FOLDER = 'files'

const HOUR_MS = 3_600_000
/** A draft so old, ms, is of no call that still runs; looked for this often. */
const SETTLE_MS = 60_000

/** Pictures, in the bucket of this deployment or else in its data folder. What nobody uses is removed each hour. */
export function openPictures(
  server: FastifyInstance,
  { config, database, wallClock: now, onError }: Deployment,
) {
  const { s3Url, dataDir } = config
  const store = s3Url === null ? createFolderStore(join(dataDir, FILES_FOLDER)) : createBucketStore(s3Url)
  const pictures = createPictures({ queries: database.queries, store, now })
  const removing = setInterval(() => {
    pictures.removeUnused().catch((error: unknown) => onError(error, 'removing pictures that nobody uses'))
  }, HOUR_MS)
  server.addHook('onClose', async () => clearInterval(removing))
  return pictures
}

/** Deposits and withdrawals that a crash has left without their rows get them, before anybody calls; and should it fail, later. */
export async function settleDrafts(
  server: FastifyInstance,
  { database: { queries }, engine, wallClock: now, onError }: Deployment,
  pictures: Pictures,
): Promise<void> {
  const drafts = createDrafts({ queries, engine, now, proofs: pictures })
  const settle = (before: number) =>
    drafts.settle(before).catch((error: unknown) => onError(error, 'settling drafts of payments'))
  await settle(now())
  const settling = setInterval(() => void settle(now() - SETTLE_MS), SETTLE_MS)
  server.addHook('onClose', async () => clearInterval(settling))
}
