import { useCallback, useDeferredValue, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useInstruments } from '../../live/market/instruments.ts'
import { useScrollBox } from '@fairlot/ui/scroll-box.tsx'
import { PullToRefresh } from '@fairlot/ui/pull-to-refresh.tsx'
import { CategoryChips } from './category-chips.tsx'
import { InstrumentList } from './instrument-list.tsx'
import { ALL } from './list-filter.ts'
import { SearchField } from './search-field.tsx'

type HomeScreenProps = {
  /** Stands above the search: the account, or the invitation to try the demo. */
  card: ReactNode
}

/** The markets: search, categories, and every instrument with its price of now. */
export function HomeScreen({ card }: HomeScreenProps) {
  const t = useTranslations('market')
  const [text, setText] = useState('')
  const [categoryId, setCategoryId] = useState(ALL)
  const list = useInstruments()
  const { refetch } = list
  const refresh = useCallback(() => void refetch(), [refetch])
  return (
    <>
      <PullToRefresh box={useScrollBox()} label={t('refreshing')} onRefresh={refresh} />
      <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pb-4">
        {card}
        <SearchField
          text={text}
          count={list.instruments?.length ?? null}
          searchPath="/product"
          onChange={setText}
        />
        <CategoryChips selected={categoryId} onSelect={setCategoryId} />
        <InstrumentList
          list={list}
          filter={{ text: useDeferredValue(text), categoryId }}
          width="full"
          onShowAll={() => {
            setText('')
            setCategoryId(ALL)
          }}
        />
      </div>
    </>
  )
}
