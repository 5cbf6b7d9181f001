import { useDeferredValue, useState } from 'react'
import { useInstruments } from '../../live/market/instruments.ts'
import { CategoryChips } from './category-chips.tsx'
import { InstrumentList } from './instrument-list.tsx'
import { ALL } from './list-filter.ts'
import { SearchField } from './search-field.tsx'

/** The markets as a column beside a chart, and in the drawer that switches the instrument. `hotkey` leads to the search. */
export function MarketList({ hotkey, searchPath }: { hotkey?: string; searchPath?: string }) {
  const [text, setText] = useState('')
  const [categoryId, setCategoryId] = useState(ALL)
  const list = useInstruments()
  return (
    <div className="flex flex-col gap-1 pb-3">
      <div className="flex flex-col gap-1 px-4 pt-3 desktop:sticky desktop:top-0 desktop:z-10 desktop:bg-page">
        <SearchField
          text={text}
          count={list.instruments?.length ?? null}
          onChange={setText}
          {...(hotkey !== undefined && { hotkey })}
          {...(searchPath !== undefined && { searchPath })}
        />
        <CategoryChips selected={categoryId} onSelect={setCategoryId} />
      </div>
      <InstrumentList
        list={list}
        filter={{ text: useDeferredValue(text), categoryId }}
        width="narrow"
        isMarking
        onShowAll={() => {
          setText('')
          setCategoryId(ALL)
        }}
      />
    </div>
  )
}
