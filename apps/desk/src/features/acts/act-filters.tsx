import { DESK_ACTS, listOperators } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { actName } from '../../i18n/act-words.ts'
import type { ActFields } from './use-act-filter.ts'

type ActFiltersProps = {
  values: ActFields
  onChange: (change: Partial<ActFields>) => void
}

/** Who, what, whom and when. */
export function ActFilters({ values, onChange }: ActFiltersProps) {
  const { data } = useDeskQuery(listOperators, null)
  return (
    <section
      aria-label="Narrow the list"
      className="mb-3 grid grid-cols-2 gap-3 rounded-card bg-surface p-3.5 desktop:grid-cols-5"
    >
      <SelectField
        label="Operator"
        value={values.operatorId}
        options={[
          { value: '', label: 'Anybody' },
          ...(data?.operators ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={(operatorId) => onChange({ operatorId })}
      />
      <SelectField
        label="Act"
        value={values.act}
        options={[
          { value: '', label: 'Any' },
          ...Object.keys(DESK_ACTS).map((act) => ({ value: act, label: actName(act) })),
        ]}
        onChange={(act) => onChange({ act })}
      />
      <TextField
        label="Account"
        inputMode="numeric"
        value={values.accountId}
        onChange={(accountId) => onChange({ accountId })}
      />
      <TextField label="From" type="date" value={values.since} onChange={(since) => onChange({ since })} />
      <TextField label="Until" type="date" value={values.until} onChange={(until) => onChange({ until })} />
    </section>
  )
}
