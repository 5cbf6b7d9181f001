import type { Decimal, InstrumentListing } from '@fairlot/contract'
import { fromUnits, LOTS_DECIMALS, type Money } from '@fairlot/core'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { useSelectedInstrument } from '../../../live/market/instruments.ts'
import { parseLots, valueOf } from '../lots-and-prices.ts'
import { type TicketPreview, useTicketPreview } from '../ticket/use-ticket.ts'

/** The terms explained for the account, with an order of the usual size on the selected instrument as the example. */
export function AccountBasics() {
  const listing = useSelectedInstrument()
  return listing ? <WithPreview listing={listing} /> : null
}

const WithPreview = ({ listing }: { listing: InstrumentListing }) => (
  <Basics view={useTicketPreview(listing)} />
)

/** What lot, leverage, margin level and stop-out mean, each with the user's own figures. */
export function Basics({ view }: { view: TicketPreview }) {
  const t = useTranslations('basics')
  const lot = useLotTexts(view)
  const leverage = useLeverageText(view)
  const level = useLevelText(view)
  const stopOut = useStopOutTexts(view)
  return (
    <dl className="flex flex-col gap-4 pb-4">
      <Term name={t('lot')} texts={[t('lotText'), ...lot]} />
      <Term name={t('leverage')} texts={[t('leverageText'), leverage]} />
      <Term name={t('level')} texts={[t('levelText'), level]} />
      <Term name={t('stopOut')} texts={stopOut} />
    </dl>
  )
}

type TermProps = { name: string; texts: readonly (string | null)[] }

/** The first text is the meaning, the others are the user's own figures. */
function Term({ name, texts: [meaning, ...own] }: TermProps) {
  const figures = own.filter((text) => text !== null)
  return (
    <div>
      <dt className="font-bold">{name}</dt>
      <dd className="text-note text-second">{withNames(meaning)}</dd>
      {figures.length > 0 && (
        <dd className="mt-1.5 rounded-field bg-brass-tint px-3 py-2 text-note">
          {withNames(figures.join(' '))}
        </dd>
      )}
    </div>
  )
}

function useLotTexts({ state, context: { instrument }, code }: TicketPreview): string[] {
  const t = useTranslations('basics')
  const { figures } = useLocale()
  const { contractSize } = instrument
  const lots = valueOf(parseLots(state.lots))
  const one = t('lotSize', { code: asName(code), size: asName(figures.count(contractSize)) })
  if (lots === null) return [one]
  const units = figures.decimal(fromUnits(BigInt(lots) * BigInt(contractSize), LOTS_DECIMALS))
  return [one, t('lotOwn', { lots: state.lots, units: asName(units) })]
}

function useLeverageText({ state, context: { instrument }, summary }: TicketPreview): string | null {
  const t = useTranslations('basics')
  const { figures } = useLocale()
  const { leverage, lots } = state
  const margin = summary.cost?.margin
  if (margin === undefined || leverage === null) return null
  if (instrument.marginMode === 'fixed')
    return t('leverageFixed', { lots, margin: asName(figures.money(margin)) })
  const value = margin * BigInt(leverage)
  return t('leverageOwn', {
    lots,
    value: asName(figures.money(value)),
    leverage: asName(leverage),
    margin: asName(figures.money(margin)),
    onePercent: asName(figures.money(value / 100n)),
  })
}

/** Equity as a share of the margin, in percent with two decimals; null without margin. */
const levelOf = (equity: bigint, margin: bigint): Decimal | null =>
  margin <= 0n ? null : fromUnits((equity * 10_000n) / margin, 2)

function useLevelText({ summary: { cost } }: TicketPreview): string | null {
  const t = useTranslations('basics')
  const { figures } = useLocale()
  const account = useAccountFigures()
  if (!account) return null
  const { equity, margin, level } = account
  if (level !== null)
    return t('levelOwn', {
      equity: asName(figures.money(equity)),
      margin: asName(figures.money(margin)),
      level: asName(figures.percent(level)),
    })
  const next = cost && levelOf(equity - cost.fee, cost.margin)
  return next === null ? null : t('levelNext', { level: asName(figures.percent(next)) })
}

function useStopOutTexts({ context: { instrument }, summary }: TicketPreview): (string | null)[] {
  const t = useTranslations('basics')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const used = useAccountFigures()?.margin ?? 0n
  if (!info) return [t('stopOutPlain')]
  const levels = {
    stopOut: asName(figures.percent(info.stopOutLevel, { shown: 0 })),
    warning: asName(figures.percent(info.warningLevel, { shown: 0 })),
  }
  const partOf = (margin: Money | bigint) => (margin * BigInt(Math.round(Number(info.stopOutLevel)))) / 100n
  const { cost, buy } = summary
  const margin = used > 0n ? used : (cost?.margin ?? 0n)
  const price = buy.stopOut?.price ?? null
  return [
    t('stopOutText', levels),
    margin > 0n
      ? t(used > 0n ? 'stopOutOwn' : 'stopOutNext', {
          margin: asName(figures.money(margin)),
          equity: asName(figures.money(partOf(margin))),
        })
      : null,
    price === null
      ? null
      : t('stopOutPrice', { price: asName(figures.figure(price, instrument.priceDecimals)) }),
  ]
}
