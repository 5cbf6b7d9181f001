import { useInstruments } from '../../live/market/instruments.ts'
import { CategoryChips } from './category-chips.tsx'
import { InstrumentList } from './instrument-list.tsx'
import { SearchField } from './search-field.tsx'
import { useListFilter } from './use-list-filter.ts'

/** The markets as a column beside a chart, and in the drawer that switches the instrument. `hotkey` leads to the search. */
export function MarketList({ hotkey, searchPath }: { hotkey?: string; searchPath?: string }) {
  const { filter, listed, change, clear } = useListFilter()
  const count = useInstruments().instruments?.length ?? null
  return (
    <div className="flex flex-col gap-1 pb-3">
      <div className="flex flex-col gap-1 px-4 pt-3 desktop:sticky desktop:top-0 desktop:z-10 desktop:bg-page">
        <SearchField
          text={filter.text}
          count={count}
          onChange={(text) => change({ text })}
          {...(hotkey !== undefined && { hotkey })}
          {...(searchPath !== undefined && { searchPath })}
        />
        <CategoryChips selected={filter.categoryId} onSelect={(categoryId) => change({ categoryId })} />
      </div>
      <InstrumentList filter={listed} width="narrow" isMarking onShowAll={clear} />
    </div>
  )
}
