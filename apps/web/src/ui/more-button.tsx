import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'

/** A list loaded page by page. */
type Pages = {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly fetchNextPage: () => unknown
}

/** Loads the next page of a list, and shows when that failed; hidden once all pages are shown. */
export function MoreButton({ pages, label }: { pages: Pages; label?: string }) {
  const t = useTranslations('app')
  if (!pages.hasNextPage) return null
  return (
    <div className="flex flex-col gap-2">
      {pages.isFetchNextPageError && (
        <p role="alert" className="text-center text-note text-second">
          {t('moreFailed')}
        </p>
      )}
      <Button
        tone="outline"
        isWide
        isBusy={pages.isFetchingNextPage}
        onClick={() => void pages.fetchNextPage()}
      >
        {label ?? t('more')}
      </Button>
    </div>
  )
}
