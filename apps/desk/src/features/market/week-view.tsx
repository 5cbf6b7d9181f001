import { defineSession } from '@fairlot/core'

const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** Columns start on Monday; windows count from Sunday. */
const ORDER = [1, 2, 3, 4, 5, 6, 0]
const HOURS = [0, 6, 12, 18]

type Block = { readonly from: number; readonly to: number }

/** The open parts of each day, in minutes of that day, Sunday first; null where the windows cannot be read. */
export function blocksOf(zone: string, windows: string): readonly (readonly Block[])[] | null {
  const read = readWindows(zone, windows)
  if (read === null) return null
  const days = DAYS.map((): Block[] => [])
  if (read === 'always') return days.map(() => [{ from: 0, to: DAY_MINUTES }])
  for (const { opens, closes } of read) {
    for (let from = opens; from < closes;) {
      const dayEnd = (Math.floor(from / DAY_MINUTES) + 1) * DAY_MINUTES
      const to = Math.min(closes, dayEnd)
      const start = from % DAY_MINUTES
      days[Math.floor((from % WEEK_MINUTES) / DAY_MINUTES)]?.push({ from: start, to: start + to - from })
      from = to
    }
  }
  return days
}

function readWindows(zone: string, windows: string) {
  try {
    return defineSession({ name: '', zone, windows, holidays: [] }).windows
  } catch {
    return null
  }
}

const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** The open hours of a week in the venue's time zone: one column per day, with midnight at the top. */
export function WeekView({ zone, windows }: { zone: string; windows: string }) {
  const days = blocksOf(zone, windows)
  if (!days) return <p className="text-note text-second">These opening hours cannot be read yet.</p>
  return (
    <figure>
      <div className="flex gap-1">
        <div aria-hidden className="relative h-48 w-9 shrink-0 text-tiny text-third">
          {HOURS.map((hour) => (
            <span key={hour} className="absolute" style={{ top: `${(hour / 24) * 100}%` }}>
              {clock(hour * 60)}
            </span>
          ))}
        </div>
        <ol aria-label="Open hours of a week" className="grid h-48 flex-1 grid-cols-7 gap-1">
          {ORDER.map((day) => (
            <li key={day} className="relative overflow-hidden rounded-field bg-page">
              {days[day]?.map(({ from, to }) => (
                <span
                  key={from}
                  title={`${clock(from)}–${clock(to)}`}
                  className="absolute inset-x-0 bg-brass-tint ring-1 ring-brass ring-inset"
                  style={{
                    top: `${(from / DAY_MINUTES) * 100}%`,
                    height: `${((to - from) / DAY_MINUTES) * 100}%`,
                  }}
                />
              ))}
              <span className="sr-only">
                {DAYS[day]}{' '}
                {days[day]?.map(({ from, to }) => `${clock(from)} to ${clock(to)}`).join(', ') || 'closed'}
              </span>
            </li>
          ))}
        </ol>
      </div>
      <div aria-hidden className="flex gap-1 ps-10 text-center text-tiny text-second">
        {ORDER.map((day) => (
          <span key={day} className="flex-1">
            {DAYS[day]}
          </span>
        ))}
      </div>
      <figcaption className="pt-1 text-tiny text-second">Time zone {zone}</figcaption>
    </figure>
  )
}
