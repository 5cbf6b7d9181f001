import { NEW_FORM_KEY, type SessionRow, type SessionTerms } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { type Form, useForm } from '@fairlot/ui/use-form.ts'
import { useState } from 'react'
import { HolidayFields } from './holiday-fields.tsx'
import { ReviewedForm } from './reviewed-form.tsx'
import { WeekView } from './week-view.tsx'

/** What is typed: one window a line, holidays by date. */
export type HoursLines = {
  readonly name: string
  readonly zone: string
  readonly windows: string
  readonly holidays: SessionTerms['holidays']
}

const linesOf = ({ name, zone, windows, holidays }: SessionTerms): HoursLines => ({
  ...{ name, zone, holidays },
  windows: windows.split('; ').join('\n'),
})

const windowsOf = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ')

const NEW_HOURS: HoursLines = {
  ...{ name: '', zone: 'Europe/London', holidays: [] },
  windows: 'Mon 08:00-Mon 16:30\nTue 08:00-Tue 16:30',
}

type HoursFormProps = { row: SessionRow | null; onClose: () => void }

/** Hours as a form; the week is drawn as it is typed. */
export function HoursForm({ row, onClose }: HoursFormProps) {
  const [formKey] = useState(row?.formKey ?? NEW_FORM_KEY)
  const form = useForm<HoursLines>(() => (row ? linesOf(row.terms) : NEW_HOURS))
  const draftOf = () => {
    const { name, zone, windows, holidays } = form.values
    return {
      ...{ kind: 'calendar' as const, instrumentId: null, instrument: null, settings: null, formKey },
      session: { name: name.trim(), zone: zone.trim(), windows: windowsOf(windows), holidays },
    }
  }
  return (
    <ReviewedForm
      kind="Hours"
      title={row ? `Change ${row.terms.name}` : 'New hours'}
      {...{ form, draftOf, onClose }}
    >
      <HoursFields form={form} isNew={row === null} />
    </ReviewedForm>
  )
}

function HoursFields({ form, isNew }: { form: Form<HoursLines>; isNew: boolean }) {
  const { values, problems, set } = form
  return (
    <>
      {isNew && (
        <TextField
          label="Name"
          hint="Small letters, digits and hyphens."
          value={values.name}
          problem={problems.name}
          onChange={(name) => set({ name })}
        />
      )}
      <TextField
        label="Time zone"
        hint="Of the venue, such as America/New_York."
        value={values.zone}
        problem={problems.zone}
        onChange={(zone) => set({ zone })}
      />
      <TextAreaField
        label="Windows"
        rows={6}
        dir="ltr"
        hint="One a line: Sun 17:05-Mon 16:55. Or: always"
        value={values.windows}
        problem={problems.windows}
        onChange={(windows) => set({ windows })}
      />
      <WeekView zone={values.zone} windows={windowsOf(values.windows)} />
      <HolidayFields
        holidays={values.holidays}
        problem={problems.holidays}
        onChange={(holidays) => set({ holidays })}
      />
    </>
  )
}
