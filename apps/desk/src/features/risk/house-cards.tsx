import { getHouseSummary, type HouseSummary } from '@fairlot/contract/desk'
import { FigureCard } from '@fairlot/ui/figure-card.tsx'
import { decimal, money, signedMoney } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { useNow } from '../../ui/use-now.ts'

const EVERY_MS = 10_000

/** Exposure, accounts in danger and the house today, as cards of a `FigureRow`. For whoever may see risk. */
export function HouseCards() {
  const { data } = useDeskQuery(getHouseSummary, null, { everyMs: EVERY_MS })
  if (!data) return null
  const of = data.ledger === 'demo' ? ', demo' : ''
  return (
    <>
      <FigureCard label={`Exposure, net${of}`} value={`${money(data.netValue)} ${data.currency}`}>
        {data.largest
          ? `largest ${data.largest.code} ${money(data.largest.netValue)}`
          : 'nobody holds anything'}
      </FigureCard>
      <FigureCard
        label={`Accounts under 100 %${of}`}
        value={data.underHundred}
        {...(data.underHundred > 0 && { tone: 'down' as const })}
      >
        {data.nearest
          ? `nearest ${decimal(data.nearest.level)} % · ${data.nearest.accountId}`
          : 'no margin is held'}
      </FigureCard>
      <FigureCard
        label={`House today${of}`}
        value={signedMoney(data.houseToday)}
        tone={data.houseToday < 0n ? 'down' : 'up'}
      >
        <DayBars days={data.houseDays} />
      </FigureCard>
    </>
  )
}

const HEIGHT = 100

/** A bar a day, as high as what was earned or lost; in words for whoever does not see it. */
function DayBars({ days }: { days: HouseSummary['houseDays'] }) {
  const now = useNow()
  const most = days.reduce((top, { total }) => Math.max(top, Math.abs(Number(total))), 1)
  const told = days.map(({ day: at, total }) => `${day(at, now)} ${signedMoney(total)}`).join(', ')
  return (
    <svg
      role="img"
      aria-label={`Result by day: ${told}`}
      viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-10 w-full"
    >
      {days.map(({ day: at, total }, index) => {
        const height = Math.max((Math.abs(Number(total)) / most) * HEIGHT, 2)
        return (
          <rect
            key={at}
            x={index * 10 + 1}
            y={HEIGHT - height}
            width={8}
            height={height}
            className={total < 0n ? 'fill-down' : total > 0n ? 'fill-up' : 'fill-line'}
          />
        )
      })}
    </svg>
  )
}
