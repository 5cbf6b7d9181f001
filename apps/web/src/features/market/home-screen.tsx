import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useInstruments } from '../../live/market/instruments.ts'
import { useScrollBox } from '@fairlot/ui/scroll-box.tsx'
import { PullToRefresh } from '@fairlot/ui/pull-to-refresh.tsx'
import { CategoryChips } from './category-chips.tsx'
import { InstrumentList } from './instrument-list.tsx'
import { SearchField } from './search-field.tsx'
import { useListFilter } from './use-list-filter.ts'

type HomeScreenProps = {
  /** Stands above the search: the account, or the invitation to try the demo. */
  card: ReactNode
}

/** The markets: search, categories, and every instrument with its price of now. */
export function HomeScreen({ card }: HomeScreenProps) {
  const t = useTranslations('market')
  const { filter, listed, change, clear } = useListFilter()
  const { instruments, refetch } = useInstruments()
  const refresh = useCallback(() => void refetch(), [refetch])
  return (
    <>
      <PullToRefresh box={useScrollBox()} label={t('refreshing')} onRefresh={refresh} />
      <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pb-4">
        {card}
        <SearchField
          text={filter.text}
          count={instruments?.length ?? null}
          searchPath="/product"
          onChange={(text) => change({ text })}
        />
        <CategoryChips selected={filter.categoryId} onSelect={(categoryId) => change({ categoryId })} />
        <InstrumentList filter={listed} width="full" onShowAll={clear} />
      </div>
    </>
  )
}
