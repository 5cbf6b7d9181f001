import {
  changeSetting,
  listSettingChanges,
  SETTING_TITLES,
  type Setting,
  settingChangesFile,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { usePaged } from '../../live/use-paged.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DetailHead, Passage } from '../../ui/split-view.tsx'
import { useNow } from '../../ui/use-now.ts'
import { SOURCE_NAMES, valueText } from './setting-words.ts'

/** A setting, and what it has been. */
export function SettingDetail({ setting }: { setting: Setting }) {
  const { name, value, defaultValue, source } = setting
  const { table } = usePaged(listSettingChanges, { name }, { rowsOf: ({ changes }) => changes })
  const now = useNow()
  return (
    <>
      <DetailHead kind={name} title={SETTING_TITLES[name] ?? name} />
      <FactList
        facts={[
          { label: 'Value', value: valueText(value) },
          { label: 'Default', value: valueText(defaultValue) },
          { label: 'Comes from', value: SOURCE_NAMES[source] },
        ]}
      />
      {source === 'fixed' && (
        <p className="text-note text-second">
          The environment fixes it at the start of the server (SETTING_{name.toUpperCase()}); it cannot be
          changed here.
        </p>
      )}
      <Passage title="What it has been">
        {table.rows?.length === 0 && <p className="mt-1">It has not been changed at the desk.</p>}
        <ul className="divide-y divide-dashed divide-line">
          {table.rows?.map(({ at, by, before, after, reason }) => (
            <li key={at} className="py-2">
              <del className="text-second">{valueText(before)}</del> <span aria-hidden>→</span>{' '}
              <ins className="font-bold break-words no-underline">{valueText(after)}</ins>
              <p className="text-tiny text-second">
                {moment(at, now)}, {by}: {reason}
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
      </Passage>
    </>
  )
}

/** What an administrator may do about it. */
export function SettingActs({ setting }: { setting: Setting }) {
  const [asking, setAsking] = useState<'change' | 'reset' | null>(null)
  const mayChange = useMay('changeSettings')
  if (!mayChange || setting.source === 'fixed') return null
  const close = () => setAsking(null)
  return (
    <>
      {setting.source === 'stored' && (
        <Button tone="outline" onClick={() => setAsking('reset')}>
          Back to default
        </Button>
      )}
      <Button onClick={() => setAsking('change')}>Change</Button>
      {asking === 'change' && <ChangeDialog setting={setting} onClose={close} />}
      {asking === 'reset' && <ResetDialog setting={setting} onClose={close} />}
    </>
  )
}

type DialogProps = { setting: Setting; onClose: () => void }

function ChangeDialog({ setting: opened, onClose }: DialogProps) {
  // The value that the operator saw: somebody else may change it meanwhile, and the server tells.
  const [{ name, value, form, choices }] = useState(opened)
  const [next, setNext] = useState(value)
  const field = { label: 'Value', value: next, onChange: setNext }
  return (
    <ReasonDialog
      title={SETTING_TITLES[name] ?? name}
      text="It holds at once, for everybody."
      endpoint={changeSetting}
      inputOf={(reason) => ({ name, value: next, was: value, reason })}
      changes={next === value ? [] : [{ label: 'Value', before: valueText(value), after: valueText(next) }]}
      check={() => (next === value ? 'This is the value as it is.' : null)}
      sendLabel="Change"
      done="The setting is changed."
      topics={['acts']}
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
    endpoint={changeSetting}
    inputOf={(reason) => ({ name, value: null, was: value, reason })}
    changes={[{ label: 'Value', before: valueText(value), after: valueText(defaultValue) }]}
    sendLabel="Back to default"
    done="The default holds again."
    topics={['acts']}
    onClose={onClose}
  />
)
