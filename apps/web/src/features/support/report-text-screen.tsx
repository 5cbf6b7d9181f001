import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { REPORTED_TEXT_LENGTH } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { LANGUAGES } from '../../i18n/language.ts'
import { useLanguage } from '../../live/device/language.ts'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { useKeptForm } from '../../live/session/kept-input.ts'
import { LogInFirst } from './chat-screen.tsx'
import { sendTextReport } from './queries.ts'

type ReportTextScreenProps = {
  /** The screen with the text: its path without query, and its name. */
  screen: { readonly path: string; readonly name: string }
  /** A button that opens a demo account. */
  demo: ReactNode
  onSent: () => void
}

/** Reports a text that reads wrongly to support staff. */
export function ReportTextScreen({ demo, ...form }: ReportTextScreenProps) {
  return useIsLoggedIn() ? <ReportForm {...form} /> : <LogInFirst from="/mine/text" demo={demo} />
}

function ReportForm({ screen: before, onSent }: Omit<ReportTextScreenProps, 'demo'>) {
  const t = useTranslations('support')
  const language = useLanguage()
  const form = useKeptForm('text report', () => ({ wrong: '', better: '', screen: before }))
  const { screen } = form.values
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ wrong }) => (wrong.trim() === '' ? { wrong: t('textMissing') } : {}),
    send: ({ wrong, better }) => sendTextReport({ language, screen: screen.path, wrong, better }),
    fields: { messageBlank: 'wrong' },
    onDone: () => {
      showToast({ text: t('textReported') })
      onSent()
    },
  })
  // A copy counts as typed: after another log-in, the screen before is the log-in.
  const seenOn = { screen: { ...screen } }
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <p className="text-note text-second">
        {t('textAbout', { language: LANGUAGES[language].name, screen: screen.name })}
      </p>
      <Card>
        <FormFrame form={form} onSubmit={onSubmit}>
          <TextAreaField
            label={t('textWrong')}
            hint={t('textWrongHint')}
            value={form.values.wrong}
            dir="auto"
            maxLength={REPORTED_TEXT_LENGTH}
            problem={form.problems.wrong}
            onChange={(wrong) => form.set({ wrong, ...seenOn })}
          />
          <TextAreaField
            label={t('textBetter')}
            value={form.values.better}
            dir="auto"
            maxLength={REPORTED_TEXT_LENGTH}
            onChange={(better) => form.set({ better, ...seenOn })}
          />
          <FormNote text={form.note} />
          <Button type="submit" isWide isBusy={isBusy}>
            {t('send')}
          </Button>
        </FormFrame>
      </Card>
    </div>
  )
}
