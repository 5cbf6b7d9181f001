import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useInstruments } from '../../live/market/instruments.ts'
import { useScrollBox } from '@fairlot/ui/navigation/scroll-box.tsx'
import { SideBySide } from '@fairlot/ui/layout/side-by-side.tsx'
import { PullToRefresh } from '@fairlot/ui/layout/pull-to-refresh.tsx'
import { CategoryChips, SearchField, useListFilter } from './list-filter.tsx'
import { InstrumentList } from './instrument-list.tsx'

type HomeScreenProps = {
  /** Shown above the search: the account, or the invitation to try the demo. */
  card: ReactNode
}

/** The markets: search, categories, and every instrument with its current price. */
export function HomeScreen({ card }: HomeScreenProps) {
  const t = useTranslations('market')
  const { filter, listed, change, clear } = useListFilter()
  const { instruments, refetch } = useInstruments()
  const refresh = useCallback(() => void refetch(), [refetch])
  return (
    <>
      <PullToRefresh box={useScrollBox()} label={t('refreshing')} onRefresh={refresh} />
      <SideBySide
        first={
          <>
            {card}
            <SearchField
              text={filter.text}
              count={instruments?.length ?? null}
              searchPath="/product"
              onChange={(text) => change({ text })}
            />
          </>
        }
      >
        <CategoryChips selected={filter.categoryId} onSelect={(categoryId) => change({ categoryId })} />
        <InstrumentList filter={listed} width="full" onShowAll={clear} />
      </SideBySide>
    </>
  )
}
