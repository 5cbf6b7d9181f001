import type { SessionTerms } from '@fairlot/contract/desk'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { useState } from 'react'
import { useNow } from '../../ui/use-now.ts'
import { dayText } from './day-text.ts'

type Holidays = SessionTerms['holidays']

/** Holidays by date, those to come first; what is over is shown when it is asked for. */
export function HolidayList({ holidays }: { holidays: Holidays }) {
  const [isPast, setIsPast] = useState(false)
  const today = dayText(useNow())
  const sorted = holidays.toSorted((a, b) => a.date.localeCompare(b.date))
  const shown = sorted.filter(({ date }) => (isPast ? date < today : date >= today))
  return (
    <section>
      <div className="flex items-baseline justify-between">
        <h3 className="text-note font-bold">{isPast ? 'Holidays that are over' : 'Holidays to come'}</h3>
        <TextButton onClick={() => setIsPast(!isPast)}>{isPast ? 'To come' : 'Over'}</TextButton>
      </div>
      {shown.length === 0 ? (
        <p className="text-note text-second">None is known.</p>
      ) : (
        <FactList
          facts={shown.map(({ date, closesAt }) => ({
            label: date,
            value: closesAt === null ? 'closed' : `closes at ${closesAt}`,
          }))}
        />
      )}
    </section>
  )
}
