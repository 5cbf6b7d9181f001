import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { Chip } from '@fairlot/ui/chip.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { CHART_INDICATORS, toggled, type ChartIndicator, type IndicatorPlace } from './chart-indicators.ts'

type IndicatorSheetProps = {
  isOpen: boolean
  onClose: () => void
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Which indicators the chart draws. Each choice takes effect at once behind the sheet. */
export function IndicatorSheet({ isOpen, onClose, chosen, onChange }: IndicatorSheetProps) {
  const t = useTranslations('chart')
  const app = useTranslations('app')
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('indicators')} closeLabel={app('close')}>
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

type IndicatorGroupProps = Pick<IndicatorSheetProps, 'chosen' | 'onChange'> & {
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
