import { useInstruments } from '../../live/market/instruments.ts'
import { InstrumentList } from './instrument-list.tsx'
import { SearchField, useListFilter } from './list-filter.tsx'

/** Finds an instrument by code or name. */
export function ProductScreen() {
  const { filter, listed, change, clear } = useListFilter()
  const count = useInstruments().instruments?.length ?? null
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-2 px-4 pt-1 pb-4">
      <SearchField text={filter.text} count={count} hasFocusAtStart onChange={(text) => change({ text })} />
      <InstrumentList filter={listed} width="full" onShowAll={clear} />
    </div>
  )
}
