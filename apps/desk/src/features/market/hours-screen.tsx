import {
  listDeskSessions,
  NEW_FORM_KEY,
  type SessionRow,
  sessionsFile,
  type SessionTerms,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { controlClass, TextField } from '@fairlot/ui/forms/field.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import type { Form } from '@fairlot/ui/forms/use-form.ts'
import { asName, Name } from '@fairlot/ui/figures/names.tsx'
import { X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useNow } from '../../live/clock.ts'
import { useKeptForm } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'
import { ReviewedForm } from './terms-review.tsx'
import { WeekView } from './week-view.tsx'

const nextHoliday = ({ terms }: SessionRow, now: number): string =>
  terms.holidays
    .map(({ date }) => date)
    .toSorted()
    .find((date) => date >= dayText(now)) ?? 'none'

const columnsAt = (now: number): readonly Column<SessionRow>[] => [
  { key: 'name', title: 'Hours', cell: ({ terms }) => asName(terms.name), onPhone: 'title' },
  { key: 'zone', title: 'Zone', cell: ({ terms }) => asName(terms.zone) },
  { key: 'holiday', title: 'Next holiday', cell: (row) => nextHoliday(row, now) },
  {
    key: 'instruments',
    title: 'Instruments',
    cell: ({ instruments }) => instruments.length,
    align: 'end',
    onPhone: 'figure',
  },
]

type Opened = { readonly name: string | null; readonly isEditing: boolean }

/** Weekly trading hours and holidays, and the instruments that use them. */
export function HoursScreen({ filter }: SectionPageProps) {
  const { data, problem, retry } = useDeskQuery(listDeskSessions, null)
  const mayChange = useMay('changeTerms')
  const now = useNow()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const row = data?.sessions.find(({ terms }) => terms.name === opened?.name) ?? null
  const showRow = () => setOpened(row && { name: row.terms.name, isEditing: false })
  return (
    <SplitView
      onClose={close}
      detail={
        opened?.isEditing
          ? {
              name: row ? `Change ${row.terms.name}` : 'New hours',
              body: <HoursForm key={opened.name ?? ''} row={row} onClose={showRow} />,
            }
          : row && {
              name: row.terms.name,
              body: <HoursDetail row={row} />,
              actions: mayChange && (
                <Button onClick={() => setOpened({ name: row.terms.name, isEditing: true })}>
                  Change hours
                </Button>
              ),
            }
      }
    >
      <Page
        title="Market"
        filter={filter}
        file={<CsvButton file={sessionsFile} input={null} />}
        actions={
          mayChange && (
            <Button size="small" onClick={() => setOpened({ name: null, isEditing: true })}>
              New
            </Button>
          )
        }
      >
        <DataTable
          label="Hours"
          columns={columnsAt(now)}
          rows={data?.sessions}
          keyOf={({ terms }) => terms.name}
          selected={opened?.name ?? null}
          onOpen={({ terms }) => setOpened({ name: terms.name, isEditing: false })}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No hours yet' }}
        />
      </Page>
    </SplitView>
  )
}

const HoursDetail = ({ row: { terms, instruments } }: { row: SessionRow }) => (
  <>
    <DetailHead kind="Hours" title={asName(terms.name)} unit={asName(terms.zone)} />
    <WeekView zone={terms.zone} windows={terms.windows} />
    <section>
      <h3 className="text-note font-bold">Used by</h3>
      <p className="text-note text-second">
        {instruments.length === 0 ? 'no instrument' : <Name>{instruments.join(', ')}</Name>}
      </p>
    </section>
    <HolidayList holidays={terms.holidays} />
  </>
)

/** The form's values: one window per line, holidays by date. */
type HoursTexts = {
  readonly name: string
  readonly zone: string
  readonly windows: string
  readonly holidays: SessionTerms['holidays']
}

const hoursTextsOf = ({ name, zone, windows, holidays }: SessionTerms): HoursTexts => ({
  name,
  zone,
  holidays,
  windows: windows.split('; ').join('\n'),
})

const windowsOf = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ')

const NEW_HOURS: HoursTexts = {
  name: '',
  zone: 'Europe/London',
  holidays: [],
  windows: 'Mon 08:00-Mon 16:30\nTue 08:00-Tue 16:30',
}

type HoursFormProps = { row: SessionRow | null; onClose: () => void }

/** The form of trading hours, with a preview of the week. */
function HoursForm({ row, onClose }: HoursFormProps) {
  const [formKey] = useState(row?.formKey ?? NEW_FORM_KEY)
  const form = useKeptForm<HoursTexts>(`hours ${row?.terms.name ?? ''}`, () =>
    row ? hoursTextsOf(row.terms) : NEW_HOURS,
  )
  const draftOf = () => {
    const { name, zone, windows, holidays } = form.values
    return {
      kind: 'calendar' as const,
      instrumentId: null,
      instrument: null,
      settings: null,
      formKey,
      session: { name: name.trim(), zone: zone.trim(), windows: windowsOf(windows), holidays },
    }
  }
  return (
    <ReviewedForm
      kind="Hours"
      title={row ? `Change ${asName(row.terms.name)}` : 'New hours'}
      form={form}
      draftOf={draftOf}
      onClose={onClose}
    >
      <HoursFields form={form} isNew={row === null} />
    </ReviewedForm>
  )
}

function HoursFields({ form, isNew }: { form: Form<HoursTexts>; isNew: boolean }) {
  const { values, problems, set } = form
  return (
    <>
      {isNew && (
        <TextField
          label="Name"
          hint="Lower-case letters, digits and hyphens."
          value={values.name}
          problem={problems.name}
          onChange={(name) => set({ name })}
        />
      )}
      <TextField
        label="Time zone"
        hint="The time zone of the venue, such as America/New_York."
        value={values.zone}
        problem={problems.zone}
        onChange={(zone) => set({ zone })}
      />
      <TextAreaField
        label="Opening hours"
        rows={6}
        dir="ltr"
        hint="One period per line, such as Sun 17:05-Mon 16:55, or: always"
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

type Holidays = SessionTerms['holidays']

type HolidayFieldsProps = {
  holidays: Holidays
  problem: string | undefined
  onChange: (holidays: Holidays) => void
}

/** Edits upcoming holidays: a date and a closing time, empty for the full day. Past holidays stay unchanged. */
function HolidayFields({ holidays, problem, onChange }: HolidayFieldsProps) {
  const today = dayText(useNow())
  const replace = (index: number, change: Partial<Holidays[number]> | null) =>
    onChange(holidays.flatMap((each, at) => (at === index ? (change ? { ...each, ...change } : []) : each)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-2 text-note font-bold">Upcoming holidays</legend>
      {holidays.map((holiday, index) => {
        const { date, closesAt } = holiday
        if (date !== '' && date < today) return null
        return (
          <div key={index} className="flex items-center gap-2">
            <input
              type="date"
              aria-label="Date"
              value={date}
              className={controlClass}
              onChange={({ target }) => replace(index, { date: target.value })}
            />
            <input
              type="time"
              aria-label={`Closes at, ${date}`}
              value={closesAt ?? ''}
              className={controlClass}
              onChange={({ target }) => replace(index, { closesAt: target.value || null })}
            />
            <IconButton
              icon={X}
              label={`Remove ${date || 'this day'}`}
              onClick={() => replace(index, null)}
            />
          </div>
        )
      })}
      <p role={problem ? 'alert' : undefined} className="text-note text-danger empty:hidden">
        {problem}
      </p>
      <Button
        tone="outline"
        size="small"
        onClick={() => onChange([...holidays, { date: '', closesAt: null }])}
      >
        Add a day
      </Button>
    </fieldset>
  )
}

/** Upcoming holidays by date, or past ones on request. */
function HolidayList({ holidays }: { holidays: Holidays }) {
  const [showsPast, setShowsPast] = useState(false)
  const today = dayText(useNow())
  const sorted = holidays.toSorted((a, b) => a.date.localeCompare(b.date))
  const shown = sorted.filter(({ date }) => (showsPast ? date < today : date >= today))
  return (
    <section>
      <div className="flex items-baseline justify-between">
        <h3 className="text-note font-bold">{showsPast ? 'Past holidays' : 'Upcoming holidays'}</h3>
        <TextButton onClick={() => setShowsPast(!showsPast)}>{showsPast ? 'Upcoming' : 'Past'}</TextButton>
      </div>
      {shown.length === 0 ? (
        <p className="text-note text-second">None</p>
      ) : (
        <FactList
          facts={shown.map(({ date, closesAt }) => ({
            label: date,
            value: closesAt === null ? 'closed' : `closes at ${closesAt}`,
          }))}
        />
      )}
    </section>
  )
}

/** The UTC day of a time as holidays are written, such as `2026-12-25`; sorts as text. */
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
