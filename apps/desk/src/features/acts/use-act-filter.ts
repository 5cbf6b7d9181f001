import { useState } from 'react'
import type { PageFilter } from '../../ui/page.tsx'

const DAY_MS = 86_400_000

/** What the fields above the list hold, as they are typed. */
export type ActFields = {
  readonly operatorId: string
  readonly act: string
  readonly accountId: string
  /** Days in UTC such as 2026-11-22; `until` is the last of them. */
  readonly since: string
  readonly until: string
}

const NOTHING: ActFields = { operatorId: '', act: '', accountId: '', since: '', until: '' }

type Outcome = 'all' | 'done' | 'refused'

export type ActsAsked = {
  readonly operatorId: number | null
  readonly act: string | null
  readonly subject: null
  readonly accountId: number | null
  readonly outcome: 'done' | 'refused' | null
  readonly since: number | null
  readonly until: number | null
  readonly search: string | null
}

/** How the list of acts is narrowed. */
export function useActFilter() {
  const [values, setValues] = useState(NOTHING)
  const [outcome, setOutcome] = useState<Outcome>('all')
  const [search, setSearch] = useState('')
  const chips: PageFilter<Outcome> = {
    options: [
      { key: 'all', label: 'All' },
      { key: 'done', label: 'Done' },
      { key: 'refused', label: 'Refused' },
    ],
    selected: outcome,
    onSelect: setOutcome,
  }
  const asked: ActsAsked = {
    ...{ operatorId: numberOf(values.operatorId), act: values.act || null, subject: null },
    ...{ accountId: numberOf(values.accountId), outcome: outcome === 'all' ? null : outcome },
    ...{ since: dayOf(values.since), search: search || null },
    until: plusDay(dayOf(values.until)),
  }
  const onChange = (change: Partial<ActFields>) => setValues({ ...values, ...change })
  return { asked, chips, values, onChange, search, onSearch: setSearch }
}

/** What is half typed does not narrow. */
const numberOf = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null)

const dayOf = (text: string): number | null => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) || at < 0 ? null : at
}

const plusDay = (at: number | null): number | null => (at === null ? null : at + DAY_MS)
