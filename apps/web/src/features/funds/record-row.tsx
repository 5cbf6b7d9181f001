import type { LedgerRecord } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { directionOfFigure } from '../../i18n/figure.ts'
import { useSpeech } from '../../i18n/provider.tsx'
import { ChangeFigure } from '../../ui/change-figure.tsx'

/** One booking: what for, when, how much to the last digit, and the balance after it. */
export function RecordRow({ record }: { record: LedgerRecord }) {
  const t = useTranslations('funds')
  const { figures, moments } = useSpeech()
  const { main, rest } = figures.fine(record.amount, { sign: 'always' })
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-[1_1_8rem]">
        <span className="block">{record.memo}</span>
        <span className="block text-note text-second">{moments.dateTime(record.createdAt)}</span>
      </span>
      <span className="ms-auto flex flex-col items-end">
        <ChangeFigure direction={directionOfFigure(main)} text={main} rest={rest} hasArrow={false} />
        <span className="text-note whitespace-nowrap text-second">
          {t('balanceAfter', { amount: figures.money(record.balance) })}
        </span>
      </span>
    </li>
  )
}
