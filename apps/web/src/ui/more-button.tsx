import { Button } from '@fairlot/ui/button.tsx'
import { useTranslations } from 'use-intl'

type MoreButtonProps = {
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Asks for the next page of a list; not there once all of it is shown. */
export function MoreButton({ pages: { hasNextPage, isFetchingNextPage, fetchNextPage } }: MoreButtonProps) {
  const t = useTranslations('app')
  if (!hasNextPage) return null
  return (
    <Button tone="outline" isWide isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {t('more')}
    </Button>
  )
}
