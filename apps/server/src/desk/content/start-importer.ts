import { PUBLIC_PICTURE_PATH } from '@fairlot/contract'
import { isRefusal } from '../../http/refusal.ts'
import { createFetchPublic } from '../../news/import/fetch-public.ts'
import type { DeskServices } from '../desk-services.ts'
import { createFeedImporter, type FeedImporter } from './feed-importer.ts'

/** Asks the feeds from now on, at addresses of the open internet alone. */
export function startFeedImporter(services: DeskServices): FeedImporter {
  const { queries, acts, hub, now, deployment, traders } = services
  const importer = createFeedImporter({
    ...{ queries, acts, now, onError: deployment.onError, fetchPublic: createFetchPublic() },
    keepPicture: async (operatorId, original) => {
      const kept = await traders.pictures.keepPublic(operatorId, original)
      return isRefusal(kept) ? null : kept.url.slice(PUBLIC_PICTURE_PATH.length)
    },
    onChanged: () => hub.changed('content'),
  })
  importer.start()
  return importer
}
