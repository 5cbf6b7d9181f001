import type { InstrumentListing } from '@fairlot/contract'
import { memo } from 'react'
import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { instrumentName, signsOf } from '../../i18n/currency.ts'
import { useSpeech } from '../../i18n/provider.tsx'
import { selectInstrument } from '../../live/selection.ts'
import { classNames } from '../../ui/class-names.ts'
import { Mark } from '../../ui/mark.tsx'
import { RowChart } from './row-chart.tsx'
import { RowPrice } from './row-price.tsx'

type InstrumentRowProps = {
  instrument: InstrumentListing
  isSelected: boolean
  /** `narrow` leaves out the name: the market list of the desktop workspace. */
  width: 'full' | 'narrow'
}

const shapes = {
  full: 'min-h-16 grid-cols-[auto_minmax(0,1fr)_60px_minmax(84px,auto)] py-2.5 @max-[17rem]:grid-cols-[auto_minmax(0,1fr)_auto]',
  narrow:
    'min-h-13 grid-cols-[auto_minmax(0,1fr)_44px_minmax(76px,auto)] px-4 py-1.5 @max-[17rem]:grid-cols-[auto_minmax(0,1fr)_auto]',
}

/** One instrument; tapping it selects it and leads to the trade screen. */
export const InstrumentRow = memo(function InstrumentRow({
  instrument,
  isSelected,
  width,
}: InstrumentRowProps) {
  const { tag } = useSpeech()
  const name = instrumentName(instrument, tag)
  return (
    <Link
      to="/trade"
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => selectInstrument(instrument.code)}
      className={classNames(
        'grid items-center gap-x-2.5 transition-colors active:bg-raised',
        shapes[width],
        isSelected &&
          'bg-surface shadow-[inset_3px_0_0_var(--brass)] rtl:shadow-[inset_-3px_0_0_var(--brass)]',
      )}
    >
      <Mark signs={signsOf(instrument)} />
      <span className="min-w-0">
        <bdi className="block truncate text-body font-bold">{instrument.showCode}</bdi>
        {width === 'full' && <span className="block truncate text-tiny text-third">{name}</span>}
      </span>
      <RowChart instrument={instrument} />
      <RowPrice instrument={instrument} />
      {instrument.haltReason !== null && <HaltedLine reason={instrument.haltReason} />}
    </Link>
  )
})

/** Why it does not trade, in the operator's words, under the whole row. */
function HaltedLine({ reason }: { reason: string }) {
  const t = useTranslations('market')
  return (
    <span className="col-start-2 -col-end-1 line-clamp-2 pt-0.5 text-tiny text-danger">
      {t('haltedBecause', { reason })}
    </span>
  )
}
