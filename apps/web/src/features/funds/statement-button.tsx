import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { saveStatement } from './queries.ts'
import { monthsBefore, OTHER, periodOf, type PeriodChoice } from './statement-period.ts'

/** Leads to statements of a month or of chosen days, as pages or for a spreadsheet. */
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
