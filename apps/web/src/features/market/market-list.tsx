import { useInstruments } from '../../live/market/instruments.ts'
import { CategoryChips, SearchField, useListFilter } from './list-filter.tsx'
import { InstrumentList } from './instrument-list.tsx'

/** The markets as a column beside a chart, and in the drawer of the trade screen. `hotkey` focuses the search. */
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
      <InstrumentList filter={listed} width="narrow" marksSelected onShowAll={clear} />
    </div>
  )
}
