import type { SessionTerms } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { controlClass } from '@fairlot/ui/field.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { X } from 'lucide-react'
import { useNow } from '../../ui/use-now.ts'
import { dayText } from './day-text.ts'

type Holidays = SessionTerms['holidays']

type HolidayFieldsProps = {
  holidays: Holidays
  problem: string | undefined
  onChange: (holidays: Holidays) => void
}

/** Holidays to come as lines: a date, and when it closes; nothing for the whole day. Those that are over stay as they are. */
export function HolidayFields({ holidays, problem, onChange }: HolidayFieldsProps) {
  const today = dayText(useNow())
  const replace = (index: number, change: Partial<Holidays[number]> | null) =>
    onChange(holidays.flatMap((each, at) => (at === index ? (change ? { ...each, ...change } : []) : each)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-2 text-note font-bold">Holidays to come</legend>
      {holidays.map((holiday, index) => {
        const { date, closesAt } = holiday
        if (date !== '' && date < today) return null
        return (
          <div key={index} className="flex items-center gap-2">
            <input
              type="date"
              aria-label="Date"
              value={date}
              className={controlClass}
              onChange={({ target }) => replace(index, { date: target.value })}
            />
            <input
              type="time"
              aria-label={`Closes at, ${date}`}
              value={closesAt ?? ''}
              className={controlClass}
              onChange={({ target }) => replace(index, { closesAt: target.value || null })}
            />
            <IconButton
              icon={X}
              label={`Take ${date || 'this day'} away`}
              onClick={() => replace(index, null)}
            />
          </div>
        )
      })}
      <p role={problem ? 'alert' : undefined} className="text-note text-danger empty:hidden">
        {problem}
      </p>
      <Button
        tone="outline"
        size="small"
        onClick={() => onChange([...holidays, { date: '', closesAt: null }])}
      >
        Add a day
      </Button>
    </fieldset>
  )
}
