import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { saveStatement } from './queries.ts'

/** Opens a sheet that saves a statement of a month or of chosen days, as PDF or CSV. */
export function StatementButton() {
  const t = useTranslations()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button tone="outline" isWide onClick={() => setIsOpen(true)}>
        {t('funds.statement')}
      </Button>
      <Sheet
        isOpen={isOpen}
        title={t('funds.statementTitle')}
        closeLabel={t('app.close')}
        onClose={() => setIsOpen(false)}
      >
        <StatementForm onSaved={() => setIsOpen(false)} />
      </Sheet>
    </>
  )
}

function StatementForm({ onSaved }: { onSaved: () => void }) {
  const t = useTranslations('funds')
  const [months] = useState(() => monthsBefore(marketNow()))
  const [choice, setChoice] = useState<PeriodChoice>({ month: months[0] ?? OTHER, from: '', to: '' })
  const [busy, setBusy] = useState<'pdf' | 'csv' | null>(null)
  const { moments } = useLocale()
  const period = periodOf(choice)
  const isBackwards = !period && choice.from !== '' && choice.to !== ''
  const save = async (format: 'pdf' | 'csv') => {
    if (!period) return
    setBusy(format)
    const isSaved = await saveStatement({ ...period, format })
    setBusy(null)
    if (isSaved) onSaved()
  }
  return (
    <div className="flex flex-col gap-4 pt-2 pb-4">
      <SelectField
        label={t('statementPeriod')}
        value={choice.month}
        options={[
          ...months.map((month) => ({ value: month, label: moments.month(Date.parse(month)) })),
          { value: OTHER, label: t('statementDays') },
        ]}
        onChange={(month) => setChoice({ ...choice, month })}
      />
      {choice.month === OTHER && (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            type="date"
            label={t('statementFrom')}
            value={choice.from}
            onChange={(from) => setChoice({ ...choice, from })}
          />
          <TextField
            type="date"
            label={t('statementTo')}
            value={choice.to}
            problem={isBackwards ? t('statementBackwards') : undefined}
            onChange={(to) => setChoice({ ...choice, to })}
          />
        </div>
      )}
      <p className="text-note text-second">{t('statementText')}</p>
      <div className="grid grid-cols-2 gap-3">
        {(['pdf', 'csv'] as const).map((format) => (
          <Button
            key={format}
            tone={format === 'pdf' ? 'ink' : 'outline'}
            isWide
            isBusy={busy === format}
            disabled={!period || busy !== null}
            onClick={() => void save(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** The choice of days instead of a month. */
export const OTHER = 'other'

/** A month by its first day, `2026-11-01`, or days (`YYYY-MM-DD`, UTC, empty before they are chosen). */
type PeriodChoice = { readonly month: string; readonly from: string; readonly to: string }

const MONTHS = 12

/** The month of a moment (epoch ms) and the eleven before it, by their first days. */
export function monthsBefore(now: number): string[] {
  const today = new Date(now)
  return Array.from({ length: MONTHS }, (_, back) =>
    dayOf(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)),
  )
}

/** The starts of the first and last day of a choice, epoch ms; null while it is incomplete. */
export function periodOf({ month, from, to }: PeriodChoice): { from: number; to: number } | null {
  if (month !== OTHER) {
    const first = new Date(month)
    return { from: first.getTime(), to: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0) }
  }
  const days = { from: Date.parse(from), to: Date.parse(to) }
  return days.from <= days.to ? days : null
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
