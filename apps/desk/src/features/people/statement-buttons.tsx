import type { User } from '@fairlot/contract'
import { PERSON_STATEMENT_PATH } from '@fairlot/contract/desk'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useState } from 'react'
import { FileButton } from '../../ui/file-button.tsx'

const MONTHS = 12
const MONTH_NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

type Month = { from: string; to: string; label: string }

/** This month and those before it, by their days of UTC. */
function monthsBefore(now: number): Month[] {
  const today = new Date(now)
  return Array.from({ length: MONTHS }, (_, back) => {
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - back]
    const from = Date.UTC(year, month, 1)
    return { from: dayOf(from), to: dayOf(Date.UTC(year, month + 1, 0)), label: MONTH_NAME.format(from) }
  })
}

/** The statement of a month, as its owner gets it. Who takes one is among the acts. */
export function StatementButtons({ user: { id, uid } }: { user: Pick<User, 'id' | 'uid'> }) {
  const [months] = useState(() => monthsBefore(Date.now()))
  const [from, setFrom] = useState(months[0]?.from ?? '')
  const month = months.find((each) => each.from === from)
  if (!month) return null
  const fileOf = (format: 'pdf' | 'csv') => ({
    path: `${PERSON_STATEMENT_PATH}?id=${id}&from=${month.from}&to=${month.to}&format=${format}`,
    fileName: `statement-${uid}-${month.from}-${month.to}.${format}`,
    label: format.toUpperCase(),
  })
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-52">
        <SelectField
          label="Statement of"
          value={from}
          options={months.map((each) => ({ value: each.from, label: each.label }))}
          onChange={setFrom}
        />
      </div>
      <FileButton {...fileOf('pdf')} />
      <FileButton {...fileOf('csv')} />
    </div>
  )
}
