import { listWaiting, userNumber, type WaitingCase } from '@fairlot/contract/desk'
import { Dot, type DotTone } from '@fairlot/ui/feedback/dot.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { money, signedMoney } from '../../i18n/figures.ts'
import { since } from '../../i18n/moments.ts'
import { usePaged } from '../../live/queries.ts'
import type { Column } from '../../ui/data-table.tsx'
import type { PageFilter } from '../../ui/page.tsx'
import { operatorName } from '../../ui/operator-names.ts'

const ALL = 'all'
const OWN = 'mine'
const UNASSIGNED = 'nobody'

/** The filtered list: rows, chips and search. */
export function useWaitingList() {
  const [selected, setSelected] = useState(ALL)
  const [search, setSearch] = useState('')
  const held = selected === OWN || selected === UNASSIGNED ? selected : null
  const kind = selected === ALL || held !== null ? null : selected
  const criteria = { kind, held, search: search === '' ? null : search } as const
  const { table, first } = usePaged(listWaiting, criteria, {
    rowsOf: ({ cases }) => cases,
    nextOf: ({ next }) => next,
  })
  const filter: PageFilter<string> = {
    options: [
      { key: ALL, label: 'All', count: first?.all },
      ...(first?.kinds ?? []).map(({ kind: key, name, count }) => ({ key, label: name, count })),
      { key: OWN, label: 'Assigned to you' },
      { key: UNASSIGNED, label: 'Not assigned' },
    ],
    selected,
    onSelect: setSelected,
  }
  const isFiltered = selected !== ALL || search !== ''
  return { criteria, table, filter, search: { value: search, onSearch: setSearch }, isFiltered }
}

/** The next case after one is decided: the one below, or above for the last. */
export function nextCase(rows: readonly WaitingCase[], caseKey: string): string | null {
  const at = rows.findIndex((row) => row.caseKey === caseKey)
  return (rows[at + 1] ?? rows[at - 1])?.caseKey ?? null
}

const DOTS: Record<WaitingCase['risk'], DotTone> = { high: 'danger', raised: 'brass', usual: 'plain' }
const RISK_LABELS: Record<WaitingCase['risk'], string> = {
  high: 'high risk',
  raised: 'raised risk',
  usual: '',
}

/** The amount of a case; an adjustment has a sign. */
export const amountText = ({ caseKey, amount }: Pick<WaitingCase, 'caseKey' | 'amount'>): string => {
  if (amount === null) return ''
  return caseKey.startsWith('adjustment:') ? signedMoney(amount) : money(amount)
}

export function holderText({ heldBy, needsSecond }: WaitingCase, ownId: number): string {
  if (heldBy) return heldBy.id === ownId ? 'you' : operatorName(heldBy)
  return needsSecond ? 'second operator' : 'no one'
}

export const waitingColumns = (ownId: number, now: number): readonly Column<WaitingCase>[] => [
  {
    key: 'case',
    title: 'Case',
    cell: ({ title, what, risk }) => (
      <span className="flex min-w-0 items-baseline gap-2.5">
        <Dot tone={DOTS[risk]} />
        <span className="min-w-0">
          {title}
          <span className="sr-only"> {RISK_LABELS[risk]}</span>
          <span className="line-clamp-1 text-tiny font-normal text-second">{what}</span>
        </span>
      </span>
    ),
    onPhone: 'title',
  },
  {
    key: 'person',
    title: 'User',
    cell: ({ accountId }) => (accountId === null ? '–' : asName(userNumber(accountId))),
  },
  { key: 'amount', title: 'Amount', cell: amountText, align: 'end', onPhone: 'figure' },
  {
    key: 'waits',
    title: 'Waiting',
    cell: (row) => <span className="whitespace-nowrap text-second">{since(row.since, now)}</span>,
    align: 'end',
  },
  { key: 'held', title: 'Assigned to', cell: (row) => holderText(row, ownId) },
]
