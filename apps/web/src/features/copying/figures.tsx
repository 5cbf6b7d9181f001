import type { CopyView, StrategyDetails, StrategyRow } from '@fairlot/contract'
import { formatDecimal, RATIO_DECIMALS, type Money, type Ratio } from '@fairlot/core'
import { type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { ChangeFigure } from '@fairlot/ui/figures/change-figure.tsx'
import { TOAST_OBSTACLE } from '@fairlot/ui/layout/toast-obstacle.ts'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { directionOfFigure, type FigureFormat } from '../../i18n/number-format.ts'

const PERCENT_DECIMALS = RATIO_DECIMALS - 2

/** A ratio of 1e-6 as percent: "12.5 %". */
export const rateText = (
  figures: FigureFormat,
  rate: Ratio,
  options: Parameters<FigureFormat['percent']>[1] = {},
): string => figures.percent(formatDecimal(rate, PERCENT_DECIMALS), { shown: 1, ...options })

type RateProps = { rate: Ratio | null; hasArrow?: boolean; shown?: number }

/** A rate with sign and colour; a dash where nothing can be said. */
export function Rate({ rate, hasArrow = false, shown = 2 }: RateProps) {
  const { figures } = useLocale()
  if (rate === null) return <Nothing />
  const text = rateText(figures, rate, { sign: 'always', shown })
  return <ChangeFigure direction={directionOfFigure(text)} text={text} hasArrow={hasArrow} />
}

/** A share without a sign, such as a win rate or a drawdown. */
export function Share({ share }: { share: Ratio | null }) {
  const { figures } = useLocale()
  return share === null ? (
    <Nothing />
  ) : (
    <bdi dir="ltr" translate="no">
      {rateText(figures, share)}
    </bdi>
  )
}

/** A multiple such as a leverage: "3.1 ×". */
export function Times({ ratio, shown = 1 }: { ratio: Ratio | null; shown?: number }) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  if (ratio === null) return <Nothing />
  return (
    <bdi dir="ltr" translate="no">
      {t('times', { count: figures.figure(ratio, RATIO_DECIMALS, { shown }) })}
    </bdi>
  )
}

/** A plain ratio, such as a profit factor. */
export function Factor({ ratio }: { ratio: Ratio | null }) {
  const { figures } = useLocale()
  if (ratio === null) return <Nothing />
  return (
    <bdi dir="ltr" translate="no">
      {figures.figure(ratio, RATIO_DECIMALS, { shown: 2 })}
    </bdi>
  )
}

const Nothing = () => <span className="text-second">–</span>

/** A published result: never hidden, as everybody sees it. */
export function PublicResult({ units, hasArrow = false }: { units: Money; hasArrow?: boolean }) {
  const { figures } = useLocale()
  const text = figures.publicMoney(units, { sign: 'always' })
  return <ChangeFigure direction={directionOfFigure(text)} text={text} hasArrow={hasArrow} />
}

export function PublicAmount({ units }: { units: Money }) {
  const { figures } = useLocale()
  return (
    <bdi dir="ltr" translate="no">
      {figures.publicMoney(units)}
    </bdi>
  )
}

/** A result of the user's own, hidden where they hide amounts. */
export function OwnResult({ units, hasArrow = false }: { units: Money; hasArrow?: boolean }) {
  const { figures } = useLocale()
  const { main, rest } = figures.exact(units, { sign: 'always' })
  return <ChangeFigure direction={directionOfFigure(main)} text={main} rest={rest} hasArrow={hasArrow} />
}

export function OwnAmount({ units }: { units: Money }) {
  const { figures } = useLocale()
  return (
    <bdi dir="ltr" translate="no">
      {figures.money(units)}
    </bdi>
  )
}

type CellProps = { name: string; children: ReactNode }

/** A figure below its name. */
export const Cell = ({ name, children }: CellProps) => (
  <div className="min-w-0">
    <dt className="text-tiny text-second">{withNames(name)}</dt>
    <dd className="font-bold">{children}</dd>
  </div>
)

/** Figures in as many columns as fit; four of them stand in two rows on a phone. */
export const Cells = ({ isFour = false, children }: { isFour?: boolean; children: ReactNode }) => (
  <dl
    className={classNames(
      'grid gap-x-4 gap-y-3',
      isFour
        ? 'grid-cols-[repeat(auto-fit,minmax(min(100%,max(6rem,40%)),1fr))] desktop:grid-cols-4'
        : 'grid-cols-[repeat(auto-fit,minmax(min(100%,6rem),1fr))]',
    )}
  >
    {children}
  </dl>
)

