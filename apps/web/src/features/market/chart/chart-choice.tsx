import { create } from 'zustand'
import { readStored, writeStored } from '../../../live/device/storage.ts'
import { CHART_LOOKS, type ChartLook, type ChartPeriod, PERIOD_MINUTES } from './chart-port.ts'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Chip } from '@fairlot/ui/controls/chip.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'

/** The user's settings of the chart. */
export type ChartChoice = {
  readonly period: ChartPeriod
  readonly look: ChartLook
  readonly indicators: readonly string[]
}

const isPeriod = (value: unknown): value is ChartPeriod =>
  typeof value === 'string' && value in PERIOD_MINUTES

/** The settings from their stored text, with defaults for what is missing, unknown or not JSON. */
export function readChoice(text: string | null): ChartChoice {
  const kept = parsed(text)
  const period = 'period' in kept && isPeriod(kept.period) ? kept.period : '5min'
  const names: unknown[] = 'indicators' in kept && Array.isArray(kept.indicators) ? kept.indicators : []
  return {
    period,
    look: CHART_LOOKS.find((look) => 'look' in kept && kept.look === look) ?? 'candles',
    indicators: names.filter((name) => typeof name === 'string' && indicatorNamed(name)).map(String),
  }
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The settings on this device. */
export const useChartChoice = create<ChartChoice>(() => readChoice(readStored('chart')))

export function chooseChart(change: Partial<ChartChoice>): void {
  useChartChoice.setState(change)
  writeStored('chart', JSON.stringify(useChartChoice.getState()))
}

type ChartSettingsSheetProps = {
  isOpen: boolean
  onClose: () => void
  choice: ChartChoice
  onChange: (change: Partial<ChartChoice>) => void
}

/** How bars are drawn, and the indicators. Each change takes effect at once. */
export function ChartSettingsSheet({ isOpen, onClose, choice, onChange: change }: ChartSettingsSheetProps) {
  const t = useTranslations('chart')
  const app = useTranslations('app')
  const chosen = choice.indicators
  const onChange = (indicators: readonly string[]) => change({ indicators })
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('settings')} closeLabel={app('close')}>
      <Segmented
        label={t('look')}
        value={choice.look}
        onChange={(look) => change({ look })}
        options={CHART_LOOKS.map((value) => ({ value, label: t(`lookName.${value}`) }))}
      />
      <h3 className="pt-4 font-bold">{t('indicators')}</h3>
      <p className="text-note text-second">{t('indicatorsText')}</p>
      <IndicatorGroup place="candles" title={t('overCandles')} chosen={chosen} onChange={onChange} />
      <IndicatorGroup place="below" title={t('belowCandles')} chosen={chosen} onChange={onChange} />
      <div className="pt-4">
        <Button tone="outline" isWide disabled={chosen.length === 0} onClick={() => onChange([])}>
          {t('clearIndicators')}
        </Button>
      </div>
    </Sheet>
  )
}

type IndicatorGroupProps = {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
  place: IndicatorPlace
  title: string
}

function IndicatorGroup({ place, title, chosen, onChange }: IndicatorGroupProps) {
  const t = useTranslations('chart.indicator')
  const chip = ({ name }: ChartIndicator) => (
    <Chip key={name} isSelected={chosen.includes(name)} onSelect={() => onChange(toggled(chosen, name))}>
      <span title={t(name)}>{name}</span>
    </Chip>
  )
  return (
    <section className="pt-4">
      <h3 className="text-tiny text-second">{title}</h3>
      <div className="flex flex-wrap gap-x-2">
        {CHART_INDICATORS.filter((indicator) => indicator.place === place).map(chip)}
      </div>
    </section>
  )
}

export type IndicatorPlace = 'candles' | 'below'
export type IndicatorName =
  | 'MA'
  | 'EMA'
  | 'BOLL'
  | 'SAR'
  | 'BBI'
  | 'VOL'
  | 'MACD'
  | 'RSI'
  | 'KDJ'
  | 'CCI'
  | 'WR'
  | 'DMI'
  | 'ROC'
export type ChartIndicator = {
  readonly name: IndicatorName
  readonly place: IndicatorPlace
  readonly decimals: number | null
  readonly params: readonly number[] | null
}

const over = (name: IndicatorName, params: readonly number[] | null = null): ChartIndicator => ({
  name,
  place: 'candles',
  decimals: null,
  params,
})
const below = (
  name: IndicatorName,
  decimals: number | null,
  params: readonly number[] | null = null,
): ChartIndicator => ({
  name,
  place: 'below',
  decimals,
  params,
})

/** The available indicators, in the order of the sheet. */
export const CHART_INDICATORS: readonly ChartIndicator[] = [
  over('MA', [10, 30, 60]),
  over('EMA', [12, 26]),
  over('BOLL'),
  over('SAR'),
  over('BBI'),
  below('VOL', 0, []),
  below('MACD', null),
  below('RSI', 2, [14]),
  below('KDJ', 2),
  below('CCI', 2),
  below('WR', 2, [14]),
  below('DMI', 2),
  below('ROC', 2),
]

export const indicatorNamed = (name: string): ChartIndicator | undefined =>
  CHART_INDICATORS.find((indicator) => indicator.name === name)

/** Maximum number of panes below the candles; a further one replaces the oldest. */
const MAX_BELOW = 2

/** Adds or removes one indicator. */
export function toggled(chosen: readonly string[], name: string): readonly string[] {
  if (chosen.includes(name)) return chosen.filter((other) => other !== name)
  const next = [...chosen, name]
  const panes = next.filter((other) => indicatorNamed(other)?.place === 'below')
  return panes.length > MAX_BELOW ? next.filter((other) => other !== panes[0]) : next
}
