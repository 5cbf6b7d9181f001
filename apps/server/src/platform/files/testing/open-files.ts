import { join } from 'node:path'
import type { Queries } from '../../database/open.ts'
import type { Deployment } from '../../../deployment/deployment.ts'
import { createFolderStore } from '../file-store.ts'
import { createPictures, type Pictures } from '../pictures.ts'

/** The pictures of a running server. */
export function openFiles({ config, database, wallClock }: Deployment): {
  readonly pictures: Pictures
  readonly queries: Queries
} {
  const { queries } = database
  const store = createFolderStore(join(config.dataDir, 'files'))
  return { queries, pictures: createPictures({ queries, store, now: wallClock }) }
}
