import {
  changeSetting,
  listSettingChanges,
  listSettings,
  type Setting,
  SETTING_TITLES,
  settingChangesFile,
  SETTINGS_OF_TWO,
  settingsFile,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery, usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'

const SOURCE_NAMES: Record<Setting['source'], string> = {
  fixed: 'the environment',
  stored: 'the desk',
  default: 'default',
}

const valueText = (value: string): string => (value === '' ? 'empty' : asName(value))

const titleOf = ({ name }: Setting): string => SETTING_TITLES[name] ?? name

const COLUMNS: readonly Column<Setting>[] = [
  { key: 'name', title: 'Setting', cell: titleOf, onPhone: 'title' },
  { key: 'value', title: 'Value', cell: ({ value }) => valueText(value), align: 'end', onPhone: 'figure' },
  {
    key: 'source',
    title: 'Source',
    cell: ({ source }) => (
      <Badge tone={source === 'stored' ? 'brass' : 'plain'}>{SOURCE_NAMES[source]}</Badge>
    ),
  },
]

/** All settings except the trading terms, which are under Market. */
export function PlatformSettingsScreen({ filter }: SectionPageProps) {
  const [search, setSearch] = useState('')
  const { data, problem, retry } = useDeskQuery(listSettings, { search })
  const [opened, setOpened] = useState<Setting | null>(null)
  // The current row; an open row stays open while a search hides it.
  const open = data?.settings.find(({ name }) => name === opened?.name) ?? opened
  return (
    <SplitView
      onClose={useCallback(() => setOpened(null), [])}
      detail={
        open
          ? {
              name: titleOf(open),
              body: <SettingDetail key={open.name} setting={open} />,
              actions: <SettingActions key={open.name} setting={open} />,
            }
          : null
      }
    >
      <Page
        title="Settings"
        filter={filter}
        file={<CsvButton file={settingsFile} input={{ search }} />}
        search={{ label: 'Find a setting', value: search, onSearch: setSearch }}
      >
        <DataTable
          search={{ value: search, onSearch: setSearch }}
          label="Settings"
          columns={COLUMNS}
          rows={data?.settings}
          keyOf={({ name }) => name}
          selected={opened?.name ?? null}
          onOpen={setOpened}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No settings' }}
        />
      </Page>
    </SplitView>
  )
}

/** A setting with its history. */
function SettingDetail({ setting }: { setting: Setting }) {
  const { name, value, defaultValue, source, comingValue, comingAt } = setting
  const { table } = usePaged(listSettingChanges, { name }, { rowsOf: ({ changes }) => changes })
  const now = useNow()
  return (
    <>
      <DetailHead kind="Setting" title={SETTING_TITLES[name] ?? name} />
      <FactList
        facts={[
          { label: 'Value', value: valueText(value) },
          ...(comingValue !== null && comingAt !== null
            ? [{ label: `From ${moment(comingAt, now)}`, value: valueText(comingValue) }]
            : []),
          { label: 'Default', value: valueText(defaultValue) },
          { label: 'Source', value: SOURCE_NAMES[source] },
          ...(SETTINGS_OF_TWO.includes(name) ? [{ label: 'Changed by', value: 'Two operators' }] : []),
        ]}
      />
      {source === 'fixed' && (
        <p className="text-note text-second">
          It is fixed by the environment variable <Name>SETTING_{name.toUpperCase()}</Name> and cannot be
          changed here.
        </p>
      )}
      <TitledBox title="History">
        {table.rows?.length === 0 && <p className="mt-1">It has not been changed at the desk.</p>}
        <ul className="divide-y divide-dashed divide-line">
          {table.rows?.map(({ at, by, before, after, reason }) => (
            <li key={at} className="py-2">
              <del className="text-second">{withNames(valueText(before))}</del> <span aria-hidden>→</span>{' '}
              <ins className="font-bold break-words no-underline">{withNames(valueText(after))}</ins>
              <p className="text-tiny text-second">
                <Name>{moment(at, now)}</Name>, <Name>{by}</Name>: {reason}
              </p>
            </li>
          ))}
        </ul>
        {table.more && (
          <Button tone="quiet" size="small" isBusy={table.more.isLoading} onClick={table.more.onMore}>
            More
          </Button>
        )}
        {table.rows && table.rows.length > 0 && (
          <CsvButton file={settingChangesFile} input={{ name }} of={name} />
        )}
      </TitledBox>
    </>
  )
}

/** The actions of an administrator on a setting. */
function SettingActions({ setting }: { setting: Setting }) {
  const [openDialog, setOpenDialog] = useState<'change' | 'reset' | null>(null)
  const mayChange = useMay('changeSettings')
  if (!mayChange || setting.source === 'fixed') return null
  const close = () => setOpenDialog(null)
  return (
    <>
      {setting.source === 'stored' && (
        <Button tone="outline" onClick={() => setOpenDialog('reset')}>
          Back to default
        </Button>
      )}
      <Button onClick={() => setOpenDialog('change')}>Change</Button>
      {openDialog === 'change' && <ChangeDialog setting={setting} onClose={close} />}
      {openDialog === 'reset' && <ResetDialog setting={setting} onClose={close} />}
    </>
  )
}

/** The rule by which a change of the setting needs a second operator. */
const ruleOf = (name: string) => (SETTINGS_OF_TWO.includes(name) ? 'setting' : null)

type DialogProps = { setting: Setting; onClose: () => void }

function ChangeDialog({ setting: opened, onClose }: DialogProps) {
  // The value that the operator saw; the server rejects the change if another operator has changed it since.
  const [{ name, value, form, choices, comingValue }] = useState(opened)
  const [next, setNext] = useKeptState(`setting ${name} ${value}`, value)
  const field = { label: 'Value', value: next, onChange: setNext }
  return (
    <ReasonDialog
      title={SETTING_TITLES[name] ?? name}
      text={
        SETTINGS_OF_TWO.includes(name)
          ? 'It takes effect once a second operator has approved; a change to the users’ disadvantage, after the notice period for terms. It replaces a pending change.'
          : 'It takes effect at once, for everyone.'
      }
      twoOperatorRule={ruleOf(name)}
      endpoint={changeSetting}
      inputOf={(reason) => ({ name, value: next, was: value, reason })}
      changes={next === value ? [] : [{ label: 'Value', before: valueText(value), after: valueText(next) }]}
      check={() => (next === value && comingValue === null ? 'This is the current value.' : null)}
      submitLabel="Change"
      done="Setting changed."
      topics={['acts', 'waiting']}
      onClose={onClose}
    >
      {form === 'choice' ? (
        <SelectField {...field} options={choices.map((choice) => ({ value: choice, label: choice }))} />
      ) : (
        <TextField
          {...field}
          dir="ltr"
          inputMode={form === 'number' ? 'numeric' : 'text'}
          hint={form === 'list' ? 'Separated by commas.' : undefined}
        />
      )}
    </ReasonDialog>
  )
}

const ResetDialog = ({ setting: { name, value, defaultValue }, onClose }: DialogProps) => (
  <ReasonDialog
    title="Back to default"
    subject={name}
    twoOperatorRule={ruleOf(name)}
    endpoint={changeSetting}
    inputOf={(reason) => ({ name, value: null, was: value, reason })}
    changes={[{ label: 'Value', before: valueText(value), after: valueText(defaultValue) }]}
    submitLabel="Back to default"
    done="Default restored."
    topics={['acts', 'waiting']}
    onClose={onClose}
  />
)
