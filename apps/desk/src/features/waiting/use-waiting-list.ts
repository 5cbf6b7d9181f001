import { listWaiting, type WaitingCase } from '@fairlot/contract/desk'
import { useState } from 'react'
import { usePaged } from '../../live/use-paged.ts'
import type { PageFilter } from '../../ui/page.tsx'

const ALL = 'all'
const MINE = 'mine'
const NOBODY = 'nobody'

/** The list as it is narrowed: its rows, its chips and its search. */
export function useWaitingList() {
  const [selected, setSelected] = useState(ALL)
  const [search, setSearch] = useState('')
  const held = selected === MINE || selected === NOBODY ? selected : null
  const kind = selected === ALL || held !== null ? null : selected
  const asked = { kind, held, search: search === '' ? null : search } as const
  const { table, first } = usePaged(listWaiting, asked, { rowsOf: ({ cases }) => cases })
  const filter: PageFilter<string> = {
    options: [
      { key: ALL, label: 'All', count: first?.all },
      ...(first?.kinds ?? []).map(({ kind: key, name, count }) => ({ key, label: name, count })),
      { key: MINE, label: 'Held by you' },
      { key: NOBODY, label: 'Held by nobody' },
    ],
    selected,
    onSelect: setSelected,
  }
  const isNarrowed = selected !== ALL || search !== ''
  return { asked, table, filter, search: { value: search, onSearch: setSearch }, isNarrowed }
}

/** The case to go on with once one is over: the one below it, or above where it was the last. */
export function nextCase(rows: readonly WaitingCase[], caseKey: string): string | null {
  const at = rows.findIndex((row) => row.caseKey === caseKey)
  return (rows[at + 1] ?? rows[at - 1])?.caseKey ?? null
}