/** The main action of a screen, always in view at the bottom. */
export const ActBar = ({ children }: { children: ReactNode }) => (
  <div
    {...TOAST_OBSTACLE}
    className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-page px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
  >
    <div className="mx-auto flex max-w-md flex-col gap-2">{children}</div>
  </div>
)

/** The first letter of a strategy's name, in place of a picture. */
export const Initial = ({ name }: { name: string }) => (
  <span
    aria-hidden
    translate="no"
    className="grid size-10 shrink-0 place-items-center rounded-field bg-brass-tint font-bold text-brass"
  >
    {Array.from(name)[0]?.toUpperCase()}
  </span>
)

/** Whether a strategy trades demo or real money. */
export function KindBadge({ kind }: { kind: StrategyRow['kind'] }) {
  const t = useTranslations('copying')
  return <Badge tone={kind === 'real' ? 'brass' : 'plain'}>{t(`kind.${kind}`)}</Badge>
}

/** Demo or real money, and how a strategy ended. */
export function StrategyBadges({
  strategy: { kind, endedAt, endedAs },
}: {
  strategy: Pick<StrategyRow, 'kind' | 'endedAt' | 'endedAs'>
}) {
  const t = useTranslations('copying')
  return (
    <>
      <KindBadge kind={kind} />
      {endedAt !== null && (
        <Badge>
          <span className="text-danger">{endedAs ? t(`endedAs.${endedAs}`) : t('ended')}</span>
        </Badge>
      )}
    </>
  )
}

type Flag = StrategyRow['flags'][number]

/** What a reader should know before trusting a result; a press shows the rule. */
export function Flags({ flags }: { flags: readonly Flag[] }) {
  const t = useTranslations('copying')
  const [open, setOpen] = useState<Flag | null>(null)
  const id = useId()
  if (flags.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap gap-x-2">
        {flags.map((flag) => (
          <button
            key={flag}
            type="button"
            aria-expanded={open === flag}
            aria-controls={id}
            onClick={() => setOpen(open === flag ? null : flag)}
            className="flex min-h-11 items-center text-start"
          >
            <span className="rounded-field bg-danger-tint px-2.5 py-1 text-note font-medium text-danger underline decoration-dotted underline-offset-4">
              {t(`flag.${flag}`)}
            </span>
          </button>
        ))}
      </div>
      <p id={id} role="status" className="text-note text-second empty:hidden">
        {open && t(`flagRule.${open}`)}
      </p>
    </div>
  )
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

/** A span of time in its two largest units: "4 h 10 min". `ms` is zero or more. */
export function useSpan(): (ms: number) => string {
  const t = useTranslations('copying')
  return (ms) => {
    const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor((ms % DAY_MS) / HOUR_MS)]
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS)
    if (days > 0) return t('spanDays', { days, hours })
    return hours > 0 ? t('spanHours', { hours, minutes }) : t('spanMinutes', { minutes })
  }
}

/** How long ago something began, in weeks, or in days before two weeks. `ms` is zero or more. */
export function useAge(): (ms: number) => string {
  const t = useTranslations('copying')
  return (ms) =>
    ms < 2 * WEEK_MS
      ? t('ageDays', { count: Math.max(0, Math.floor(ms / DAY_MS)) })
      : t('ageWeeks', { count: Math.floor(ms / WEEK_MS) })
}

/** The state of a copy in words. A frozen provider pauses it too. */
export function CopyBadge({ copy }: { copy: Pick<CopyView, 'state' | 'endReason' | 'frozenUntil'> }) {
  const t = useTranslations('copying')
  const state = copy.state === 'running' && copy.frozenUntil !== null ? 'paused' : copy.state
  return (
    <Badge tone={state === 'paused' ? 'brass' : 'plain'}>
      {copy.endReason ? t(`endReason.${copy.endReason}`) : t(`state.${state}`)}
    </Badge>
  )
}

/** The id in a query parameter; null for anything else. */
export function parseId(text: string | null): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

export const strategyPath = (id: number): string => `/rank/strategy?id=${id}`
export const copyPath = (id: number): string => `/rank/copy?id=${id}`
export const startPath = (id: number): string => `/rank/start?id=${id}`

export type Window = StrategyDetails['windows'][number]['window']

export const WINDOWS: readonly Window[] = ['threeWeeks', 'threeMonths', 'year', 'all']
