import { useDeferredValue, useState } from 'react'
import { useInstruments } from '../../live/market/instruments.ts'
import { InstrumentList } from './instrument-list.tsx'
import { ALL } from './list-filter.ts'
import { SearchField } from './search-field.tsx'

/** Finds an instrument by code or name. */
export function ProductScreen() {
  const [text, setText] = useState('')
  const list = useInstruments()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pt-1 pb-4">
      <SearchField text={text} count={list.instruments?.length ?? null} hasFocusAtStart onChange={setText} />
      <InstrumentList
        list={list}
        filter={{ text: useDeferredValue(text), categoryId: ALL }}
        width="full"
        onShowAll={() => setText('')}
      />
    </div>
  )
}
