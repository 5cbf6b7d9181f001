import { getBrokerSummary, userNumber, type BrokerSummary } from '@fairlot/contract/desk'
import { FigureCard } from '@fairlot/ui/figures/figure-card.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { countText, decimal, gainTone, money, signedMoney } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'

const REFRESH_MS = 10_000

/** Exposure, accounts near stop-out and the broker's result today, as cards of a `FigureRow`. For roles that may see risk. */
export function RiskCards() {
  const { data } = useDeskQuery(getBrokerSummary, null, { refreshMs: REFRESH_MS })
  if (!data) return null
  const suffix = data.ledger === 'demo' ? ', demo' : ''
  return (
    <>
      <FigureCard label={`Net exposure${suffix}`} value={asName(`${money(data.netValue)} ${data.currency}`)}>
        {data.largest
          ? `largest ${asName(data.largest.code)} ${asName(money(data.largest.netValue))}`
          : positionsText(data)}
      </FigureCard>
      <FigureCard
        label={`Accounts under 100 %${suffix}`}
        value={data.underHundred}
        {...(data.underHundred > 0 && { tone: 'down' as const })}
      >
        {data.nearest
          ? `nearest ${asName(`${decimal(data.nearest.level)} %`)} · ${asName(userNumber(data.nearest.accountId))}`
          : data.ledger === 'real'
            ? 'no real account uses margin'
            : 'no account uses margin'}
      </FigureCard>
      <FigureCard
        label={`Broker's result today${suffix}`}
        value={asName(signedMoney(data.houseToday))}
        tone={gainTone(data.houseToday)}
      >
        <DayBars days={data.houseDays} />
      </FigureCard>
    </>
  )
}

/** The number of open positions when no exposure is known, with demo positions counted separately. */
function positionsText({ ledger, positions, demoPositions }: BrokerSummary): string {
  if (positions > 0) return `${countText(positions, 'position')} without a price`
  if (ledger === 'real' && demoPositions > 0)
    return `no real positions, ${countText(demoPositions, 'demo position')}`
  return ledger === 'real' ? 'no open positions, demo accounts included' : 'no open positions'
}

const HEIGHT = 100

/** One bar a day for the amount earned or lost, with a text for screen readers. */
function DayBars({ days }: { days: BrokerSummary['houseDays'] }) {
  const now = useNow()
  const max = days.reduce((top, { total }) => Math.max(top, Math.abs(Number(total))), 1)
  const summary = days.map(({ day: at, total }) => `${day(at, now)} ${signedMoney(total)}`).join(', ')
  return (
    <svg
      role="img"
      aria-label={`Result by day: ${summary}`}
      viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-10 w-full"
    >
      {days.map(({ day: at, total }, index) => {
        const height = Math.max((Math.abs(Number(total)) / max) * HEIGHT, 2)
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
